package gateway.app.steering;

import gateway.config.BulkheadDefinition;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// Bounds the requests that one upstream has at once, and those that wait for it: a slow upstream cannot take the whole
/// gateway with it.
public final class Bulkhead {
    private final BulkheadDefinition definition;
    private final Semaphore places;
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicLong refused = new AtomicLong();

    public Bulkhead(BulkheadDefinition definition) {
        this.definition = definition;
        this.places = new Semaphore(definition.requests(), true);
    }

    /// Takes a place, which [#leave] gives back. Blocks the request thread while others have them all.
    ///
    /// @return false when there is none, and no room or no time to wait
    public boolean enter() {
        if (waiting.get() == 0 && places.tryAcquire()) return true;
        if (waited()) return true;
        refused.incrementAndGet();
        return false;
    }

    private boolean waited() {
        try {
            if (waiting.incrementAndGet() > definition.queue()) return false;
            return places.tryAcquire(definition.maxWait().toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            waiting.decrementAndGet();
        }
    }

    public void leave() {
        places.release();
    }

    public int inFlight() {
        return definition.requests() - places.availablePermits();
    }

    public int waiting() {
        return waiting.get();
    }

    /// Requests that found no place.
    public long refused() {
        return refused.get();
    }
}
