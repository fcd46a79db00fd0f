package gateway.app.traffic;

import java.util.concurrent.atomic.AtomicLong;

/// Counters of the sinks; written by the shipper's thread, read by any. [TrafficCounts] says what they mean.
final class SinkCounts {
    private final AtomicLong recovered = new AtomicLong();
    private final AtomicLong indexed = new AtomicLong();
    private final AtomicLong replayed = new AtomicLong();
    private final AtomicLong rejected = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();

    long recovered() {
        return recovered.get();
    }

    long indexed() {
        return indexed.get();
    }

    long replayed() {
        return replayed.get();
    }

    long rejected() {
        return rejected.get();
    }

    long dropped() {
        return dropped.get();
    }

    void recovered(long soFar) {
        recovered.set(soFar);
    }

    void addIndexed(long count) {
        indexed.addAndGet(count);
    }

    void addReplayed(long count) {
        replayed.addAndGet(count);
    }

    void addRejected(long count) {
        rejected.addAndGet(count);
    }

    void addDropped(long count) {
        dropped.addAndGet(count);
    }
}
