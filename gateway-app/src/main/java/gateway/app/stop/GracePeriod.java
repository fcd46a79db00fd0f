package gateway.app.stop;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/// How long a part may take to end. It may be shortened, before the end begins or within it: a second signal hurries.
public final class GracePeriod {
    private static final long GLANCE = TimeUnit.MILLISECONDS.toNanos(20); // how soon shortening is noticed

    private long nanos;
    private long deadline;
    private boolean begun;

    public GracePeriod(Duration most) {
        this.nanos = most.toNanos();
    }

    /// The end begins, and with it the time. Again: does nothing.
    public synchronized void begin() {
        if (begun) return;
        begun = true;
        deadline = System.nanoTime() + nanos;
    }

    /// From now on, or from the beginning of the end, no more than `most`.
    public synchronized void shorten(Duration most) {
        nanos = Math.min(nanos, most.toNanos());
        if (!begun) return;
        long sooner = System.nanoTime() + nanos;
        if (sooner - deadline < 0) deadline = sooner;
    }

    /// Whether the time is over; never before the end has begun.
    public synchronized boolean isOver() {
        return begun && System.nanoTime() - deadline >= 0;
    }

    /// Begins, and waits for the end of `thread`.
    ///
    /// @return whether it has ended in time
    public boolean join(Thread thread) throws InterruptedException {
        begin();
        while (!thread.join(Duration.ofNanos(glance()))) if (isOver()) return false;
        return true;
    }

    /// Begins, and waits for the end of `threads`, which are shut down.
    ///
    /// @return whether they have ended in time
    public boolean join(ExecutorService threads) throws InterruptedException {
        begin();
        while (!threads.awaitTermination(glance(), TimeUnit.NANOSECONDS)) if (isOver()) return false;
        return true;
    }

    /// What is left of it; all of it before the end has begun.
    public synchronized Duration left() {
        return Duration.ofNanos(begun ? Math.max(0, deadline - System.nanoTime()) : nanos);
    }

    private synchronized long glance() {
        return Math.clamp(deadline - System.nanoTime(), 1, GLANCE);
    }
}
