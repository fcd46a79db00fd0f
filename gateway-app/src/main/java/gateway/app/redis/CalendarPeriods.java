package gateway.app.redis;

import gateway.service.Rule.CalendarPeriod;
import gateway.service.Rule.CalendarUnit;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The calendar periods that Redis is in now, as far as this node knows.
///
/// Redis cannot tell time zones, and this node's clock may differ from its own. So the node names the
/// period and the script checks it against Redis' clock; when that is in another one it answers its time,
/// and this node goes by it from then on.
final class CalendarPeriods {
    private static final int MOST_REMEMBERED = 10_000;

    private final InstantSource clock;
    private final Map<CalendarPeriod, Period> known = new ConcurrentHashMap<>();
    private volatile long aheadMicros; // Redis' clock over this node's

    CalendarPeriods(InstantSource clock) {
        this.clock = clock;
    }

    /// Start and end in microseconds since 1970.
    record Period(long start, long end) {
        boolean has(long micros) {
            return start <= micros && micros < end;
        }
    }

    Period now(CalendarPeriod rule) {
        long now = micros(clock.instant()) + aheadMicros;
        Period last = known.get(rule);
        if (last != null && last.has(now)) return last;
        if (known.size() >= MOST_REMEMBERED) known.clear();
        Period period = around(rule, now);
        known.put(rule, period);
        return period;
    }

    /// Redis is in another period than was said: this is its clock.
    void correct(long redisMicros) {
        aheadMicros = redisMicros - micros(clock.instant());
    }

    static long micros(Instant instant) {
        return instant.getEpochSecond() * 1_000_000 + instant.getNano() / 1_000;
    }

    private static Period around(CalendarPeriod rule, long micros) {
        var instant = Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
        var local = instant.atZone(rule.zone());
        return switch (rule.unit()) {
            case MINUTE, HOUR -> within(local, rule.unit());
            case DAY, WEEK, MONTH, YEAR -> {
                var first = first(local.toLocalDate(), rule.unit());
                var next = next(first, rule.unit());
                yield new Period(
                        micros(first.atStartOfDay(rule.zone()).toInstant()),
                        micros(next.atStartOfDay(rule.zone()).toInstant()));
            }
        };
    }

    /// Minutes and hours of the wall clock; an hour that summer time repeats is two periods.
    private static Period within(ZonedDateTime local, CalendarUnit unit) {
        var length = unit == CalendarUnit.MINUTE ? ChronoUnit.MINUTES : ChronoUnit.HOURS;
        LocalDateTime start =
                LocalDateTime.of(local.toLocalDate(), LocalTime.from(local).truncatedTo(length));
        var first = ZonedDateTime.ofLocal(start, local.getZone(), local.getOffset());
        return new Period(
                micros(first.toInstant()), micros(first.plus(1, length).toInstant()));
    }

    private static LocalDate first(LocalDate day, CalendarUnit unit) {
        return switch (unit) {
            case MINUTE, HOUR, DAY -> day;
            case WEEK -> day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
            case MONTH -> day.withDayOfMonth(1);
            case YEAR -> day.withDayOfYear(1);
        };
    }

    private static LocalDate next(LocalDate first, CalendarUnit unit) {
        return switch (unit) {
            case MINUTE, HOUR, DAY -> first.plusDays(1);
            case WEEK -> first.plusWeeks(1);
            case MONTH -> first.plusMonths(1);
            case YEAR -> first.plusYears(1);
        };
    }
}
