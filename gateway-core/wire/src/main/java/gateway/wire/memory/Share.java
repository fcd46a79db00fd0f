package gateway.wire.memory;

import java.util.function.LongSupplier;

/// How many bytes one connection may hold of all budgets together, however much is left in them: one client alone must
/// not take what all of them need. Used on the connection's IO thread.
public final class Share {
    private final long least;
    private final LongSupplier most;
    private long held;

    /// @param most bytes
    public Share(long most) {
        this(most, () -> most);
    }

    /// One that grows and shrinks; what is held stays when there is more of it than there may be.
    ///
    /// @param least bytes that it has at any time
    /// @param most bytes that it has now
    public Share(long least, LongSupplier most) {
        this.least = least;
        this.most = most;
    }

    boolean has(long bytes) {
        long then = held + bytes;
        return then <= least || then <= most.getAsLong();
    }

    void add(long bytes) {
        held += bytes;
    }

    /// Bytes that are held of it.
    public long held() {
        return held;
    }
}
