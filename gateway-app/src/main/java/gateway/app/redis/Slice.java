package gateway.app.redis;

import java.util.concurrent.atomic.AtomicLong;

/// Requests of one counter that this node took from Redis and spends by itself.
///
/// Those of a window are alike and end with the window. Those of a token bucket each have their own time in
/// GCRA's sequence, one interval apart, and must be spent no later: spent late they would come on top of
/// what the bucket refilled meanwhile, and over all nodes more than the limit would pass. So they are spent
/// in order and those whose time has passed are lost.
final class Slice {
    private final long size;
    private final long first; // ticks: the first token's own time; of a window, its end
    private final double interval; // nanoseconds; 0 for a window
    private final String window;
    private final AtomicLong next;

    private Slice(long size, long first, double interval, String window, long next) {
        this.size = size;
        this.first = first;
        this.interval = interval;
        this.window = window;
        this.next = new AtomicLong(next);
    }

    /// @param window names the window in Redis, to give leftovers back to
    /// @param end in ticks of this node
    static Slice ofWindow(long size, long end, String window) {
        return new Slice(size, end, 0, window, 0);
    }

    /// @param first the first token's own time in ticks of this node
    static Slice ofBucket(long size, long first, double interval) {
        return new Slice(size, first, interval, "", 0);
    }

    /// Spends one; false when none is left.
    boolean take(long now) {
        while (true) {
            long index = next.get();
            long usable = usable(index, now);
            if (usable >= size) return false;
            if (next.compareAndSet(index, usable + 1)) return true;
        }
    }

    /// Spends as many as there are, `most` at most.
    ///
    /// @return how many
    long take(long now, long most) {
        while (true) {
            long index = next.get();
            long usable = usable(index, now);
            long taken = Math.min(most, size - usable);
            if (taken <= 0) return 0;
            if (next.compareAndSet(index, usable + taken)) return taken;
        }
    }

    /// Takes back so many that were just taken and not spent after all; they are lost when the time of one has passed.
    void untake(long now, long taken) {
        while (true) {
            long index = next.get();
            if (index < taken || usable(index - taken, now) != index - taken) return;
            if (next.compareAndSet(index, index - taken)) return;
        }
    }

    long left(long now) {
        return Math.max(0, size - usable(next.get(), now));
    }

    /// Whether half of it is gone.
    boolean low(long now) {
        return 2 * left(now) <= size;
    }

    /// Ends it.
    ///
    /// @return what was left, to be given back
    Slice drain() {
        return new Slice(size, first, interval, window, next.getAndSet(size));
    }

    String window() {
        return window;
    }

    private long usable(long index, long now) {
        if (interval == 0) return now - first < 0 ? index : size;
        long late = now - first;
        return late <= 0 ? index : Math.max(index, (long) Math.ceil(late / interval));
    }
}
