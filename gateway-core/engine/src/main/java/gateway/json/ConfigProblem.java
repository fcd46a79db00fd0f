package gateway.json;

/// One thing wrong with a piece of configuration, or with a message: where (an RFC 6901 JSON pointer, `""` for the
/// whole document) and what was expected and what came.
///
/// @param message of a longer one, which holds a long value, the middle is left out
/// @param in which part of a message the pointer leads into, such as `query`; empty: there is but one document
public record ConfigProblem(String pointer, String message, String in) {
    private static final int LONGEST_END = 1_000;

    public ConfigProblem {
        message = TextCut.ends(message, LONGEST_END);
    }

    public ConfigProblem(String pointer, String message) {
        this(pointer, message, "");
    }

    @Override
    public String toString() {
        return in + (pointer.isEmpty() ? "/" : pointer) + ": " + message;
    }
}
