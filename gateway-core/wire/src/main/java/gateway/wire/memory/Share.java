package gateway.wire.memory;

/// How many bytes one connection may hold of all budgets together, however much is left in them: one client alone must
/// not take what all of them need. Used on the connection's IO thread.
public final class Share {
    private final long most;
    private long held;

    /// @param most bytes
    public Share(long most) {
        this.most = most;
    }

    boolean has(long bytes) {
        return held + bytes <= most;
    }

    void add(long bytes) {
        held += bytes;
    }

    /// Bytes that are held of it.
    public long held() {
        return held;
    }
}
