package gateway.app.memory;

import gateway.service.Permit;
import gateway.service.Rule;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Optional;
import java.util.Queue;

/// One counter and its lock: a spin lock, since what is done under it takes some 20 ns and never blocks.
///
/// Several counters are locked in the order of their numbers, so that no two requests wait for each other. Methods that
/// read or change the counter are called by the holder of the lock, unless they say otherwise.
final class Counter {
    private static final VarHandle LOCK;
    private static final int SPINS = 64;

    static {
        try {
            LOCK = MethodHandles.lookup().findVarHandle(Counter.class, "locked", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final String name;
    private final long number;
    private final CounterValue tally = new CounterValue();
    private final CounterValue before = new CounterValue();
    private boolean durable;
    private boolean unwritten;
    private boolean dropped;

    @SuppressWarnings("unused") // through LOCK
    private volatile int locked;

    Counter(String name, long number) {
        this.name = name;
        this.number = number;
    }

    String name() {
        return name;
    }

    /// Unique over all counters; the order of locking.
    long number() {
        return number;
    }

    @SuppressWarnings("ThreadPriorityCheck") // yields only to a holder that the operating system put aside
    void lock() {
        for (int spins = 0; !LOCK.weakCompareAndSetAcquire(this, 0, 1); spins++) {
            if (spins < SPINS) Thread.onSpinWait();
            else Thread.yield();
        }
    }

    void unlock() {
        LOCK.setRelease(this, 0);
    }

    /// Remembers the tally for [#restore].
    void save() {
        before.copy(tally);
    }

    void restore() {
        tally.copy(before);
    }

    Permit spend(Rule rule, long amount, long now) {
        return tally.spend(rule, amount, now);
    }

    CounterValue tally() {
        return tally;
    }

    boolean durable() {
        return durable;
    }

    /// Notes that the journal is behind.
    ///
    /// @return whether that is news
    boolean markUnwritten() {
        if (unwritten) return false;
        durable = true;
        unwritten = true;
        return true;
    }

    /// Whether the counter left the table; what is counted on it now is lost, so look it up again.
    boolean dropped() {
        return dropped;
    }

    void drop() {
        dropped = true;
    }

    /// What is to be written now; takes the lock itself.
    CounterRecord written() {
        lock();
        try {
            unwritten = false;
            return tally.record(name);
        } finally {
            unlock();
        }
    }

    /// Takes back [#written]; takes the lock itself.
    void unwritten(Queue<Counter> changed) {
        lock();
        try {
            if (markUnwritten()) changed.add(this);
        } finally {
            unlock();
        }
    }

    /// What a journal made anew has to tell of this counter; takes the lock itself.
    Optional<CounterRecord> durableRecord(long now) {
        lock();
        try {
            return durable && !tally.fresh(now) ? Optional.of(tally.record(name)) : Optional.empty();
        } finally {
            unlock();
        }
    }

    /// Counts on from `record`; takes the lock itself.
    void restore(CounterRecord record) {
        lock();
        try {
            durable = true;
            tally.copy(record);
        } finally {
            unlock();
        }
    }
}
