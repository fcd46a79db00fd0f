package gateway.app.server.h2;

import gateway.app.http2.ErrorCode;
import gateway.app.http2.Frame;
import gateway.app.http2.FrameReader;
import gateway.app.http2.FrameWriter;
import gateway.app.http2.Http2Exception;
import gateway.app.http2.OpenStreams;
import gateway.app.http2.Output;
import gateway.app.http2.Turns;
import gateway.app.http2.Windows;
import gateway.app.server.wire.FieldSection;
import gateway.app.server.wire.LingeringClose;
import gateway.app.tls.TlsConnection;
import gateway.app.upstream.BufferPool;
import gateway.app.upstream.Deadlines;
import gateway.http.Outcome.Ending;
import io.undertow.connector.ByteBufferPool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import org.xnio.IoUtils;
import org.xnio.StreamConnection;
import org.xnio.XnioIoThread;
import org.xnio.conduits.StreamSourceConduit;

/// One connection of a client that speaks HTTP/2 (RFC 9113). All on its IO thread, without locks.
public final class Http2Session {
    private static final int READS_A_TURN = 8; // then others have theirs
    private static final int GATHERED_BYTES = 16 * 1024;

    private final StreamConnection channel;
    private final BufferPool buffers;
    private final String scheme;
    private final Consumer<Http2Stream> requests;
    private final Runnable whenClosed;
    private final StreamSourceConduit socket;
    private final boolean bare; // no TLS
    private final FrameReader reader;
    private final Output output;
    private final FrameWriter writer;
    private final Windows windows = new Windows(Http2Limits.CONNECTION_WINDOW);
    private final OpenStreams<Http2Stream> streams = new OpenStreams<>(windows);
    private final WaitingWriters writers = new WaitingWriters(streams);
    private final ClientFrames frames;
    private final Http2Deadlines deadlines;
    private final Leaving leaving = new Leaving(this);
    private final Turns turns;
    private Ending ending = Ending.CLIENT_GONE;
    private boolean full; // the socket takes no more for now
    private boolean broken;
    private boolean closed;

    /// @param records of buffers that hold the largest frame and more
    /// @param scheme of the connection, whatever requests say
    /// @param requests takes each new stream
    public Http2Session(
            StreamConnection channel,
            BufferPool buffers,
            ByteBufferPool records,
            Deadlines ticks,
            Http2Limits limits,
            String scheme,
            Consumer<Http2Stream> requests,
            Runnable whenClosed) {
        this.channel = channel;
        this.buffers = buffers;
        this.scheme = scheme;
        this.requests = requests;
        this.whenClosed = whenClosed;
        this.socket = channel.getSourceChannel().getConduit();
        this.bare = !(channel instanceof TlsConnection);
        this.reader = FrameReader.ofClient(records);
        this.output = new Output(buffers, channel.getSinkChannel().getConduit());
        this.turns = new Turns(channel.getIoThread(), this::readable, this::flush);
        this.writer = new FrameWriter(output, this::isOpen, turns::flushSoon);
        this.frames = new ClientFrames(this, limits);
        this.deadlines = new Http2Deadlines(this, ticks, limits);
    }

    /// Sends the gateway's settings and begins to read.
    public void begin(Http2Limits limits) {
        writer.settings(
                Frame.MAX_CONCURRENT_STREAMS,
                Http2Limits.STREAMS,
                Frame.MAX_HEADER_LIST_SIZE,
                limits.head().headBytes(),
                Frame.ENABLE_CONNECT_PROTOCOL,
                limits.webSockets() ? 1 : 0);
        writer.windowUpdate(0, Http2Limits.CONNECTION_WINDOW - Http2Limits.STREAM_WINDOW);
        deadlines.begin();
        channel.setCloseListener(_ -> io().execute(this::closed));
        turns.begin(channel);
    }

    XnioIoThread io() {
        return channel.getIoThread();
    }

    StreamConnection channel() {
        return channel;
    }

    BufferPool buffers() {
        return buffers;
    }

    String scheme() {
        return scheme;
    }

    OpenStreams<Http2Stream> streams() {
        return streams;
    }

    WaitingWriters writers() {
        return writers;
    }

    FrameReader reader() {
        return reader;
    }

    ClientFrames frames() {
        return frames;
    }

    Output output() {
        return output;
    }

    FrameWriter writer() {
        return writer;
    }

    public Leaving leaving() {
        return leaving;
    }

