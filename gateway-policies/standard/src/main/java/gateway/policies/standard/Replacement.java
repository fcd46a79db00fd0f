package gateway.policies.standard;

import gateway.http.CanonicalPath;
import gateway.http.SentPath;
import gateway.json.ConfigNode;
import gateway.regex.Regex;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// A path with places for what the groups of a regular expression have captured: `/api/$1/${name}`.
///
/// @param text as the definition has it
record Replacement(String text, List<Part> parts) {
    private static final Pattern PLACE = Pattern.compile("\\$(?:\\{([A-Za-z0-9_]*)\\}|([0-9]+)|(\\$))?");
    private static final int MOST_DIGITS = 4;

    Replacement {
        parts = List.copyOf(parts);
    }

    sealed interface Part {
        record Literal(String text) implements Part {}

        record Group(int number) implements Part {}
    }

    static Replacement read(ConfigNode node, Regex regex) {
        String text = node.requiredText();
        var parts = new ArrayList<Part>();
        int[] end = {0};
        PLACE.matcher(text).results().forEach(place -> {
            parts.add(new Part.Literal(text.substring(end[0], place.start())));
            parts.add(part(place, regex, node));
            end[0] = place.end();
        });
        parts.add(new Part.Literal(text.substring(end[0])));
        parts.removeIf(part -> part instanceof Part.Literal(String literal) && literal.isEmpty());
        if (!text.isEmpty()) check(parts, node);
        return new Replacement(text, parts);
    }

    private static Part part(MatchResult place, Regex regex, ConfigNode node) {
        if (place.group(3) != null) return new Part.Literal("$");
        String name = place.group(1) != null ? place.group(1) : place.group(2);
        int number = name == null ? -1 : number(name, regex);
        if (number >= 0 && number <= regex.groupCount()) return new Part.Group(number);
        node.problem("expected \"$\" before a group of the expression, got \"" + place.group() + "\"; \"$$\" stands for"
                + " one \"$\"");
        return new Part.Literal("x"); // so that nothing else seems wrong
    }

    private static int number(String name, Regex regex) {
        boolean isNumber = !name.isEmpty() && name.chars().allMatch(c -> c >= '0' && c <= '9');
        if (isNumber) return name.length() > MOST_DIGITS ? -1 : Integer.parseInt(name);
        return regex.group(name).orElse(-1);
    }

    /// Whether some text in each place makes it a path.
    private static void check(List<Part> parts, ConfigNode node) {
        var sample = new StringBuilder();
        for (Part part : parts) {
            switch (part) {
                case Part.Literal(String literal) -> sample.append(literal);
                case Part.Group _ -> sample.append(sample.isEmpty() ? "/x" : "x");
            }
        }
        PathRewrite.flaw(CanonicalPath.of(sample.toString()))
                .ifPresent(flaw -> node.problem("expected a path: " + flaw));
    }

    /// @param groups where they lie in the canonical form, see [Regex#groups]
    String filled(SentPath sent, int[] groups) {
        var path = new StringBuilder();
        for (int i = 0; i < parts.size(); i++) {
            switch (parts.get(i)) {
                case Part.Literal(String literal) -> path.append(literal);
                case Part.Group(int number) -> {
                    int from = groups[2 * number];
                    if (from >= 0) path.append(sent.sent(from, groups[2 * number + 1]));
                }
            }
        }
        return path.toString();
    }

    @Override
    public String toString() {
        return text;
    }
}
