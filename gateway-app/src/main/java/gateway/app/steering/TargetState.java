package gateway.app.steering;

import gateway.config.EjectionDefinition;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/// What is known of one target of one upstream: its requests in flight, its failures in a row, and whether it is out
/// for them. Outlasts reloads. Safe for many threads; takes no lock.
public final class TargetState {
    private static final long NEVER = Long.MIN_VALUE;
    private static final double LEAST_SHARE = 0.1;

    private final LongSupplier ticks;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger failuresInARow = new AtomicInteger();
    private final AtomicLong outUntil = new AtomicLong(NEVER);
    private final LongAdder requests = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private volatile int ejections;
    private volatile long backSince;

    /// @param ticks nanoseconds from anywhere, such as [System#nanoTime]
    public TargetState(LongSupplier ticks) {
        this.ticks = ticks;
        this.backSince = ticks.getAsLong();
    }

    public void begin() {
        inFlight.incrementAndGet();
        requests.increment();
    }

    public void end() {
        inFlight.decrementAndGet();
    }

    public int inFlight() {
        return inFlight.get();
    }

    /// Requests ever sent to it, repeated ones included.
    public long requests() {
        return requests.sum();
    }

    /// Those of them that failed.
    public long failures() {
        return failures.sum();
    }

    /// A request went well. Costs a read in the usual case.
    void succeeded() {
        if (failuresInARow.get() != 0) failuresInARow.set(0);
    }

    /// Answers how many have failed in a row now.
    int failed() {
        failures.increment();
        return failuresInARow.incrementAndGet();
    }

    /// How long it will still be out; zero when it is not.
    public Duration outFor() {
        long until = outUntil.get();
        if (until == NEVER) return Duration.ZERO;
        long left = until - ticks.getAsLong();
        return left <= 0 ? Duration.ZERO : Duration.ofNanos(left);
    }

    /// Whether it is out by ejection. One whose time is over comes back here.
    boolean isOut() {
        long until = outUntil.get();
        if (until == NEVER) return false;
        long now = ticks.getAsLong();
        if (now - until < 0) return true;
        if (outUntil.compareAndSet(until, NEVER)) {
            failuresInARow.set(0);
            back();
        }
        return false;
    }

    /// Takes it out for the base time times the ejections of late: one is forgotten for each base time that it went
    /// well. Called by one thread at a time, see [Group].
    void eject(EjectionDefinition how) {
        long now = ticks.getAsLong();
        long base = how.time().toNanos();
        long forgotten = Math.max(0, now - backSince) / base;
        ejections = (int) Math.max(0, ejections - forgotten) + 1;
        long longest = how.maxTime().toNanos();
        long time = ejections > longest / base ? longest : base * ejections;
        outUntil.set(now + time);
    }

    /// From now on it takes requests again, slowly at first where [Group] is told so.
    void back() {
        backSince = ticks.getAsLong();
    }

    /// Which part of its share it takes, a tenth at first and 1 after `slowStart` nanoseconds.
    double share(long slowStart) {
        if (slowStart == 0) return 1;
        double done = (double) (ticks.getAsLong() - backSince) / slowStart;
        return Math.clamp(done, LEAST_SHARE, 1);
    }
}
