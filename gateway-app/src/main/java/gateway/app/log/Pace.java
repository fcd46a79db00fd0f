package gateway.app.log;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/// Lets one line of each kind pass in a while and counts the others: what clients can provoke must not fill a disk.
/// Takes no lock. Of 256 kinds at most something is remembered, the others share one pace; a kind that has not come for
/// a minute makes room.
public final class Pace {
    /// What [#enter] answers for a line that must not be written.
    public static final long SUPPRESSED = -1;

    private static final int MOST_KINDS = 256;
    private static final int LONGEST_NAME = 512;
    private static final long FORGOTTEN_AFTER = Duration.ofMinutes(1).toNanos();

    private final long quietNanos;
    private final LongSupplier nanos;
    private final ConcurrentHashMap<String, Kind> kinds = new ConcurrentHashMap<>();
    private final AtomicInteger places = new AtomicInteger(); // taken in `kinds`
    private final Kind others = new Kind();
    private final Kind sweep = new Kind(); // of forgetting, which goes through all of them

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
        long now = nanos.getAsLong();
        String name = kind.length() > LONGEST_NAME ? kind.substring(0, LONGEST_NAME) : kind;
        Kind known = kinds.get(name);
        return (known == null ? added(name, now) : known).enter(now, quietNanos);
    }

    private Kind added(String name, long now) {
        if (places.get() >= MOST_KINDS && sweep.enter(now, quietNanos) != SUPPRESSED) forgetIdle(now);
        if (places.getAndUpdate(taken -> Math.min(taken + 1, MOST_KINDS)) >= MOST_KINDS) return others;
        var fresh = new Kind();
        Kind other = kinds.putIfAbsent(name, fresh);
        if (other == null) return fresh;
        places.decrementAndGet();
        return other;
    }

    private void forgetIdle(long now) {
        kinds.forEach((name, kind) -> {
            if (!kind.isIdle(now) || !kinds.remove(name, kind)) return;
            places.decrementAndGet();
            others.heldBack.add(kind.heldBack.sum());
        });
    }

    private static final class Kind {
        private static final long NEVER = Long.MIN_VALUE;
        private final AtomicLong last = new AtomicLong(NEVER);
        private final LongAdder heldBack = new LongAdder();

        boolean isIdle(long now) {
            long before = last.get();
            return before != NEVER && now - before >= FORGOTTEN_AFTER;
        }

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
