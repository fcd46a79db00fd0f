package gateway.app.memory;

import gateway.service.Charge;
import gateway.service.LimitStore;
import gateway.service.Permit;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/// Exact counters in this process's memory. On one node leased counting is the same as exact.
///
/// The counters of one request are locked together, in the order of their numbers, and decided under their
/// locks; when one denies, the others are put back before anybody else sees them. Durable counters that changed
/// wait in a queue for the [QuotaJournal].
final class MemoryLimitStore implements LimitStore {
    private static final Comparator<Counter> LOCK_ORDER = Comparator.comparingLong(Counter::number);

    private final EpochClock clock;
    private final CounterTable counters;
    private final Queue<Counter> unwritten = new ConcurrentLinkedQueue<>();

    MemoryLimitStore(EpochClock clock, CounterTable counters) {
        this.clock = clock;
        this.counters = counters;
    }

    @Override
    public List<Permit> acquire(List<Charge> charges) {
        return switch (charges.size()) {
            case 0 -> List.of();
            case 1 -> List.of(one(charges.getFirst()));
            case 2 -> two(charges.get(0), charges.get(1));
            default -> many(charges);
        };
    }

    @Override
    public List<Permit> peek(List<Charge> charges) {
        long now = clock.nanos();
        return charges.stream().map(charge -> peek(charge, now)).toList();
    }

    /// Durable counters that changed since they were last polled from here.
    Queue<Counter> unwritten() {
        return unwritten;
    }

    private Permit one(Charge charge) {
        long now = clock.nanos();
        Counter counter = locked(charge, now);
        try {
            Permit permit = counter.spend(charge.rule(), charge.amount(), now);
            if (permit instanceof Permit.Granted) noteSpent(charge, counter);
            return permit;
        } finally {
            counter.unlock();
        }
    }

    private Counter locked(Charge charge, long now) {
        while (true) {
            Counter counter = counters.counter(charge.counter(), now);
            counter.lock();
            if (!counter.dropped()) return counter;
            counter.unlock();
        }
    }

    private List<Permit> two(Charge first, Charge second) {
        long now = clock.nanos();
        while (true) {
            Counter one = counters.counter(first.counter(), now);
            Counter other = counters.counter(second.counter(), now);
            if (one == other) return many(List.of(first, second));
            Counter earlier = one.number() < other.number() ? one : other;
            Counter later = earlier == one ? other : one;
            earlier.lock();
            later.lock();
            try {
                if (!one.dropped() && !other.dropped()) return spend(first, one, second, other, now);
            } finally {
                later.unlock();
                earlier.unlock();
            }
        }
    }

    private List<Permit> spend(Charge first, Counter one, Charge second, Counter other, long now) {
        one.save();
        other.save();
        Permit permit = one.spend(first.rule(), first.amount(), now);
        Permit another = other.spend(second.rule(), second.amount(), now);
        if (permit instanceof Permit.Granted && another instanceof Permit.Granted) {
            noteSpent(first, one);
            noteSpent(second, other);
        } else {
            one.restore();
            other.restore();
        }
        return List.of(permit, another);
    }

    private List<Permit> many(List<Charge> charges) {
        long now = clock.nanos();
        while (true) {
            Counter[] held = new Counter[charges.size()];
            for (int i = 0; i < held.length; i++)
                held[i] = counters.counter(charges.get(i).counter(), now);
            Counter[] ordered =
                    Arrays.stream(held).distinct().sorted(LOCK_ORDER).toArray(Counter[]::new);
            for (Counter counter : ordered) counter.lock();
            try {
                if (Arrays.stream(ordered).noneMatch(Counter::dropped)) return spend(charges, held, ordered, now);
            } finally {
                for (Counter counter : ordered) counter.unlock();
            }
        }
    }

    private List<Permit> spend(List<Charge> charges, Counter[] held, Counter[] ordered, long now) {
        for (Counter counter : ordered) counter.save();
        Permit[] permits = new Permit[held.length];
        boolean granted = true;
        for (int i = 0; i < held.length; i++) {
            Charge charge = charges.get(i);
            permits[i] = held[i].spend(charge.rule(), charge.amount(), now);
            granted &= permits[i] instanceof Permit.Granted;
        }
        if (!granted) {
            for (Counter counter : ordered) counter.restore();
            return List.of(permits);
        }
        for (int i = 0; i < held.length; i++) noteSpent(charges.get(i), held[i]);
        return List.of(permits);
    }

    private void noteSpent(Charge charge, Counter counter) {
        if (charge.durable() && counter.markUnwritten()) unwritten.add(counter);
    }

    private Permit peek(Charge charge, long now) {
        Counter found = counters.find(charge.counter());
        Counter counter = found == null ? new Counter(charge.counter(), 0) : found;
        counter.lock();
        try {
            counter.save();
            Permit permit = unspent(counter.spend(charge.rule(), charge.amount(), now), charge);
            counter.restore();
            return permit;
        } finally {
            counter.unlock();
        }
    }

    /// What a permit just granted would say had it not been.
    private static Permit unspent(Permit permit, Charge charge) {
        return switch (permit) {
            case Permit.Denied denied -> denied;
            case Permit.Granted(long limit, long remaining, long resetNanos) ->
                new Permit.Granted(
                        limit,
                        remaining + charge.amount(),
                        resetNanos - charge.amount() * CounterValue.resetCost(charge.rule()));
        };
    }
}
