package gateway.app.memory;

import gateway.service.Permit;
import gateway.service.Rule;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/// What one counter has counted, and the arithmetic of every rule. Guarded by the lock of its [Counter].
///
/// Times are nanoseconds since the epoch. A clock that ran back finds the tally still in its later window; one that ran
/// back by more than a whole period was wrong before, and starts afresh.
final class CounterValue {
    /// How the numbers are to be read; a counter whose rule changes its kind starts afresh.
    enum Kind {
        FRESH,
        BUCKET,
        SLIDING,
        FIXED,
        ROLLING,
        CALENDAR
    }

    private static final long LARGEST_CAPACITY = 4_000_000_000_000_000_000L; // 126 years

    private Kind kind = Kind.FRESH;
    private long start = Long.MIN_VALUE / 2; // of the window; for a bucket the time it is full again
    private long end = Long.MIN_VALUE / 2; // from then on the tally equals a fresh one
    private long count;
    private long previous;
    private long limit = 1;
    private Rule.@Nullable CalendarUnit unit;
    private @Nullable ZoneId zone;

    void copy(CounterValue other) {
        kind = other.kind;
        start = other.start;
        end = other.end;
        count = other.count;
        previous = other.previous;
        limit = other.limit;
        unit = other.unit;
        zone = other.zone;
    }

    void copy(CounterRecord kept) {
        kind = kept.kind();
        start = kept.start();
        end = kept.end();
        count = kept.count();
        previous = kept.previous();
        limit = Math.max(1, kept.limit());
    }

    CounterRecord record(String counter) {
        return new CounterRecord(counter, kind, start, end, count, previous, limit);
    }

    /// Counts `amount` requests when `rule` allows them all.
    Permit spend(Rule rule, long amount, long now) {
        return switch (rule) {
            case Rule.TokenBucket bucket -> bucket(bucket, amount, now);
            case Rule.SlidingWindow sliding -> sliding(sliding, amount, now);
            case Rule.FixedWindow fixed -> fixed(fixed, amount, now);
            case Rule.RollingPeriod rolling -> rolling(rolling, amount, now);
            case Rule.CalendarPeriod calendar -> calendar(calendar, amount, now);
        };
    }

    /// By how much one request put off the moment that [Permit#resetNanos] tells.
    static long resetCost(Rule rule) {
        return rule instanceof Rule.TokenBucket bucket ? Math.ceilDiv(bucket.perNanos(), bucket.requests()) : 0;
    }

    /// Whether nothing would be lost with it.
    boolean fresh(long now) {
        return now >= end;
    }

    /// How much protection would be lost with it: the part of the limit that is spent, times how long it stays so.
    double worth(long now) {
        if (fresh(now)) return 0;
        if (kind == Kind.BUCKET) return (double) end - now;
        return (double) (count + previous) / limit * (end - now);
    }

    private Permit bucket(Rule.TokenBucket rule, long amount, long now) {
        become(Kind.BUCKET);
        long interval = Math.ceilDiv(rule.perNanos(), rule.requests());
        long capacity = Products.capped(interval, rule.burst(), LARGEST_CAPACITY);
        long full = Math.min(Math.max(start, now), now + capacity);
        long cost = amount == 1 ? interval : Products.capped(interval, amount, LARGEST_CAPACITY);
        long spent = full - now + cost;
        if (spent > capacity || amount > rule.burst()) {
            long left = (capacity - (full - now)) / interval;
            return new Permit.Denied(rule.burst(), left, full - now, Math.max(1, spent - capacity));
        }
        start = now + spent;
        end = start;
        return new Permit.Granted(rule.burst(), (capacity - spent) / interval, spent);
    }

    private Permit sliding(Rule.SlidingWindow rule, long amount, long now) {
        become(Kind.SLIDING);
        long per = rule.perNanos();
        long begin = now - Math.floorMod(now, per);
        if (begin > start || start - begin > per) {
            previous = begin - start == per ? count : 0;
            count = 0;
            start = begin;
            end = begin + 2 * per;
        }
        limit = rule.requests();
        long left = Math.min(per, start + per - now);
        long free = limit - count - Products.ceil(previous, left, per);
        if (free < amount) return new Permit.Denied(limit, Math.max(0, free), left, untilFree(amount, per, left));
        count += amount;
        return new Permit.Granted(limit, free - amount, left);
    }

    private long untilFree(long amount, long per, long left) {
        long room = limit - count - amount;
        if (room >= 0) return left - Products.floor(room, per, previous);
        if (amount > limit) return left + per;
        return left + per - Products.floor(limit - amount, per, count);
    }

    private Permit fixed(Rule.FixedWindow rule, long amount, long now) {
        become(Kind.FIXED);
        long begin = now - Math.floorMod(now, rule.perNanos());
        enter(begin, begin + rule.perNanos(), now);
        return count(rule.requests(), amount, now);
    }

    private Permit rolling(Rule.RollingPeriod rule, long amount, long now) {
        become(Kind.ROLLING);
        long per = rule.perNanos();
        if (now - start >= per || start - now > per) {
            start = now;
            count = 0;
        }
        end = start + per;
        return count(rule.requests(), amount, now);
    }

    private Permit calendar(Rule.CalendarPeriod rule, long amount, long now) {
        become(Kind.CALENDAR);
        boolean inside = now >= start && now < end;
        if (!inside || rule.unit() != unit || !rule.zone().equals(zone)) {
            var bounds = CalendarBounds.around(rule, now);
            enter(bounds.start(), bounds.end(), now);
            unit = rule.unit();
            zone = rule.zone();
        }
        return count(rule.requests(), amount, now);
    }

    private void enter(long begin, long finish, long now) {
        boolean running = now < end && begin <= start && start <= finish;
        if (running) return;
        start = begin;
        end = finish;
        count = 0;
    }

    private Permit count(long requests, long amount, long now) {
        limit = requests;
        long left = end - now;
        if (amount > requests - count) return new Permit.Denied(requests, Math.max(0, requests - count), left, left);
        count += amount;
        return new Permit.Granted(requests, requests - count, left);
    }

    private void become(Kind wanted) {
        if (kind == wanted) return;
        kind = wanted;
        start = Long.MIN_VALUE / 2;
        end = start;
        count = 0;
        previous = 0;
        unit = null;
    }
}
