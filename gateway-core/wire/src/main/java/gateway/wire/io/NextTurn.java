package gateway.wire.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.xnio.ChannelPipe;
import org.xnio.IoUtils;
import org.xnio.XnioIoThread;
import org.xnio.channels.StreamSinkChannel;
import org.xnio.channels.StreamSourceChannel;

/// Work of an IO thread that goes on when the thread has looked at all of its sockets. Used on that thread alone.
///
/// XNIO runs what an IO thread posts itself before it looks at a socket again, timers that are due among it: work that
/// goes on in this way leaves everybody else unheard. A pipe of the thread's own is a socket like the others, so what
/// it brings is done no earlier than what they have brought by then.
public final class NextTurn {
    private final XnioIoThread io;
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private final ByteBuffer octet = ByteBuffer.allocateDirect(1);
    private @Nullable ChannelPipe<StreamSourceChannel, StreamSinkChannel> pipe;

    public NextTurn(XnioIoThread io) {
        this.io = io;
    }

    /// @throws java.util.concurrent.RejectedExecutionException when neither a pipe nor a timer is to be had, since the
    ///     thread is about to end
    public void run(Runnable work) {
        if (waiting.isEmpty()) ring();
        waiting.add(work);
    }

    private void ring() {
        try {
            if (pipe == null) pipe = open();
            octet.clear();
            if (pipe.getRightSide().write(octet) == 1) return;
        } catch (IOException e) { // too many open files
            close();
        }
        io.executeAfter(this::come, 1, TimeUnit.MILLISECONDS);
    }

    private ChannelPipe<StreamSourceChannel, StreamSinkChannel> open() throws IOException {
        var opened = io.createHalfDuplexPipe();
        opened.getLeftSide().getReadSetter().set(this::heard);
        opened.getLeftSide().resumeReads();
        return opened;
    }

    private void heard(StreamSourceChannel source) {
        octet.clear();
        try {
            if (source.read(octet) == 1) come();
        } catch (IOException e) { // nobody else has it, so nothing can break it
            throw new IllegalStateException("the pipe of an IO thread broke", e);
        }
    }

    /// Each by itself: what one throws is nothing to the others.
    private void come() {
        Runnable work;
        while ((work = waiting.poll()) != null) io.execute(work);
    }

    /// The thread is about to end. What waits is not run.
    public void close() {
        if (pipe == null) return;
        IoUtils.safeClose(pipe.getLeftSide());
        IoUtils.safeClose(pipe.getRightSide());
        pipe = null;
    }
}
