package gateway.app.server;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.xnio.XnioIoThread;

/// Requests that wait for a place, first come, first served. One timer watches the longest waiting: all wait equally
/// long, so it is the first whose time is over.
final class WaitingRoom {
    private final int most;
    private final long patience;
    private final Queue<WaitingRequest> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger(); // never less than are in the queue
    private final AtomicBoolean watched = new AtomicBoolean();

    WaitingRoom(WaitingLimits limits) {
        this.most = limits.most();
        this.patience = limits.patience().toNanos();
    }

    boolean isFull() {
        return count.get() >= most;
    }

    int count() {
        return count.get();
    }

    /// Whether [#next] would find nobody; one may be at the door, who is counted already.
    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /// The current thread joins the queue; it has yet to wait.
    ///
    /// @return null when there is no room
    @Nullable
    WaitingRequest join(XnioIoThread io) {
        if (most == 0) return null;
        if (count.incrementAndGet() > most) {
            count.decrementAndGet();
            return null;
        }
        var joined = new WaitingRequest(io, System.nanoTime() + patience);
        waiting.add(joined);
        watch(io, patience);
        return joined;
    }

    /// Takes the one who has waited longest from the queue; null when there is none.
    @Nullable
    WaitingRequest next() {
        WaitingRequest next = waiting.poll();
        if (next != null) count.decrementAndGet();
        return next;
    }

    /// Nobody waits any longer.
    void clear() {
        for (WaitingRequest each = next(); each != null; each = next()) each.turnAway();
    }

    private void watch(XnioIoThread io, long nanos) {
        if (!watched.get() && watched.compareAndSet(false, true)) arm(io, nanos);
    }

    private void arm(XnioIoThread io, long nanos) {
        io.executeAfter(() -> sweep(io), TimeUnit.NANOSECONDS.toMillis(nanos) + 1, TimeUnit.MILLISECONDS);
    }

    private void sweep(XnioIoThread io) {
        long now = System.nanoTime();
        WaitingRequest first = waiting.peek();
        while (first != null && first.left(now) <= 0) {
            if (waiting.remove(first)) { // else it has been let in meanwhile
                count.decrementAndGet();
                first.turnAway();
            }
            first = waiting.peek();
        }
        if (first != null) {
            arm(io, first.left(now));
            return;
        }
        watched.set(false);
        WaitingRequest late = waiting.peek();
        if (late != null) watch(io, late.left(now));
    }
}
