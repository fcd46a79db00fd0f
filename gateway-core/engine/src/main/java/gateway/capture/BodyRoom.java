package gateway.capture;

import java.util.concurrent.atomic.AtomicLong;

/// Memory for captured bodies, from their first byte until they are written: bounded, whatever clients send and however
/// slowly they do. A body that finds no room is left out of its record; nobody waits.
public final class BodyRoom {
    private final AtomicLong free;

    /// @param bytes most that all captured bodies take together
    public BodyRoom(long bytes) {
        this.free = new AtomicLong(bytes);
    }

    /// Bytes that nobody holds just now.
    public long free() {
        return free.get();
    }

    boolean take(int bytes) {
        if (free.addAndGet(-bytes) >= 0) return true;
        free.addAndGet(bytes);
        return false;
    }

    void give(int bytes) {
        if (bytes > 0) free.addAndGet(bytes);
    }
}
