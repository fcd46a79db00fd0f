package gateway.policies.message.openapi;

import java.util.Set;

/// How one field of a form is written.
///
/// @param json whether its text is JSON
/// @param types media types that its part may have; empty: any
record FieldWriting(StyledTexts texts, boolean json, Set<String> types) {
    FieldWriting {
        types = Set.copyOf(types);
    }

    /// As browsers write it.
    static FieldWriting usual(String name) {
        return new FieldWriting(new StyledTexts(ParameterStyle.FORM, true, name), false, Set.of());
    }

    boolean takes(String type) {
        return types.isEmpty()
                || types.contains(type)
                || types.contains("*/*")
                || types.contains(type.replaceFirst("/.*", "/*"))
                || (type.isEmpty() && types.contains("text/plain"));
    }
}
