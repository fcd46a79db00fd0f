package gateway.app.steering;

import java.util.concurrent.atomic.AtomicLong;

/// Keeps repeated attempts to a percentage of the requests, rounded up, however long the trouble lasts: of `n` requests
/// at most ⌈n × percent / 100⌉ are repeated. Each request pays in, each repetition takes out; no more than ten
/// repetitions are saved up, so that quiet hours do not pay for a storm.
public final class RetryBudget {
    private static final long COST = 100;
    private static final long MOST_SAVED = 10 * COST;

    private final int percent;
    private final AtomicLong credit = new AtomicLong();
    private final AtomicLong spent = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();

    public RetryBudget(int percent) {
        this.percent = percent;
    }

    /// A request has come, whatever becomes of it.
    public void request() {
        if (credit.get() < MOST_SAVED) credit.addAndGet(percent);
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
