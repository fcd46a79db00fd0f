package gateway.policies.message.openapi;

import gateway.json.Json;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// As what texts are read, by the schema that the value is looked at with: `5` is a number where that wants one.
///
/// @param kinds what the value may be; never empty
/// @param members of an object, by name
/// @param elements of an array, and members of an object that are not named; empty: texts
record ValueShape(Set<ValueKind> kinds, Map<String, ValueShape> members, List<ValueShape> elements) {
    static final ValueShape TEXT = new ValueShape(Set.of(ValueKind.TEXT), Map.of(), List.of());

    private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]{1,9})?");
    private static final int LONGEST_NUMBER = 100; // as in bodies

    ValueShape {
        kinds = Set.copyOf(kinds);
        members = Map.copyOf(members);
        elements = List.copyOf(elements);
    }

    boolean may(ValueKind kind) {
        return kinds.contains(kind);
    }

    ValueShape element() {
        return elements.isEmpty() ? TEXT : elements.getFirst();
    }

    ValueShape member(String name) {
        return members.getOrDefault(name, element());
    }

    /// Whether one text may be read as two things.
    boolean isAmbiguous() {
        return (may(ValueKind.TEXT) && (may(ValueKind.NUMBER) || may(ValueKind.BOOLEAN)))
                || elements.stream().anyMatch(ValueShape::isAmbiguous)
                || members.values().stream().anyMatch(ValueShape::isAmbiguous);
    }

    /// One text that is no array and no object.
    ///
    /// @param textFirst whether it stays a text wherever it may be one
    JsonNode read(String text, boolean textFirst) {
        if (!textFirst || !may(ValueKind.TEXT)) {
            if (may(ValueKind.NUMBER)
                    && text.length() <= LONGEST_NUMBER
                    && NUMBER.matcher(text).matches()) return number(text);
            if (may(ValueKind.BOOLEAN) && (text.equals("true") || text.equals("false")))
                return Json.mapper().getNodeFactory().booleanNode(text.equals("true"));
        }
        return Json.mapper().getNodeFactory().stringNode(text);
    }

    private static JsonNode number(String text) {
        boolean whole = text.chars().allMatch(each -> each == '-' || (each >= '0' && each <= '9'));
        return whole
                ? Json.mapper().getNodeFactory().numberNode(new BigInteger(text))
                : Json.mapper().getNodeFactory().numberNode(new BigDecimal(text));
    }
}
