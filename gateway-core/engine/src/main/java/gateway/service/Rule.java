package gateway.service;

import java.time.ZoneId;

/// How requests are counted against a limit. All times in nanoseconds.
public sealed interface Rule {
    /// Requests allowed per period; for a token bucket the sustained rate.
    long requests();

    /// GCRA (ITU-T I.371): exact, one timestamp of state. `burst` requests may come at once.
    record TokenBucket(long requests, long perNanos, long burst) implements Rule {}

    /// Two fixed windows, the earlier weighted by what part of it still lies in the sliding one. Admits up to
    /// the limit in an even stream; the error against an exact log is bounded by how unevenly the earlier
    /// window was filled.
    record SlidingWindow(long requests, long perNanos) implements Rule {}

    /// Windows aligned to multiples of the period since the Unix epoch.
    record FixedWindow(long requests, long perNanos) implements Rule {}

    /// A period that begins with the first counted request and is followed by another such.
    record RollingPeriod(long requests, long perNanos) implements Rule {}

    /// Calendar periods in a time zone.
    record CalendarPeriod(long requests, CalendarUnit unit, ZoneId zone) implements Rule {}

    enum CalendarUnit {
        MINUTE,
        HOUR,
        DAY,
        WEEK,
        MONTH,
        YEAR
    }
}
