package gateway.policies.message.xml;

import gateway.json.ConfigNode;
import java.time.Duration;

/// What a validator may be made to work for, and how much is told of what does not hold.
///
/// @param errors that are told
/// @param text most characters of a value, where the schemas match values with patterns, whose time grows with the
///     square of them, or have lists of types of their own
/// @param keys most elements that are compared with each other, where the schemas have keys: the time that takes grows
///     with the square of them
/// @param timeout most time that one validation takes
record XmlBounds(int errors, int text, int keys, Duration timeout) {
    private static final int LARGEST = 1_000_000;

    static XmlBounds read(ConfigNode node) {
        return new XmlBounds(
                (int) node.field("errors", "most that are told").integer(1, 100, 20),
                (int) node.field(
                                "text",
                                "most characters of a value, where the schemas have patterns or lists of types of their own")
                        .integer(1, LARGEST, 1000),
                (int) node.field("keys", "most elements that `xs:key`, `xs:unique` and `xs:keyref` select")
                        .integer(1, LARGEST, 2000),
                node.field("timeout", "most time that one validation takes")
                        .duration(Duration.ofMillis(10), Duration.ofSeconds(30), Duration.ofSeconds(2)));
    }
}
