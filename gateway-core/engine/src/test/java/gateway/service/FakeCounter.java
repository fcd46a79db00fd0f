package gateway.service;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;

/// One counter's state and the arithmetic of every rule, written for plainness.
final class FakeCounter {
    private long begin = Long.MIN_VALUE; // of the window; for a token bucket its theoretical arrival time
    private long count;
    private long previous;

    FakeCounter copy() {
        var copy = new FakeCounter();
        copy.begin = begin;
        copy.count = count;
        copy.previous = previous;
        return copy;
    }

    Permit spend(Rule rule, long amount, Instant at) {
        long now = nanos(at);
        return switch (rule) {
            case Rule.TokenBucket bucket -> bucket(bucket, amount, now);
            case Rule.SlidingWindow window -> sliding(window, amount, now);
            case Rule.FixedWindow(long requests, long per) -> {
                long start = Math.floorDiv(now, per) * per;
                yield window(requests, amount, start, start + per, now);
            }
            case Rule.RollingPeriod(long requests, long per) -> {
                boolean running = begin != Long.MIN_VALUE && now - begin < per;
                long start = running ? begin : now;
                yield window(requests, amount, start, start + per, now);
            }
            case Rule.CalendarPeriod period -> calendar(period, amount, at);
        };
    }

    private Permit bucket(Rule.TokenBucket rule, long amount, long now) {
        long interval = Math.ceilDiv(rule.perNanos(), rule.requests());
        long tolerance = interval * rule.burst();
        long full = Math.max(now, begin);
        long arrival = full + interval * amount;
        if (arrival - now > tolerance) {
            return new Permit.Denied(
                    rule.burst(), (tolerance - (full - now)) / interval, full - now, arrival - now - tolerance);
        }
        begin = arrival;
        return new Permit.Granted(rule.burst(), (tolerance - (arrival - now)) / interval, arrival - now);
    }

    private Permit sliding(Rule.SlidingWindow rule, long amount, long now) {
        long per = rule.perNanos();
        long start = Math.floorDiv(now, per) * per;
        if (start != begin) {
            previous = start - per == begin ? count : 0;
            count = 0;
            begin = start;
        }
        long elapsed = now - start;
        long used = count + Math.ceilDiv(Math.multiplyExact(previous, per - elapsed), per);
        long free = rule.requests() - used;
        if (free < amount) {
            return new Permit.Denied(
                    rule.requests(), Math.max(0, free), per - elapsed, untilFree(rule, amount, elapsed));
        }
        count += amount;
        return new Permit.Granted(rule.requests(), free - amount, per - elapsed);
    }

    private long untilFree(Rule.SlidingWindow rule, long amount, long elapsed) {
        long per = rule.perNanos();
        long room = rule.requests() - count - amount;
        if (room >= 0) return per - Math.multiplyExact(per, room) / previous - elapsed;
        if (amount > rule.requests()) return per - elapsed + per;
        return per - elapsed + per - Math.multiplyExact(per, rule.requests() - amount) / count;
    }

    private Permit calendar(Rule.CalendarPeriod rule, long amount, Instant at) {
        ZonedDateTime start = start(rule.unit(), at.atZone(rule.zone()));
        ZonedDateTime end = switch (rule.unit()) {
            case MINUTE -> start.plusMinutes(1);
            case HOUR -> start.plusHours(1);
            case DAY -> start.plusDays(1);
            case WEEK -> start.plusWeeks(1);
            case MONTH -> start.plusMonths(1);
            case YEAR -> start.plusYears(1);
        };
        return window(rule.requests(), amount, nanos(start.toInstant()), nanos(end.toInstant()), nanos(at));
    }

    private static ZonedDateTime start(Rule.CalendarUnit unit, ZonedDateTime at) {
        return switch (unit) {
            case MINUTE -> at.truncatedTo(ChronoUnit.MINUTES);
            case HOUR -> at.truncatedTo(ChronoUnit.HOURS);
            case DAY -> midnight(at);
            case WEEK -> midnight(at.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY)));
            case MONTH -> midnight(at.withDayOfMonth(1));
            case YEAR -> midnight(at.withDayOfYear(1));
        };
    }

    private static ZonedDateTime midnight(ZonedDateTime at) {
        return at.toLocalDate().atStartOfDay(at.getZone());
    }

    private Permit window(long requests, long amount, long start, long end, long now) {
        if (start != begin) {
            begin = start;
            count = 0;
        }
        if (count + amount > requests)
            return new Permit.Denied(requests, Math.max(0, requests - count), end - now, end - now);
        count += amount;
        return new Permit.Granted(requests, requests - count, end - now);
    }

    private static long nanos(Instant at) {
        return Duration.between(Instant.EPOCH, at).toNanos();
    }
}
