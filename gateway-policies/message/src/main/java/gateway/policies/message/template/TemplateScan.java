package gateway.policies.message.template;

import gateway.json.Suggestion;
import gateway.policy.KnownValues;
import gateway.policy.PlaceInText;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// One look at the text of a template: which values it names, where they go, and what is wrong with it. Taken are
/// variables, sections and comments alone: nothing unescaped, no other templates, no other delimiters.
final class TemplateScan {
    private static final Pattern NAME =
            Pattern.compile("\\.|-first|-last|-index|[A-Za-z0-9_-]{1,100}(\\.[A-Za-z0-9_-]{1,100}){0,31}");
    private static final int DEEPEST = 16;
    private static final List<String> ROOTS = List.of(
            "request",
            "response",
            "client",
            "certificate",
            "key",
            "api",
            "claims",
            "var",
            "fact",
            "body",
            "time",
            "random");
    /// Those of [#ROOTS] whose values are what callers, services and policies call them.
    private static final Set<String> OPEN_ROOTS = Set.of("claims", "var", "fact", "body");
    /// Values that have a name more, such as `request.header.Accept`.
    private static final List<String> NAMED = List.of(
            "request.header", "request.query", "request.cookie", "request.path", "response.header", "key.metadata");

    private final PlaceInText place;
    private final StringBuilder compiled = new StringBuilder();
    private final Deque<Opened> sections = new ArrayDeque<>();
    private final Set<String> roots = new HashSet<>();
    private final List<String> problems = new ArrayList<>();

    /// @param state of the text where the section began
    private record Opened(String name, PlaceInText.State state) {}

    private TemplateScan(TemplateKind kind, String text) {
        this.place = new PlaceInText(kind.place(), text);
        place.flaw().ifPresent(problems::add);
    }

    static TemplateScan of(String text, TemplateKind kind) {
        var scan = new TemplateScan(kind, text);
        int at = 0;
        while (at < text.length()) {
            int open = text.indexOf("{{", at);
            int close = open < 0 ? -1 : text.indexOf("}}", open);
            scan.literal(text.substring(at, open < 0 ? text.length() : open));
            if (open < 0) break;
            if (close < 0) {
                scan.problems.add("expected \"}}\" after \"{{\"");
                break;
            }
            scan.tag(text.substring(open + 2, close));
            at = close + 2;
        }
        for (Opened each : scan.sections) scan.problems.add("expected {{/" + each.name() + "}} behind its section");
        return scan;
    }

    /// The text as it is compiled: in JSON, a value that is no part of a string is written whole, with quotes of its
    /// own where it is a text.
    String compiled() {
        return compiled.toString();
    }

    /// Whether it names the content of the message itself.
    boolean usesBody() {
        return roots.contains("body");
    }

    List<String> problems() {
        return problems;
    }

    private void literal(String text) {
        compiled.append(text);
        place.pass(text);
    }

    private void tag(String tag) {
        char first = tag.isEmpty() ? ' ' : tag.charAt(0);
        if (first == '!') return; // a comment
        boolean section = first == '#' || first == '^' || first == '/';
        String name = tag.substring(section ? 1 : 0).strip();
        if (!NAME.matcher(name).matches()) {
            problems.add("expected a name, or # ^ / ! and a name, between \"{{\" and \"}}\", got \"" + tag + "\"");
            return;
        }
        switch (first) {
            case '#', '^' -> open(name);
            case '/' -> close(name);
            default -> variable(name);
        }
        boolean whole = !section && place.takesWhole();
        compiled.append("{{").append(whole ? "&" : "").append(tag).append("}}");
    }

    private void variable(String name) {
        root(name);
        if (!place.takesWhole()) place.flaw("{{" + name + "}}").ifPresent(problems::add);
    }

    private void open(String name) {
        root(name);
        sections.push(new Opened(name, place.state()));
        if (sections.size() > DEEPEST) problems.add("expected at most " + DEEPEST + " sections in each other");
    }

    private void close(String name) {
        if (sections.isEmpty() || !sections.peek().name().equals(name)) {
            problems.add("expected no {{/" + name + "}} here");
            return;
        }
        if (!place.joins(sections.pop().state()))
            problems.add("expected quotes and tags to end within the section " + name + " that they begin in");
    }

    private void root(String name) {
        String[] parts = name.split("\\.", -1);
        String root = parts[0];
        roots.add(root);
        if (!sections.isEmpty() || OPEN_ROOTS.contains(root)) return;
        if (!ROOTS.contains(root)) {
            unknown(name, root, ROOTS);
            return;
        }
        if (parts.length == 1) return; // a section, in which its values go by their names alone
        String value = root + '.' + parts[1];
        boolean named = NAMED.contains(value) && parts.length <= 3;
        if (named || (parts.length == 2 && KnownValues.byName(value).isPresent())) return;
        unknown(
                name,
                value,
                Stream.concat(KnownValues.names().stream(), NAMED.stream())
                        .filter(each -> each.startsWith(root + '.'))
                        .distinct()
                        .toList());
    }

    private void unknown(String name, String meant, List<String> known) {
        String help = Suggestion.nearest(meant, known)
                .filter(near -> !near.equals(meant))
                .map(near -> "; did you mean \"" + near + "\"?")
                .orElse("; known are " + String.join(", ", known));
        problems.add("unknown value \"" + name + "\"" + help);
    }
}
