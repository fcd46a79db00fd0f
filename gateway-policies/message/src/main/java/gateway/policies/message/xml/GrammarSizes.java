package gateway.policies.message.xml;

import gateway.json.ConfigProblem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.w3c.dom.Element;

/// How large the types of schema documents become where each name stands for what it means, and patterns where all
/// that they count is written out: the compiler of grammars, and the validator at the first value, do that without a
/// bound. Names count without their namespaces.
final class GrammarSizes {
    private static final String XSD = GrammarDocument.XSD;
    private static final long MOST_MEMBERS = 1_000; // of a union
    private static final long MOST_ELEMENTS = 2_000; // of a complex type
    private static final long MOST_ATTRIBUTES = 500; // of a type or group
    private static final long MOST_COMPARED = 40_000_000; // attributes of each type with each other
    private static final long MOST_STEPS = 4_000_000_000L; // of elements: each with each other in each of their states
    private static final long MOST_SUBSTITUTES = 1_000_000; // of all elements together
    private static final long LARGEST = 1_000_000_000;

    private final List<GrammarDocument> documents;
    private final Map<String, List<Element>> named = new HashMap<>();
    private final Map<String, List<Element>> substitutes = new HashMap<>();
    private final Map<Element, Long> known = new HashMap<>();
    private final Map<Element, Long> knownPlaces = new HashMap<>();
    private final Map<Element, Long> knownSubstitutes = new HashMap<>();
    private final Map<Element, Long> knownAttributes = new HashMap<>();

    private GrammarSizes(List<GrammarDocument> documents) {
        this.documents = documents;
        for (GrammarDocument each : documents) {
            for (String kind : List.of("simpleType", "complexType", "group", "attributeGroup", "element")) {
                for (Element definition : each.all(kind))
                    add(named, key(kind, definition.getAttribute("name")), definition);
            }
            for (Element element : each.all("element")) {
                add(substitutes, key("element", element.getAttribute("substitutionGroup")), element);
            }
        }
    }

    private static void add(Map<String, List<Element>> lists, String key, Element element) {
        if (!key.endsWith(" "))
            lists.computeIfAbsent(key, _ -> new ArrayList<>()).add(element);
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
            if (each.largest("complexType", this::attributes) > MOST_ATTRIBUTES
                    || each.largest("attributeGroup", this::attributes) > MOST_ATTRIBUTES)
                problems.add(tooLarge(each, "a type of more than " + MOST_ATTRIBUTES + " attributes"));
            if (each.largest("restriction", GrammarSizes::patterns) > 1)
                problems.add(tooLarge(
                        each,
                        "a pattern of more than " + RememberingPattern.MOST_PIECES
                                + " pieces, once what it counts is written out, or " + RememberingPattern.LONGEST
                                + " characters"));
        }
        return problems.isEmpty() ? together() : problems;
    }

    /// What all types are for the compiler, which compares what each of them has.
    private List<ConfigProblem> together() {
        List<Element> types = all("complexType");
        if (total(types, each -> square(attributes(each)))
                        + total(all("attributeGroup"), each -> square(attributes(each)))
                > MOST_COMPARED)
            return tooMuch("so many types of so many attributes that they take too long to compile");
        if (total(all("element"), this::substitutes) > MOST_SUBSTITUTES)
            return tooMuch("substitution groups of more than " + MOST_SUBSTITUTES + " elements, all taken together");
        if (total(types, each -> square(elements(each)) * places(each)) > MOST_STEPS)
            return tooMuch(
                    "so many types of so many elements, or of such substitution groups, that they take too long to"
                            + " compile");
        return List.of();
    }

    private List<Element> all(String name) {
        return documents.stream().flatMap(each -> each.all(name).stream()).toList();
    }

    private static long total(List<Element> elements, ToLongFunction<Element> size) {
        return elements.stream().mapToLong(size).reduce(0, (one, other) -> Math.min(one + other, MOST_STEPS + 1));
    }

    private static long square(long count) {
        return count * count;
    }

    private List<ConfigProblem> tooMuch(String what) {
        return List.of(tooLarge(documents.getFirst(), what));
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
                known,
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
                        .mapToLong(name -> Math.max(1, named("simpleType", name, this::members)))
                        .sum();
    }

    private long elements(Element parent) {
        return particles(parent, known, _ -> 1);
    }

    /// Its elements, with all that may stand for them.
    private long places(Element parent) {
        return particles(parent, knownPlaces, each -> {
            List<Element> meant = named.getOrDefault(key("element", each.getAttribute("ref")), List.of());
            return 1 + meant.stream().mapToLong(this::substitutes).max().orElse(0);
        });
    }

    private long particles(Element parent, Map<Element, Long> sizes, ToLongFunction<Element> size) {
        return once(
                sizes,
                parent,
                () -> XmlTrees.children(parent).stream()
                        .mapToLong(child -> switch (child.getLocalName()) {
                            case "element" -> size.applyAsLong(child);
                            case "any" -> 1;
                            case "group" ->
                                named("group", child.getAttribute("ref"), each -> particles(each, sizes, size));
                            case "extension" ->
                                named("complexType", child.getAttribute("base"), each -> particles(each, sizes, size))
                                        + particles(child, sizes, size);
                            case "sequence", "choice", "all", "complexContent", "restriction" ->
                                particles(child, sizes, size);
                            default -> 0;
                        })
                        .sum());
    }

    /// What may stand for a global element.
    private long substitutes(Element element) {
        String key = key("element", element.getAttribute("name"));
        return once(
                knownSubstitutes,
                element,
                () -> substitutes.getOrDefault(key, List.of()).stream()
                        .mapToLong(each -> 1 + substitutes(each))
                        .sum());
    }

    private long attributes(Element parent) {
        return once(
                knownAttributes,
                parent,
                () -> XmlTrees.children(parent).stream()
                        .mapToLong(child -> switch (child.getLocalName()) {
                            case "attribute" -> 1;
                            case "attributeGroup" ->
                                named("attributeGroup", child.getAttribute("ref"), this::attributes);
                            case "extension", "restriction" ->
                                named("complexType", child.getAttribute("base"), this::attributes) + attributes(child);
                            case "simpleContent", "complexContent" -> attributes(child);
                            default -> 0;
                        })
                        .sum());
    }

    /// The largest that has the name.
    private long named(String kind, String name, ToLongFunction<Element> size) {
        return named.getOrDefault(key(kind, name), List.of()).stream()
                .mapToLong(size)
                .max()
                .orElse(0);
    }

    /// @param size asked for once; what means itself, which the compiler refuses, counts nothing
    private static long once(Map<Element, Long> known, Element element, LongSupplier size) {
        Long already = known.putIfAbsent(element, 0L);
        if (already != null) return already;
        long counted = Math.min(size.getAsLong(), LARGEST);
        known.put(element, counted);
        return counted;
    }
}
