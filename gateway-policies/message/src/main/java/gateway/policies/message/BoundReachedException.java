package gateway.policies.message;

/// Work on a message reaches one of its bounds: it takes more, or more comes of it, than may. Without a stack trace,
/// since whoever sends the message should not make one.
public final class BoundReachedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// @param expected what it may be, to be said after "expected"
    public BoundReachedException(String expected) {
        super(expected, null, false, false);
    }
}
