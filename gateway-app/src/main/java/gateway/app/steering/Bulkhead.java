package gateway.app.steering;

import gateway.config.BulkheadDefinition;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Bounds the requests that one upstream has at once, and those that wait for it, first come, first served: a slow
/// upstream cannot take the whole gateway with it. Who waits may leave at any time and takes no room from then on.
public final class Bulkhead {
    private final BulkheadDefinition definition;
    private final AtomicInteger free;
    private final Queue<Waiter> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger(); // never less than are in the queue
    private final AtomicLong refused = new AtomicLong();

    public Bulkhead(BulkheadDefinition definition) {
        this.definition = definition;
        this.free = new AtomicInteger(definition.requests());
    }

    /// Takes a place, which [#leave] gives back, when one is free that nobody waits for.
    public boolean enter() {
        return waiting.get() == 0 && taken(free);
    }

    /// The current thread joins those that wait for a place.
    ///
    /// @param waking runs what wakes the thread, away from the thread that gives the place up
    /// @return null when there is no room
    @Nullable
    public Waiter join(Executor waking) {
        if (!hasRoom()) {
            refused.incrementAndGet();
            return null;
        }
        var joined = new Waiter(this, definition.maxWait().toNanos(), waking);
        queue.add(joined);
        handOut();
        return joined;
    }

    private boolean hasRoom() {
        int now = waiting.get();
        while (now < definition.queue()) {
            if (waiting.compareAndSet(now, now + 1)) return true;
            now = waiting.get();
        }
        return false;
    }

    public void leave() {
        free.incrementAndGet();
        handOut();
    }

    /// Gives free places to those who wait. Whoever frees a place and whoever joins does it after that, so none of them
    /// misses the other.
    private void handOut() {
        while (!queue.isEmpty() && taken(free)) {
            Waiter first = queue.poll();
            if (first != null && first.admitted()) waiting.decrementAndGet();
            else free.incrementAndGet();
        }
    }

    private static boolean taken(AtomicInteger places) {
        int now = places.get();
        while (now > 0) {
            if (places.compareAndSet(now, now - 1)) return true;
            now = places.get();
        }
        return false;
    }

    /// `waiter` waits no longer and has no place.
    void gone(Waiter waiter, boolean late) {
        queue.remove(waiter);
        waiting.decrementAndGet();
        if (late) refused.incrementAndGet();
    }

    public int inFlight() {
        return definition.requests() - free.get();
    }

    public int waiting() {
        return waiting.get();
    }

    /// Requests that found no place, nor one in time.
    public long refused() {
        return refused.get();
    }
}
