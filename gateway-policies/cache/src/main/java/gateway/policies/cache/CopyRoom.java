package gateway.policies.cache;

import java.util.concurrent.atomic.AtomicLong;

/// Bytes that copies for the cache may take at once in this process: a quarter of the memory for bodies, which is an
/// eighth of the heap. With more of it gone, requests would be refused for want of memory that only saves others a
/// question.
final class CopyRoom {
    /// One for the process.
    record Id() {}

    private static final long SHARE = 32;

    private final AtomicLong left;

    CopyRoom(long bytes) {
        this.left = new AtomicLong(bytes);
    }

    static CopyRoom ofHeap() {
        return new CopyRoom(Runtime.getRuntime().maxMemory() / SHARE);
    }

    /// Whether there is room for `bytes` more, which are taken then.
    boolean take(int bytes) {
        if (left.addAndGet(-bytes) >= 0) return true;
        left.addAndGet(bytes);
        return false;
    }

    void giveBack(int bytes) {
        left.addAndGet(bytes);
    }
}
