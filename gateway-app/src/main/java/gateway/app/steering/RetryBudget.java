package gateway.app.steering;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/// Keeps repeated attempts to a percentage of the requests, rounded up, however long the trouble lasts: of `n` requests
/// at most ⌈n × percent / 100⌉ are repeated. Each request pays in, each repetition takes out. Saved up is no more than
/// what some 10 to 20 seconds paid in, or ten repetitions: enough for all that breaks at once when a target dies, and
/// quiet hours do not pay for a storm. After Finagle's budget, whose deposits live for 10 s.
public final class RetryBudget {
    private static final long COST = 100;
    private static final long MOST_SAVED = 10 * COST; // by few requests
    private static final long WINDOW_NANOS = 10_000_000_000L;

    private final int percent;
    private final AtomicLong credit = new AtomicLong();
    private final AtomicLong spent = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final LongSupplier ticks;
    private final AtomicLong began;
    private final AtomicLong requests = new AtomicLong(); // of this window
    private volatile long requestsBefore; // of the last

    /// @param ticks nanoseconds since any moment
    public RetryBudget(int percent, LongSupplier ticks) {
        this.percent = percent;
        this.ticks = ticks;
        this.began = new AtomicLong(ticks.getAsLong());
    }

    /// A request has come, whatever becomes of it.
    public void request() {
        long now = ticks.getAsLong();
        long since = began.get();
        if (now - since >= WINDOW_NANOS && began.compareAndSet(since, now)) turn(now - since);
        requests.incrementAndGet();
        if (credit.get() < most()) credit.addAndGet(percent);
    }

    private void turn(long passed) {
        long counted = requests.getAndSet(0);
        requestsBefore = passed < 2 * WINDOW_NANOS ? counted : 0;
        credit.accumulateAndGet(most(), Math::min);
    }

    private long most() {
        return Math.max(MOST_SAVED, percent * Math.max(requestsBefore, requests.get()));
    }

    /// Whether one more repetition is within the budget; it is then spent.
    public boolean spend() {
        while (true) {
            long now = credit.get();
            if (now <= 0) {
                refused.incrementAndGet();
                return false;
            }
            if (credit.compareAndSet(now, now - COST)) {
                spent.incrementAndGet();
                return true;
            }
        }
    }

    /// Repetitions so far.
    public long spent() {
        return spent.get();
    }

    /// Repetitions that the budget did not allow.
    public long refused() {
        return refused.get();
    }
}
