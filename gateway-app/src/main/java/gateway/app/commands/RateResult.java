package gateway.app.commands;

import java.time.Duration;

/// What became of a fixed rate. Latency counts from the moment a request was due, so a stall is seen by every request
/// that it held up (no coordinated omission: Tene, "How NOT to measure latency").
///
/// @param offered requests a second that were due
/// @param answered requests a second that were answered before the end
/// @param requests that were answered at all
/// @param refused answers other than 2xx and 3xx
/// @param refusal status of the last of them; 0 without
/// @param broken connections that ended under a request
/// @param late requests that were due and had not left at the end, for want of a free connection
/// @param missed requests that were due and had no answer even after a while
/// @param generator CPU time of the load generator's thread
/// @param cpu CPU time that the whole gateway process used meanwhile
/// @param time how long requests were due
record RateResult(
        double offered,
        double answered,
        long requests,
        long refused,
        int refusal,
        long broken,
        long late,
        long missed,
        Latencies latency,
        Duration generator,
        Duration cpu,
        Duration time) {
    private static final double MOST_MISSED = 0.01;

    /// CPUs in use, 1.0 being one whole CPU.
    double cpus() {
        return (double) cpu.toNanos() / time.toNanos();
    }

    RateResult withCpu(Duration used) {
        return new RateResult(
                offered, answered, requests, refused, refusal, broken, late, missed, latency, generator, used, time);
    }

    /// Whether the machine kept up and every answer was a good one: only then the figures say what a request costs.
    boolean isSound() {
        return refused == 0 && broken == 0 && late + missed <= MOST_MISSED * offered * time.toMillis() / 1000;
    }
}
