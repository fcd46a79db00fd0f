package gateway.component;

/// A request that asks for nothing that there is.
final class MalformedException extends RuntimeException {
    private final String detail;

    MalformedException(String expected) {
        super("expected " + expected, null, false, false);
        this.detail = "expected " + expected;
    }

    /// What was expected.
    String detail() {
        return detail;
    }
}
