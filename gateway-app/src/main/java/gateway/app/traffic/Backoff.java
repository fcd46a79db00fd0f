package gateway.app.traffic;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongUnaryOperator;

/// When to try again: after each failure twice as long as before, up to a bound, half of it chosen by chance so that
/// nodes do not come back together. See "Exponential Backoff And Jitter" (AWS, 2015), "equal jitter".
final class Backoff {
    private final long shortest;
    private final long longest;
    private final LongUnaryOperator chance;
    private int failures;
    private long notBefore;

    /// @param chance a number from 0 to below its argument
    Backoff(Duration shortest, Duration longest, LongUnaryOperator chance) {
        this.shortest = shortest.toNanos();
        this.longest = longest.toNanos();
        this.chance = chance;
    }

    /// From 100 ms to 30 s.
    static Backoff usual() {
        return new Backoff(
                Duration.ofMillis(100),
                Duration.ofSeconds(30),
                bound -> ThreadLocalRandom.current().nextLong(bound));
    }

    /// Notes a failure; one that comes while waiting already, of a request sent before, changes nothing.
    void failed(long nowNanos) {
        if (!mayTry(nowNanos)) return;
        long whole = Math.min(longest, shortest << Math.min(failures, 20));
        failures++;
        notBefore = nowNanos + whole / 2 + chance.applyAsLong(whole / 2 + 1);
    }

    void worked() {
        failures = 0;
    }

    boolean isFailing() {
        return failures > 0;
    }

    boolean mayTry(long nowNanos) {
        return failures == 0 || nowNanos - notBefore >= 0;
    }
}
