package gateway.wire.io;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.xnio.XnioIoThread;

/// Virtual threads, one after the other, whose carrier is the connection's IO thread, so nothing is handed over
/// between kernel threads. Each starts inside the callback that brings its request and resumes from the IO thread's
/// own queue. So do the threads that it starts, which inherit its carrier: of several a turn may wait at once.
///
/// A turn is one mount: from start or unpark to the next park or the end. What the turn left to do on channels is done
/// right after it, when the IO thread itself is back, outside any virtual thread. See [Carrier] for turns elsewhere.
@SuppressWarnings("ReferenceEquality") // which thread this is, is a question of identity
final class CarriedThread implements RequestThread, Executor {
    private final Thread.Builder.OfVirtual builder;
    private final Carrier carrier;
    private final XnioIoThread io;
    private final AtomicInteger elsewhere = new AtomicInteger(); // turns on other threads
    private @Nullable Thread thread;
    private @Nullable Runnable afterTurn;
    private boolean starting; // used on the IO thread only, until the first turn

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
        if (Thread.currentThread() == thread && elsewhere.get() == 0 && afterTurn == null) afterTurn = work;
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
            carrier.hand(this, continuation);
        }
    }

    /// To be called on the IO thread, where it holds no lock.
    void turn(Runnable continuation) {
        try {
            continuation.run();
        } finally {
            Runnable work = afterTurn;
            afterTurn = null;
            if (work != null) work.run(); // also when the turn broke: the work may be what ends the request
        }
    }

    /// A turn on another thread, since the IO thread waits for a lock that this one may hold.
    void turnElsewhere(Runnable continuation) {
        elsewhere.incrementAndGet();
        try {
            continuation.run();
        } finally {
            elsewhere.decrementAndGet(); // the next turn may have begun: it takes the longer way until here
        }
    }
}
