package gateway.policies.message.openapi;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One segment of a path in a document: literal, a parameter, or both in turn as in `{name}.{format}`.
///
/// @param literals what stands around the parameters: one more than there are, the first and the last may be empty
/// @param names of the parameters
record TemplateSegment(List<String> literals, List<String> names) {
    TemplateSegment {
        literals = List.copyOf(literals);
        names = List.copyOf(names);
    }

    /// Empty when braces do not match, or when two parameters touch.
    static Optional<TemplateSegment> of(String text) {
        var literals = new ArrayList<String>();
        var names = new ArrayList<String>();
        int from = 0;
        for (int open = text.indexOf('{'); open >= 0; open = text.indexOf('{', from)) {
            int close = text.indexOf('}', open);
            boolean touches = !names.isEmpty() && open == from;
            if (close < open + 2 || touches) return Optional.empty();
            literals.add(text.substring(from, open));
            names.add(text.substring(open + 1, close));
            from = close + 1;
        }
        literals.add(text.substring(from));
        boolean plain = literals.stream().noneMatch(each -> each.indexOf('{') >= 0 || each.indexOf('}') >= 0);
        return plain ? Optional.of(new TemplateSegment(literals, names)) : Optional.empty();
    }

    boolean isLiteral() {
        return names.isEmpty();
    }

    /// Whether nothing stands beside its one parameter.
    boolean isWhole() {
        return names.size() == 1
                && literals.getFirst().isEmpty()
                && literals.getLast().isEmpty();
    }

    /// The same for all that match the same.
    String form() {
        return String.join("{}", literals);
    }

    boolean matches(String segment) {
        return isWhole() ? !segment.isEmpty() : !values(segment).isEmpty();
    }

    /// What the parameters are in `segment`; empty when it does not match. Each takes as little as it can.
    List<String> values(String segment) {
        if (!segment.startsWith(literals.getFirst())) return List.of();
        var values = new ArrayList<String>();
        int from = literals.getFirst().length();
        for (int i = 0; i < names.size(); i++) {
            String after = literals.get(i + 1);
            boolean last = i == names.size() - 1;
            int to = last ? segment.length() - after.length() : segment.indexOf(after, from + 1);
            if (to <= from || !segment.startsWith(after, to)) return List.of();
            values.add(segment.substring(from, to));
            from = to + after.length();
        }
        return values;
    }
}