    boolean isOpen() {
        return !broken && !closed && channel.isOpen();
    }

    private void readable() {
        turns.reading();
        try {
            for (int i = 0; i < READS_A_TURN && isOpen(); i++) {
                frames.received().arriving(System.nanoTime());
                int count = reader.read(socket, frames.received());
                if (count == 0) break;
                if (count < 0) {
                    close();
                    return;
                }
                if (bare && !reader.filled()) break; // nothing is left there; TLS may hold more
                if (i == READS_A_TURN - 1) turns.readSoon();
            }
            if (output.unsent() > Http2Limits.UNSENT_BYTES) {
                clientSlow();
                close();
            }
        } catch (Http2Exception e) {
            breakOff(e.code());
        } catch (IOException e) {
            close();
        } catch (RuntimeException e) { // the gateway's own fault; XNIO logs it
            breakOff(ErrorCode.INTERNAL_ERROR);
            throw e;
        }
    }

    void soon(Runnable work) {
        turns.soon(work);
    }

    /// Opens the stream of a request.
    void open(int id, FieldSection head, boolean last) {
        var stream = new Http2Stream(this, id, head, windows.initial(), last);
        streams.add(id, stream);
        requests.accept(stream);
    }

    /// A stream is over; `unread` bytes of its content will not be read. The last one ends a connection that is left.
    void ended(Http2Stream stream, int unread) {
        streams.remove(stream.id());
        consumed(unread);
        if (streams.isEmpty()) deadlines.quiet();
        if (leaving.hasBegun() && streams.isEmpty()) io().execute(leaving::closeIfIdle);
    }

    /// `bytes` of content have been read, or are not wanted any more.
    void consumed(int bytes) {
        frames.received().consumed(bytes);
    }

    /// Bytes of content that may be sent now: at most `wanted`, and a frame.
    int allowed(Http2Stream stream, int wanted) {
        if (!isOpen()) return 0;
        long left = Math.min(stream.window(), windows.left());
        return (int) Math.min(Math.min(wanted, Frame.MAX_PAYLOAD), Math.min(left, output.room()));
    }

    /// `count` bytes of content, which are allowed.
    void send(Http2Stream stream, ByteBuffer content, int count) {
        writer.content(stream.id(), content, count);
        stream.sent(count);
        windows.sent(count);
        frames.sent(count);
    }

    /// Whether what was appended is as good as sent: it leaves when this turn of the event loop is done, in one
    /// write with what other streams append until then. Not while the socket is full, and not without bound: what
    /// a client does not read keeps its streams open, and so counts.
    boolean gathers() {
        if (full || output.unsent() >= GATHERED_BYTES) return false;
        turns.flushSoon();
        return true;
    }

    /// Sends what the socket takes.
    void flush() {
        turns.flushing();
        if (closed || broken) return;
        long before = output.sent();
        try {
            sends(!output.flush());
        } catch (IOException e) {
            close();
            return;
        }
        if (output.sent() > before) writers.wake();
        if (output.unsent() == 0) leaving.sent();
    }

    /// Waits for the socket, or no longer does.
    private void sends(boolean waitsForSocket) {
        if (waitsForSocket == full) return;
        full = waitsForSocket;
        if (full) channel.getSinkChannel().resumeWrites();
        else channel.getSinkChannel().suspendWrites();
    }

    /// The client stands still, or does not read what waits for it: the connection is about to be ended.
    void clientSlow() {
        ending = Ending.CLIENT_SLOW;
    }

    /// Ends the connection and all its streams, so that the client learns why.
    void breakOff(ErrorCode why) {
        if (!isOpen()) return;
        if (ending == Ending.CLIENT_GONE) ending = Blame.of(why);
        writer.goAway(leaving.last(), why);
        flush();
        if (closed) return;
        broken = true;
        endStreams();
        channel.getSinkChannel().suspendWrites();
        try {
            channel.getSinkChannel().getConduit().terminateWrites();
            channel.getSinkChannel().getConduit().flush();
            new LingeringClose(channel, socket).begin();
        } catch (IOException e) {
            close();
        }
    }

    private void endStreams() {
        for (Http2Stream stream : List.copyOf(streams.all())) stream.gone(ending);
    }

    /// Closes at once, whatever is under way.
    public void close() {
        IoUtils.safeClose(channel);
        closed();
    }

    private void closed() {
        if (closed) return;
        closed = true;
        deadlines.end();
        endStreams();
        reader.release();
        output.release();
        whenClosed.run();
    }
}
