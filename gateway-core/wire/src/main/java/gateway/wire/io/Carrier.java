package gateway.wire.io;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xnio.XnioIoThread;

/// An IO thread as the carrier of request threads: takes the turns that are handed to it, by other threads and by
/// itself. They begin where it holds no lock: at the end of a callback that may have woken request threads
/// ([#runHanded]), and in its loop.
///
/// When it waits for a lock, a request thread that holds the lock, or is before it in the queue, could never run to let
/// it go: each would wait for the other for ever. [#look] notices, and lets the turns run elsewhere.
final class Carrier {
    private static final Logger LOG = LoggerFactory.getLogger(Carrier.class);

    private final XnioIoThread io;
    private final Queue<Turn> handed = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean posted = new AtomicBoolean();
    private final Runnable drain = this::drain;
    private boolean running; // used on the IO thread only
    private boolean waited; // used by the one that looks only

    private record Turn(CarriedThread thread, Runnable continuation) {}

    Carrier(XnioIoThread io) {
        this.io = io;
    }

    XnioIoThread io() {
        return io;
    }

    /// Runs a turn on the IO thread, soon.
    void hand(CarriedThread thread, Runnable continuation) {
        handed.add(new Turn(thread, continuation));
        if (!posted.getAndSet(true)) io.execute(drain);
    }

    private void drain() {
        posted.set(false); // what is handed from here on posts again, or is run below
        runHanded();
    }

    /// Runs the turns that wait, if this is the IO thread itself, outside of any turn.
    ///
    /// To be called as the last act of a callback of the IO thread's loop, where no lock is held: what the callback
    /// woke goes on while its memory is still in the processor's cache.
    @SuppressWarnings("ReferenceEquality") // which thread this is, is a question of identity
    void runHanded() {
        if (running || handed.isEmpty() || Thread.currentThread() != io) return;
        running = true;
        for (Turn turn = handed.poll(); turn != null; turn = handed.poll()) run(turn);
        running = false;
    }

    /// What it leaves broken is its own: neither the turns behind it nor the callback learn of it.
    private static void run(Turn turn) {
        try {
            turn.thread.turn(turn.continuation);
        } catch (Throwable e) {
            LOG.error("a request's turn on its IO thread broke", e);
        }
    }

    /// To be called now and then: when the IO thread waits for a lock at two looks in a row while turns wait for it,
    /// they run on threads of their own.
    ///
    /// @return how many
    int look() {
        boolean waits = !handed.isEmpty() && io.getState() != Thread.State.RUNNABLE; // runnable also while it selects
        int rescued = waits && waited ? rescue() : 0;
        waited = waits;
        return rescued;
    }

    private int rescue() {
        StackTraceElement[] at = io.getStackTrace();
        int rescued = 0;
        for (Turn turn = handed.poll(); turn != null; turn = handed.poll()) {
            runElsewhere(turn);
            rescued++;
        }
        String where = at.length == 0 ? "" : at[0].toString();
        Thread.ofPlatform() // the log's own lock may be what it waits for
                .daemon()
                .name("gateway rescue log")
                .start(() ->
                        LOG.warn("{} waits for a lock, at {}: requests that it carries go on without it", io, where));
        return rescued;
    }

    private void runElsewhere(Turn turn) {
        try {
            Thread.ofPlatform()
                    .daemon()
                    .name("gateway rescue")
                    .start(() -> turn.thread.turnElsewhere(turn.continuation));
        } catch (Throwable e) { // no thread to be had: the turn waits on
            hand(turn.thread, turn.continuation);
            throw e;
        }
    }
}
