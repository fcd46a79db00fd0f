package gateway.wire.http2;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.xnio.StreamConnection;
import org.xnio.XnioIoThread;

/// How much a connection does before others have their turn, and the work that it posts itself on its IO thread, each
/// kind once at a time.
///
/// XNIO looks at its sockets only when no task is left: work that posts itself for ever would leave the others of this
/// thread unheard. So what has been posted often since the socket was heard of has to wait for them.
public final class Turns {
    private static final int TASKS_A_TURN = 32;
    private static final long NANOS_A_TURN = TimeUnit.MICROSECONDS.toNanos(250);

    private final XnioIoThread io;
    private final Executor nextTurn;
    private final Runnable read;
    private final Runnable flush;
    private int tasks; // since the socket was heard of
    private boolean readPosted;
    private boolean flushPosted;

    /// @param nextTurn does what it is given when the thread has looked at its sockets
    public Turns(XnioIoThread io, Executor nextTurn, Runnable read, Runnable flush) {
        this.io = io;
        this.nextTurn = nextTurn;
        this.read = read;
        this.flush = flush;
    }

    /// Reads and flushes when the socket is heard of, from now on.
    public void begin(StreamConnection channel) {
        channel.getSinkChannel().setWriteListener(_ -> heard(flush));
        channel.getSourceChannel().setReadListener(_ -> heard(read));
        channel.getSourceChannel().wakeupReads();
    }

    private void heard(Runnable of) {
        tasks = 0;
        of.run();
    }

    /// What was posted to read has come to its turn, or need not any more.
    ///
    /// @return [System#nanoTime] from where the rest is for a later turn
    public long reading() {
        readPosted = false;
        return System.nanoTime() + NANOS_A_TURN;
    }

    public void flushing() {
        flushPosted = false;
    }

    public void readSoon() {
        if (readPosted) return;
        readPosted = true;
        nextTurn.execute(read);
    }

    public void flushSoon() {
        if (flushPosted) return;
        flushPosted = true;
        soon(flush);
    }

    /// Runs other work of the connection soon.
    public void soon(Runnable work) {
        if (++tasks < TASKS_A_TURN) post(work);
        else otherwiseHere(nextTurn, work);
    }

    /// Runs what the end of something brings about, once the thread is done with what it does now.
    void post(Runnable work) {
        otherwiseHere(io, work);
    }

    /// A thread that is about to end takes no work, and closes connections as its last act: what is under way
    /// on them still has to be let go of, and told of.
    private static void otherwiseHere(Executor soon, Runnable work) {
        try {
            soon.execute(work);
        } catch (RejectedExecutionException e) {
            work.run();
        }
    }
}
