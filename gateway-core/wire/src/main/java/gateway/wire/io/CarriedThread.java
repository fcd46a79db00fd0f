package gateway.wire.io;

import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.xnio.XnioIoThread;

/// Virtual threads, one after the other, whose carrier is the connection's IO thread: each starts, parks and
/// resumes inside that thread's event callbacks, so nothing is handed over between kernel threads.
///
/// A turn is one mount: from start or unpark to the next park or the end. What the turn left to do on channels is done
/// right after it, when the IO thread itself is back, outside any virtual thread. See [Carrier] for turns elsewhere.
@SuppressWarnings("ReferenceEquality") // which thread this is, is a question of identity
final class CarriedThread implements RequestThread, Executor {
    private final Thread.Builder.OfVirtual builder;
    private final Carrier carrier;
    private final XnioIoThread io;
    private @Nullable Thread thread;
    private @Nullable Runnable afterTurn;
    private boolean inTurn; // used on the IO thread only
    private boolean elsewhere; // written before each turn, read in it

    CarriedThread(CarriedThreads threads, Carrier carrier) {
        this.carrier = carrier;
        this.io = carrier.io();
        this.builder = threads.builder(this);
    }

    @Override
    public void start(Runnable body) {
        thread = builder.unstarted(body);
        thread.start(); // on the IO thread: runs the body at once, here, until it first parks
    }

    @Override
    public void onIoThread(Runnable work) {
        if (Thread.currentThread() == thread && !elsewhere && afterTurn == null) afterTurn = work;
        else io.execute(work);
    }

    /// Called by the JDK with a continuation to run: by start, unpark and yield. A yield calls from inside the
    /// turn that it ends; running the next turn there would put turn upon turn on the IO thread's stack.
    @Override
    public void execute(Runnable continuation) {
        if (Thread.currentThread() == io && !inTurn) turn(continuation);
        else carrier.hand(this, continuation);
    }

    /// To be called on the IO thread.
    void turn(Runnable continuation) {
        elsewhere = false;
        inTurn = true;
        try {
            continuation.run();
        } finally {
            inTurn = false;
            Runnable work = afterTurn;
            afterTurn = null;
            if (work != null) work.run(); // also when the turn broke: the work may be what ends the request
        }
    }

    /// A turn on another thread, since the IO thread waits for a lock that this one may hold.
    void turnElsewhere(Runnable continuation) {
        elsewhere = true;
        continuation.run(); // from its end on the next turn may have begun, so nothing is touched after it
    }
}
