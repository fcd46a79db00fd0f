package gateway.app.trace;

import java.time.Instant;
import java.time.InstantSource;

/// Turns ticks into times for the spans of one trace: the system's clock is asked once, so that a step of it in between
/// moves no span out of its parent.
///
/// @param epochNanos the time at `tick`, in nanoseconds since 1970
/// @param tick by `System.nanoTime()`
record TraceClock(long epochNanos, long tick) {
    private static final long NANOS = 1_000_000_000;

    static TraceClock at(InstantSource clock, long now) {
        Instant time = clock.instant();
        return new TraceClock(time.getEpochSecond() * NANOS + time.getNano(), now);
    }

    long time(long at) {
        return epochNanos + (at - tick);
    }
}
