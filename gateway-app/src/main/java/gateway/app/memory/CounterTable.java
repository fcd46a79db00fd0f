package gateway.app.memory;

import java.util.Iterator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The counters by name, never many more than `most`.
///
/// When one more is needed, the one among some 32 that protects least makes room (see [CounterValue#worth]), those
/// that are not durable first. So to rid itself of one spent counter, a flood has to leave `most` others that
/// hold back more.
final class CounterTable {
    private static final int SAMPLE = 32;
    private static final int LONGEST_SAMPLE = 256; // while only durable ones were met
    private static final int MOST_DROPPED = 8; // for one new counter: whoever makes room is a request
    private static final double DURABLE = 1e30; // worth more than any that is not

    private final int most;
    private final ConcurrentHashMap<String, Counter> counters = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();
    private final AtomicLong displaced = new AtomicLong();
    private final ReentrantLock hand = new ReentrantLock();
    private Iterator<Counter> next = counters.values().iterator(); // guarded by hand

    CounterTable(int most) {
        this.most = most;
    }

    @Nullable
    Counter find(String name) {
        return counters.get(name);
    }

    Counter counter(String name, long now) {
        Counter found = counters.get(name);
        if (found != null) return found;
        if (counters.mappingCount() >= most) makeRoom(now);
        return counters.computeIfAbsent(name, absent -> new Counter(absent, numbers.getAndIncrement()));
    }

    Iterable<Counter> all() {
        return counters.values();
    }

    long size() {
        return counters.mappingCount();
    }

    /// How many counters had to go while they still counted something.
    long displaced() {
        return displaced.get();
    }

    /// Drops counters that equal fresh ones, looking at `share` of them from where the last sweep ended.
    void sweep(long now, int share) {
        hand.lock();
        try {
            for (int i = 0; i < share && !counters.isEmpty(); i++) {
                Counter counter = step();
                if (counter == null) return;
                if (worth(counter, now) == 0) drop(counter, now, 0);
            }
        } finally {
            hand.unlock();
        }
    }

    private void makeRoom(long now) {
        if (!hand.tryLock()) return; // another makes room; one more counter does no harm
        try {
            for (int i = 0; i < MOST_DROPPED && counters.mappingCount() >= most; i++) {
                Counter least = least(now);
                if (least == null) return;
                drop(least, now, Double.MAX_VALUE);
            }
        } finally {
            hand.unlock();
        }
    }

    private @Nullable Counter least(long now) {
        Counter least = null;
        double lowest = Double.MAX_VALUE;
        for (int i = 0; lowest > 0 && i < (lowest < DURABLE ? SAMPLE : LONGEST_SAMPLE); i++) {
            Counter counter = step();
            if (counter == null) return least;
            double worth = worth(counter, now);
            if (least != null && worth >= lowest) continue;
            least = counter;
            lowest = worth;
        }
        return least;
    }

    private @Nullable Counter step() {
        if (!next.hasNext()) next = counters.values().iterator();
        return next.hasNext() ? next.next() : null;
    }

    private static double worth(Counter counter, long now) {
        counter.lock();
        try {
            double worth = counter.tally().worth(now);
            return worth > 0 && counter.durable() ? worth + DURABLE : worth;
        } finally {
            counter.unlock();
        }
    }

    private void drop(Counter counter, long now, double highest) {
        counter.lock();
        try {
            double worth = counter.tally().worth(now);
            if (worth > highest) return;
            counter.drop();
            counters.remove(counter.name(), counter);
            if (worth > 0) displaced.incrementAndGet();
        } finally {
            counter.unlock();
        }
    }
}
