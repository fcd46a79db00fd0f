package gateway.app.memory;

import gateway.service.Permit;
import gateway.service.Rule;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// One counter and its lock: a spin lock, since what is done under it takes some 20 ns and never blocks.
///
/// Several counters are locked in the order of their numbers, so that no two requests wait for each other. All methods
/// but [#lock] are called by the holder of the lock.
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
    private final Tally tally = new Tally();
    private final Tally before = new Tally();
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

    Permit spend(Rule rule, long now) {
        return tally.spend(rule, now);
    }

    Tally tally() {
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

    void markWritten() {
        durable = true;
        unwritten = false;
    }

    /// Whether the counter left the table; what is counted on it now is lost, so look it up again.
    boolean dropped() {
        return dropped;
    }

    void drop() {
        dropped = true;
    }
}
