package gateway.app.server;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/// Bounds the requests in flight, and tells when the last one has left.
final class Admission {
    private final int most;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final LongAdder refused = new LongAdder();
    private volatile boolean draining;

    Admission(int most) {
        this.most = most;
    }

    /// Whether one more request may enter; if so, [#leave] follows.
    boolean enter() {
        if (inFlight.incrementAndGet() <= most) return true;
        inFlight.decrementAndGet();
        refused.increment();
        return false;
    }

    /// Lets in a request that will only be told that it was refused.
    void enterAnyway() {
        inFlight.incrementAndGet();
    }

    void leave() {
        inFlight.decrementAndGet();
    }

    /// From now on every answer is the last one of its connection.
    void drain() {
        draining = true;
    }

    boolean isDraining() {
        return draining;
    }

    int inFlight() {
        return inFlight.get();
    }

    long refused() {
        return refused.sum();
    }
}
