package gateway.policies.message.xml;

import gateway.json.ConfigNode;

/// What a validator may be made to work for, and how much is told of what does not hold.
///
/// @param errors that are told
/// @param text most characters of a value, where the schemas match values with patterns: the time that takes grows
///     with the square of them
/// @param keys most elements that are compared with each other, where the schemas have keys: the time that takes grows
///     with the square of them
record XmlBounds(int errors, int text, int keys) {
    private static final int LARGEST = 1_000_000;

    static XmlBounds read(ConfigNode node) {
        return new XmlBounds(
                (int) node.field("errors", "most that are told").integer(1, 100, 20),
                (int) node.field("text", "most characters of a value, where the schemas have patterns")
                        .integer(1, LARGEST, 1000),
                (int) node.field("keys", "most elements that `xs:key`, `xs:unique` and `xs:keyref` select")
                        .integer(1, LARGEST, 2000));
    }
}
