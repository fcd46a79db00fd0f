package gateway.app.log;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/// Lets one line of each kind pass in a while and counts the others: what clients can provoke must not fill a disk.
/// Takes no lock. Kinds beyond the first 256 share one pace.
public final class Pace {
    /// What [#enter] answers for a line that must not be written.
    public static final long SUPPRESSED = -1;

    private static final int MOST_KINDS = 256;

    private final long quietNanos;
    private final LongSupplier nanos;
    private final ConcurrentHashMap<String, Kind> kinds = new ConcurrentHashMap<>();
    private final Kind others = new Kind();

    /// @param nanos a tick source
    public Pace(Duration quiet, LongSupplier nanos) {
        this.quietNanos = quiet.toNanos();
        this.nanos = nanos;
    }

    public static Pace ofOneASecond() {
        return new Pace(Duration.ofSeconds(1), System::nanoTime);
    }

    /// How many lines of this kind were held back since the last one that passed; [#SUPPRESSED] when this one is too.
    public long enter(String kind) {
        return kind(kind).enter(nanos.getAsLong(), quietNanos);
    }

    private Kind kind(String name) {
        Kind known = kinds.get(name);
        if (known != null) return known;
        if (kinds.size() >= MOST_KINDS) return others;
        return kinds.computeIfAbsent(name, absent -> new Kind());
    }

    private static final class Kind {
        private static final long NEVER = Long.MIN_VALUE;
        private final AtomicLong last = new AtomicLong(NEVER);
        private final LongAdder heldBack = new LongAdder();

        long enter(long now, long quiet) {
            long before = last.get();
            if ((before != NEVER && now - before < quiet) || !last.compareAndSet(before, now)) {
                heldBack.increment();
                return SUPPRESSED;
            }
            return heldBack.sumThenReset();
        }
    }
}
