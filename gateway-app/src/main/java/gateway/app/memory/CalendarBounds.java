package gateway.app.memory;

import gateway.service.Rule.CalendarPeriod;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;

/// The calendar period around a moment, in nanoseconds since the epoch: from `start` until just before `end`.
/// Weeks begin on Monday (ISO 8601); days are as long as the zone makes them.
record CalendarBounds(long start, long end) {
    static CalendarBounds around(CalendarPeriod rule, long now) {
        var at = Instant.ofEpochSecond(Math.floorDiv(now, 1_000_000_000L), Math.floorMod(now, 1_000_000_000L))
                .atZone(rule.zone());
        return switch (rule.unit()) {
            case MINUTE -> clock(at.truncatedTo(ChronoUnit.MINUTES), ChronoUnit.MINUTES);
            case HOUR -> clock(at.truncatedTo(ChronoUnit.HOURS), ChronoUnit.HOURS);
            case DAY -> dates(at, ChronoUnit.DAYS);
            case WEEK -> dates(at.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY)), ChronoUnit.WEEKS);
            case MONTH -> dates(at.withDayOfMonth(1), ChronoUnit.MONTHS);
            case YEAR -> dates(at.withDayOfYear(1), ChronoUnit.YEARS);
        };
    }

    private static CalendarBounds clock(ZonedDateTime start, ChronoUnit unit) {
        return new CalendarBounds(nanos(start), nanos(start.plus(1, unit)));
    }

    private static CalendarBounds dates(ZonedDateTime first, ChronoUnit unit) {
        var day = first.toLocalDate();
        return new CalendarBounds(
                nanos(day.atStartOfDay(first.getZone())),
                nanos(day.plus(1, unit).atStartOfDay(first.getZone())));
    }

    private static long nanos(ZonedDateTime time) {
        return EpochClock.nanos(time.toInstant());
    }
}
