package gateway.service;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/// A clock that stands still until it is moved.
public final class ManualClock implements InstantSource {
    private volatile Instant now;

    private ManualClock(Instant now) {
        this.now = now;
    }

    public static ManualClock at(String time) {
        return new ManualClock(Instant.parse(time));
    }

    /// At a moment where seconds, minutes, hours and days begin.
    public static ManualClock create() {
        return at("2026-06-01T00:00:00Z");
    }

    @Override
    public Instant instant() {
        return now;
    }

    /// Nanoseconds since the Unix epoch, for code that takes a tick source.
    public long nanos() {
        Instant at = now;
        return Math.addExact(Math.multiplyExact(at.getEpochSecond(), 1_000_000_000L), at.getNano());
    }

    public void advance(Duration by) {
        now = now.plus(by);
    }

    public void set(Instant time) {
        now = time;
    }
}
