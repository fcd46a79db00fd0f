package gateway.policies.message.schema;

/// What is wrong with a value: never the value itself.
///
/// @param pointer to it (RFC 6901)
/// @param keyword that does not hold, such as `minimum`
/// @param expected in words of the schema, such as `at least 3`
public record Finding(String pointer, String keyword, String expected) {
    @Override
    public String toString() {
        return (pointer.isEmpty() ? "/" : pointer) + ": " + keyword + ": expected " + expected;
    }
}
