package gateway.json;

/// One thing wrong with a piece of configuration: where (an RFC 6901 JSON pointer, `""` for the whole document)
/// and what was expected and what came.
public record ConfigProblem(String pointer, String message) {
    @Override
    public String toString() {
        return (pointer.isEmpty() ? "/" : pointer) + ": " + message;
    }
}
