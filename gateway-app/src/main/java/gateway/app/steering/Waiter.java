package gateway.app.steering;

import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/// A request thread that waits for a place in a [Bulkhead].
public final class Waiter {
    private final Bulkhead bulkhead;
    private final Thread thread = Thread.currentThread();
    private final Executor waking;
    private final long until;
    private final AtomicReference<Outcome> outcome = new AtomicReference<>(Outcome.NONE);

    /// How the wait has ended.
    public enum Outcome {
        /// It has not.
        NONE,
        /// It has a place now.
        ADMITTED,
        /// It has waited as long as may be.
        LATE,
        /// Whom it waits for is gone.
        LEFT
    }

    /// Of the current thread.
    ///
    /// @param patience nanoseconds from now
    Waiter(Bulkhead bulkhead, long patience, Executor waking) {
        this.bulkhead = bulkhead;
        this.waking = waking;
        this.until = System.nanoTime() + patience;
    }

    /// Blocks the current thread, whose waiter this is, until the wait has ended; never answers NONE.
    public Outcome await() {
        boolean interrupted = false;
        while (outcome.get() == Outcome.NONE) {
            long left = until - System.nanoTime();
            if (left > 0) LockSupport.parkNanos(this, left);
            else if (settled(Outcome.LATE)) bulkhead.gone(this, true);
            interrupted |= Thread.interrupted(); // a park would not wait any more
        }
        if (interrupted) Thread.currentThread().interrupt();
        return Objects.requireNonNull(outcome.get());
    }

    /// Whom it waits for is gone. From any thread; in vain when the wait has ended.
    public void leave() {
        if (!settled(Outcome.LEFT)) return;
        bulkhead.gone(this, false);
        wake();
    }

    /// Has a place given to it; false when its wait has ended already.
    boolean admitted() {
        if (!settled(Outcome.ADMITTED)) return false;
        wake();
        return true;
    }

    private boolean settled(Outcome as) {
        return outcome.compareAndSet(Outcome.NONE, as);
    }

    /// Unparked at once, a thread that the current one carries would go on inside what the current one is at.
    private void wake() {
        waking.execute(() -> LockSupport.unpark(thread));
    }
}
