package gateway.wire.io;

import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.xnio.XnioIoThread;

/// Virtual threads, one after the other, whose carrier is the connection's IO thread, so nothing is handed over
/// between kernel threads. Each starts inside the callback that brings its request and resumes from the IO thread's
/// own queue.
///
/// A turn is one mount: from start or unpark to the next park or the end. What the turn left to do on channels is done
/// right after it, when the IO thread itself is back, outside any virtual thread. See [Carrier] for turns elsewhere.
@SuppressWarnings("ReferenceEquality") // which thread this is, is a question of identity
final class CarriedThread implements RequestThread, Executor {
    private final Thread.Builder.OfVirtual builder;
    private final Carrier carrier;
    private final XnioIoThread io;
    private @Nullable Thread thread;
    private @Nullable Runnable waiting; // a continuation: the JDK hands one, and the next only once that has run
    private @Nullable Runnable afterTurn;
    private boolean starting; // used on the IO thread only, until the first turn
    private boolean elsewhere; // written before each turn, read in it

    CarriedThread(CarriedThreads threads, Carrier carrier) {
        this.carrier = carrier;
        this.io = carrier.io();
        this.builder = threads.builder(this);
    }

    @Override
    public void start(Runnable body) {
        thread = builder.unstarted(body);
        starting = true;
        thread.start(); // on the IO thread: runs the body at once, here, until it first parks
    }

    @Override
    public void onIoThread(Runnable work) {
        if (Thread.currentThread() == thread && !elsewhere && afterTurn == null) afterTurn = work;
        else io.execute(work);
    }

    /// Called by the JDK with a continuation to run: by start, unpark and yield.
    ///
    /// Only a start runs it at once. Who unparks may hold a lock, or be a request thread in a turn of its own.
    /// A turn inside of it would own the monitors that are held below it on the IO thread's stack, and take
    /// them along when it parks.
    @Override
    public void execute(Runnable continuation) {
        if (starting) {
            starting = false;
            turn(continuation);
        } else {
            waiting = continuation;
            carrier.hand(this);
        }
    }

    /// The turn that waits. To be called on the IO thread, where it holds no lock.
    void turn() {
        turn(takeWaiting());
    }

    private void turn(Runnable continuation) {
        elsewhere = false;
        try {
            continuation.run();
        } finally {
            Runnable work = afterTurn;
            afterTurn = null;
            if (work != null) work.run(); // also when the turn broke: the work may be what ends the request
        }
    }

    /// The turn that waits, on another thread, since the IO thread waits for a lock that this one may hold.
    void turnElsewhere() {
        Runnable continuation = takeWaiting();
        elsewhere = true;
        continuation.run(); // from its end on the next turn may have begun, so nothing is touched after it
    }

    private Runnable takeWaiting() {
        Runnable continuation = Objects.requireNonNull(waiting, "a turn was asked for and none waits");
        waiting = null; // before it runs: it may hand the next one
        return continuation;
    }
}
