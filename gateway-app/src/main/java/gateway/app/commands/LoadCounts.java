package gateway.app.commands;

import java.time.Duration;
import org.HdrHistogram.Histogram;

/// What became of the requests of one run, of those that were due since `from`.
final class LoadCounts {
    private static final Duration LONGEST = Duration.ofMinutes(10);
    private static final double NANOS_PER_MILLI = 1e6;

    private final Histogram latency = histogram();
    private final Histogram lag = histogram();
    private final long from;
    private final long until;
    private long sent;
    private long inTime;
    private long refused;
    private int refusal;
    private long broken;

    /// @param from as of [System#nanoTime]; `until` likewise, the end of the run
    LoadCounts(long from, long until) {
        this.from = from;
        this.until = until;
    }

    /// @param free since when there was a connection for it
    void sent(long due, long free, long now) {
        if (due < from) return;
        sent++;
        lag.recordValue(clamp(now - Math.max(due, free)));
    }

    void answered(long due, int status, long now) {
        if (due < from) return;
        latency.recordValue(clamp(now - due));
        if (now < until) inTime++;
        if (status >= 200 && status < 400) return;
        refused++;
        refusal = status;
    }

    void broken() {
        broken++;
    }

    long sent() {
        return sent;
    }

    /// @param offered requests a second
    /// @param due requests that were due since `from`; `sentInTime` of them had left at the end of the run
    RateResult result(double offered, long due, long sentInTime, Duration generator) {
        Duration time = Duration.ofNanos(until - from);
        return new RateResult(
                offered,
                inTime * 1e9 / time.toNanos(),
                latency.getTotalCount(),
                refused,
                refusal,
                broken,
                Math.max(0, due - sentInTime),
                Math.max(0, due - latency.getTotalCount() - broken),
                latencies(),
                generator,
                Duration.ZERO,
                time);
    }

    private Latencies latencies() {
        return new Latencies(
                at(latency, 50),
                at(latency, 90),
                at(latency, 99),
                at(latency, 99.9),
                at(latency, 100),
                latency.getMean() / NANOS_PER_MILLI,
                at(lag, 50),
                at(lag, 99));
    }

    private static double at(Histogram times, double percent) {
        return times.getValueAtPercentile(percent) / NANOS_PER_MILLI;
    }

    private static long clamp(long nanos) {
        return Math.clamp(nanos, 0, LONGEST.toNanos());
    }

    private static Histogram histogram() {
        return new Histogram(LONGEST.toNanos(), 3);
    }
}
