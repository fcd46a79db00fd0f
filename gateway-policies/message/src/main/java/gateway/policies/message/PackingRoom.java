package gateway.policies.message;

import java.util.concurrent.atomic.AtomicInteger;

/// How many answers may be packed at once in this process: so many that they take a quarter of the memory for bodies,
/// which is an eighth of the heap. With more of it gone, requests would be refused for want of memory that only makes
/// answers shorter.
final class PackingRoom {
    private static final long SHARE = 32;

    private final AtomicInteger left;

    PackingRoom(int most) {
        this.left = new AtomicInteger(most);
    }

    static PackingRoom ofHeap() {
        long most = Runtime.getRuntime().maxMemory() / SHARE / GzipPieces.MEMORY;
        return new PackingRoom(Math.clamp(most, 1, Integer.MAX_VALUE));
    }

    /// One place, unless all are taken.
    boolean take() {
        if (left.decrementAndGet() >= 0) return true;
        left.incrementAndGet();
        return false;
    }

    void giveBack() {
        left.incrementAndGet();
    }

    /// What policies find it by: there is one for all.
    record Id() {}
}
