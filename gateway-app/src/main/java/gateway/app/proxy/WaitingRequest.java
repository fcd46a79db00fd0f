package gateway.app.proxy;

import java.util.concurrent.locks.LockSupport;
import org.xnio.XnioIoThread;

/// A request thread that waits for a place among the requests in flight.
final class WaitingRequest implements Runnable {
    private enum Outcome {
        NONE,
        ADMITTED,
        TURNED_AWAY
    }

    /// For whom a request waits.
    interface Waiter {
        /// It does from now on; on the request's thread.
        void waits(WaitingRequest request);
    }

    private final Thread thread;
    private final XnioIoThread io;
    private final WaitingLine line;
    private boolean proven;
    private final long until;
    private volatile boolean leaving;
    private volatile Outcome outcome = Outcome.NONE;

    /// The current thread, whose connection `io` serves.
    ///
    /// @param proven whether that connection is ([gateway.wire.io.Newcomer])
    /// @param until as of [System#nanoTime]
    WaitingRequest(XnioIoThread io, WaitingLine line, boolean proven, long until) {
        this.thread = Thread.currentThread();
        this.io = io;
        this.line = line;
        this.proven = proven;
        this.until = until;
    }

    /// @return whether it has a place now
    boolean await() {
        boolean interrupted = false;
        while (outcome == Outcome.NONE) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted(); // a park would not wait any more
        }
        if (interrupted) Thread.currentThread().interrupt();
        return outcome == Outcome.ADMITTED;
    }

    XnioIoThread io() {
        return io;
    }

    /// Where it waits.
    WaitingLine line() {
        return line;
    }

    /// Whether its connection was proven, when it came or before it was admitted.
    boolean isProven() {
        return proven;
    }

    /// Its client does not wait any longer; for any thread.
    void isToLeave() {
        leaving = true;
    }

    boolean isLeaving() {
        return leaving;
    }

    /// @param asProven whether it has a place that proven ones may have
    void admit(boolean asProven) {
        proven = asProven;
        settle(Outcome.ADMITTED);
    }

    void turnAway() {
        settle(Outcome.TURNED_AWAY);
    }

    /// Nanoseconds that it may still wait; 0 or less when it has waited too long.
    long left(long now) {
        return until - now;
    }

    /// By way of the IO thread's queue: unparked at once it would go on inside the request that has just ended, and the
    /// next one inside it.
    private void settle(Outcome decided) {
        outcome = decided;
        io.execute(this);
    }

    @Override
    public void run() {
        LockSupport.unpark(thread);
    }
}
