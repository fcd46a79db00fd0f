package gateway.wire.io;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xnio.XnioIoThread;

/// An IO thread as the carrier of request threads: takes the turns that are handed to it, by other threads and by
/// itself.
///
/// When it waits for a lock, a request thread that holds the lock, or is before it in the queue, could never run to let
/// it go: each would wait for the other for ever. [#look] notices, and lets the turns run elsewhere.
final class Carrier {
    private static final Logger LOG = LoggerFactory.getLogger(Carrier.class);

    private final XnioIoThread io;
    private final Queue<Turn> handed = new ConcurrentLinkedQueue<>();
    private final Runnable next = this::runNext;
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
        io.execute(next);
    }

    private void runNext() {
        Turn turn = handed.poll();
        if (turn != null) turn.thread.turn(turn.continuation);
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
