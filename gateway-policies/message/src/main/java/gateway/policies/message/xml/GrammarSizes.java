package gateway.policies.message.xml;

import gateway.json.ConfigProblem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.w3c.dom.Element;

/// How large the types of schema documents become where each name stands for what it means, and patterns where all
/// that they count is written out: the compiler of grammars, and the validator at the first value, do that without a
/// bound. Names count without their namespaces.
final class GrammarSizes {
    private static final String XSD = GrammarDocument.XSD;
    private static final long MOST_MEMBERS = 1_000; // of a union
    private static final long MOST_ELEMENTS = 2_000; // of a complex type
    private static final long LARGEST = 1_000_000_000;

    private final List<GrammarDocument> documents;
    private final Map<String, List<Element>> named = new HashMap<>();
    private final Map<Element, Long> known = new HashMap<>();

    private GrammarSizes(List<GrammarDocument> documents) {
        this.documents = documents;
        for (GrammarDocument each : documents) {
            for (String kind : List.of("simpleType", "complexType", "group")) {
                for (Element definition : XmlTrees.children(each.schema(), XSD, kind)) {
                    named.computeIfAbsent(key(kind, definition.getAttribute("name")), _ -> new ArrayList<>())
                            .add(definition);
                }
            }
        }
    }

    /// What is too large, each under the pointer of its document.
    static List<ConfigProblem> problems(List<GrammarDocument> documents) {
        return new GrammarSizes(documents).problems();
    }

    private List<ConfigProblem> problems() {
        var problems = new ArrayList<ConfigProblem>();
        for (GrammarDocument each : documents) {
            if (each.largest("simpleType", this::members) > MOST_MEMBERS)
                problems.add(tooLarge(each, "a union of more than " + MOST_MEMBERS + " types"));
            if (each.largest("complexType", this::elements) > MOST_ELEMENTS)
                problems.add(tooLarge(each, "a type of more than " + MOST_ELEMENTS + " elements"));
            if (each.largest("restriction", GrammarSizes::patterns) > 1)
                problems.add(tooLarge(
                        each,
                        "a pattern of more than " + RememberingPattern.MOST_PIECES
                                + " pieces, once what it counts is written out, or " + RememberingPattern.LONGEST
                                + " characters"));
        }
        return problems;
    }

    private static ConfigProblem tooLarge(GrammarDocument document, String what) {
        return new ConfigProblem(document.pointer(), '"' + document.id() + "\" has " + what);
    }

    private static String key(String kind, String name) {
        return kind + ' ' + name.substring(name.lastIndexOf(':') + 1);
    }

    /// The patterns of one restriction are matched as one.
    private static long patterns(Element restriction) {
        String one = String.join(
                "|",
                XmlTrees.children(restriction, XSD, "pattern").stream()
                        .map(each -> each.getAttribute("value"))
                        .toList());
        return RememberingPattern.isTooLarge(one) ? 2 : 1;
    }

    private long members(Element simpleType) {
        return once(
                simpleType,
                () -> XmlTrees.children(simpleType).stream()
                        .mapToLong(derived -> switch (derived.getLocalName()) {
                            case "union" -> sum(derived, "memberTypes");
                            case "restriction" -> sum(derived, "base");
                            default -> 0;
                        })
                        .sum());
    }

    private long sum(Element derived, String names) {
        long within = XmlTrees.children(derived, XSD, "simpleType").stream()
                .mapToLong(this::members)
                .sum();
        return within
                + Arrays.stream(derived.getAttribute(names).split("\\s+", -1))
                        .filter(name -> !name.isEmpty())
                        .mapToLong(name -> Math.max(1, named("simpleType", name)))
                        .sum();
    }

    private long elements(Element parent) {
        return once(
                parent,
                () -> XmlTrees.children(parent).stream()
                        .mapToLong(child -> switch (child.getLocalName()) {
                            case "element", "any" -> 1;
                            case "group" -> named("group", child.getAttribute("ref"));
                            case "extension" -> named("complexType", child.getAttribute("base")) + elements(child);
                            case "sequence", "choice", "all", "complexContent", "restriction" -> elements(child);
                            default -> 0;
                        })
                        .sum());
    }

    /// The largest that has the name.
    private long named(String kind, String name) {
        boolean types = kind.equals("simpleType");
        return named.getOrDefault(key(kind, name), List.of()).stream()
                .mapToLong(types ? this::members : this::elements)
                .max()
                .orElse(0);
    }

    /// @param size asked for once; what means itself, which the compiler refuses, counts nothing
    private long once(Element element, LongSupplier size) {
        Long already = known.putIfAbsent(element, 0L);
        if (already != null) return already;
        long counted = Math.min(size.getAsLong(), LARGEST);
        known.put(element, counted);
        return counted;
    }
}
