package gateway.policies.message;

import java.util.concurrent.atomic.AtomicLong;

/// The memory for answers that are packed at once in this process: a quarter of the memory for bodies, which is an
/// eighth of the heap. With more of it gone, requests would be refused for want of memory that only makes answers
/// shorter. Half of it is gzip's alone, which takes a fraction of what others do.
final class PackingRoom {
    private static final long SHARE = 32;

    private final long gzips;
    private final AtomicLong left;

    PackingRoom(long most) {
        this.gzips = most / 2;
        this.left = new AtomicLong(most);
    }

    static PackingRoom ofHeap() {
        return new PackingRoom(Math.max(Runtime.getRuntime().maxMemory() / SHARE, 2L * GzipPacker.MEMORY));
    }

    /// A place for one answer, unless there is none.
    boolean take(Packing packing) {
        long kept = packing == Packing.GZIP ? 0 : gzips;
        if (left.addAndGet(-packing.memory()) >= kept) return true;
        giveBack(packing);
        return false;
    }

    void giveBack(Packing packing) {
        left.addAndGet(packing.memory());
    }

    /// What policies find it by: there is one for all.
    record Id() {}
}
