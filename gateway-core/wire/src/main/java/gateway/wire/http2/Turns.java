package gateway.wire.http2;

import java.util.concurrent.TimeUnit;
import org.xnio.StreamConnection;
import org.xnio.XnioIoThread;

/// Work that a connection posts itself on its IO thread, each kind once at a time.
///
/// XNIO looks at its sockets only when no task is left: work that posts itself for ever would leave the others of this
/// thread unheard. So what has been posted often since the socket was heard of has to wait for them.
public final class Turns {
    private static final int TASKS_A_TURN = 1024;

    private final XnioIoThread io;
    private final Runnable read;
    private final Runnable flush;
    private int tasks; // since the socket was heard of
    private boolean readPosted;
    private boolean flushPosted;

    public Turns(XnioIoThread io, Runnable read, Runnable flush) {
        this.io = io;
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
    public void reading() {
        readPosted = false;
    }

    public void flushing() {
        flushPosted = false;
    }

    public void readSoon() {
        if (readPosted) return;
        readPosted = true;
        afterOthers(read);
    }

    public void flushSoon() {
        if (flushPosted) return;
        flushPosted = true;
        soon(flush);
    }

    /// Runs other work of the connection soon.
    public void soon(Runnable work) {
        if (++tasks < TASKS_A_TURN) io.execute(work);
        else afterOthers(work);
    }

    private void afterOthers(Runnable work) {
        io.executeAfter(work, 1, TimeUnit.MILLISECONDS);
    }
}
