package gateway.app.memory;

import java.time.Instant;
import java.time.InstantSource;

/// Nanoseconds since the Unix epoch, cheap enough for every request.
@FunctionalInterface
interface EpochClock {
    long nanos();

    /// The system's clock is read through a [SteadyClock]; any other, such as a test's, is taken at its word.
    static EpochClock of(InstantSource clock) {
        if (clock.equals(InstantSource.system())) return new SteadyClock(clock, System::nanoTime);
        return () -> nanos(clock.instant());
    }

    static long nanos(Instant instant) {
        return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), 1_000_000_000L), instant.getNano());
    }
}
