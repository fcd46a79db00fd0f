package gateway.wire.http2;

import gateway.http.Outcome.Ending;
import gateway.wire.io.BufferPool;
import gateway.wire.io.ConnectionResources;
import gateway.wire.io.LingeringClose;
import gateway.wire.io.Newcomer;
import gateway.wire.io.SilentConnections;
import gateway.wire.io.SilentLine;
import gateway.wire.io.Sockets;
import gateway.wire.memory.Holding;
import gateway.wire.tls.TlsConnection;
import io.undertow.connector.ByteBufferPool;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.xnio.StreamConnection;
import org.xnio.XnioIoThread;
import org.xnio.conduits.StreamSourceConduit;

/// One connection of a client that speaks HTTP/2 (RFC 9113). All on its IO thread, without locks.
public final class Http2Session implements SilentLine.Silent {

    private final StreamConnection channel;
    private final Newcomer newcomer;
    private final BufferPool buffers;
    private final SilentConnections silent;
    private final Http2Memory memory;
    private final String scheme;
    private final Consumer<Http2Stream> requests;
    private final Runnable whenClosed;
    private final StreamSourceConduit socket;
    private final boolean bare; // no TLS
    private final FrameReader reader;
    private final Output output;
    private final Outflow outflow;
    private final FrameWriter writer;
    private final Windows windows = new Windows(Http2Limits.CONNECTION_WINDOW);
    private final OpenStreams<Http2Stream> streams = new OpenStreams<>(windows);
    private final WaitingWriters writers = new WaitingWriters();
    private final Arrivals arrivals = new Arrivals();
    private final ClientFrames frames;
    private final Http2Deadlines deadlines;
    private final GoAway leaving = new GoAway(this);
    private final Turns turns;
    private Ending ending = Ending.CLIENT_GONE;
    private boolean asked;
    private boolean inLine;
    private boolean broken;
    private boolean closed;

    /// @param newcomer what stands on the socket
    /// @param records of buffers that hold the largest frame and more
    /// @param scheme of the connection, whatever requests say
    /// @param requests takes each new stream
    public Http2Session(
            StreamConnection channel,
            Newcomer newcomer,
            ConnectionResources ioThread,
            ByteBufferPool records,
            Http2Limits limits,
            String scheme,
            Consumer<Http2Stream> requests,
            Runnable whenClosed) {
        this.channel = channel;
        this.newcomer = newcomer;
        this.buffers = ioThread.buffers();
        this.silent = ioThread.silent();
        this.memory = new Http2Memory(ioThread, limits);
        this.scheme = scheme;
        this.requests = requests;
        this.whenClosed = whenClosed;
        this.socket = channel.getSourceChannel().getConduit();
        this.bare = !(channel instanceof TlsConnection);
        this.reader = FrameReader.ofClient(records, memory.frames());
        this.output =
                new Output(buffers, memory.frames(), channel.getSinkChannel().getConduit());
        this.turns = new Turns(channel.getIoThread(), newcomer::goOn, this::readable, this::flush);
        this.outflow = new Outflow(this, output, turns, channel.getSinkChannel());
        this.writer = new FrameWriter(output, this::isOpen, turns::flushSoon);
        this.frames = new ClientFrames(this, limits);
        this.deadlines = new Http2Deadlines(this, ioThread.connectionDeadlines(), limits);
    }

    /// Sends the gateway's settings and begins to read; closes when there is no memory for one more connection.
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
        inLine = true;
        silent.begun(this);
        channel.setCloseListener(_ -> post(this::closed));
        turns.begin(channel);
        if (!memory.begin()) breakOff(ErrorCode.ENHANCE_YOUR_CALM);
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

    Http2Memory memory() {
        return memory;
    }

    Arrivals arrivals() {
        return arrivals;
    }

    String scheme() {
        return scheme;
    }

    OpenStreams<Http2Stream> streams() {
        return streams;
    }

    Newcomer newcomer() {
        return newcomer;
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

    Outflow outflow() {
        return outflow;
    }

    FrameWriter writer() {
        return writer;
    }

    public GoAway leaving() {
        return leaving;
    }

    boolean isOpen() {
        return !broken && !closed && channel.isOpen();
    }

    private void readable() {
        long until = turns.reading();
        try {
            while (isOpen()) {
                frames.received().arriving(System.nanoTime());
                int count = reader.read(socket, frames.received(), until);
                if (count == 0) break;
                if (count < 0) {
                    close();
                    return;
                }
                if (reader.stopped() || System.nanoTime() - until >= 0) {
                    turns.readSoon();
                    break;
                }
                if (bare && !reader.filled()) break; // nothing is left there; TLS may hold more
            }
            reader.rest();
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

    /// See [Turns#post].
    void post(Runnable work) {
        turns.post(work);
    }

    /// Opens the stream of a request.
    ///
    /// @param holding of what the stream takes
    void open(int id, FieldSection head, Holding holding, boolean last) {
        asked = true;
        if (inLine) leaveLine();
        var stream = new Http2Stream(this, id, head, holding, last);
        streams.add(id, stream);
        requests.accept(stream);
    }

    private void leaveLine() {
        inLine = false;
        silent.over(this);
    }

    /// No stream has been open for so long.
    void quietFor(long nanos) {
        if (inLine || !asked || nanos < SilentConnections.IDLE_NANOS) return;
        inLine = true;
        silent.idle(this);
    }

    @Override
    public boolean awaitsTurn() {
        return newcomer.awaitsTurn();
    }

    /// What has come meanwhile is read first: a stream keeps the place.
    @Override
    public boolean makeRoom() {
        readable();
        if (!inLine) return closed;
        if (isOpen()) {
            writer.goAway(leaving.last(), ErrorCode.NO_ERROR);
            flush();
        }
        close();
        return true;
    }

    /// A stream is over; `unread` bytes of its content will not be read. The last one ends a connection that is left.
    void ended(Http2Stream stream, int unread) {
        streams.remove(stream.id());
        frames.ended(stream);
        consumed(unread);
        if (streams.isEmpty()) deadlines.quiet();
        if (leaving.hasBegun() && streams.isEmpty()) post(leaving::closeIfIdle);
    }

    /// `bytes` of content have been read, or are not wanted any more.
    void consumed(int bytes) {
        frames.received().consumed(bytes);
    }

    /// Sends what the socket takes.
    void flush() {
        turns.flushing();
        if (closed || broken) return;
        long before = output.sent();
        try {
            if (!outflow.flush()) {
                clientSlow();
                close();
                return;
            }
        } catch (IOException e) {
            close();
            return;
        }
        if (output.sent() > before) writers.wake();
        if (output.unsent() == 0) leaving.sent();
    }

    /// The client stands still, or does not read what waits for it: the connection is about to be ended.
    void clientSlow() {
        ending = Ending.CLIENT_SLOW;
    }

    /// Ends the connection and all its streams, so that the client learns why.
    void breakOff(ErrorCode why) {
        if (!isOpen()) return;
        if (ending == Ending.CLIENT_GONE) ending = EndingReason.of(why);
        writer.goAway(leaving.last(), why);
        flush();
        if (closed) return;
        broken = true;
        end();
        channel.getSinkChannel().suspendWrites();
        try {
            channel.getSinkChannel().getConduit().terminateWrites();
            channel.getSinkChannel().getConduit().flush();
            new LingeringClose(channel, socket).begin();
        } catch (IOException e) {
            close();
        }
    }

    /// Lets go of all that the connection has held.
    private void end() {
        leaveLine();
        for (Http2Stream stream : List.copyOf(streams.all())) stream.gone(ending);
        reader.release();
        output.release();
        frames.collector().release();
        memory.end();
    }

    /// Closes at once, whatever is under way.
    public void close() {
        Sockets.close(channel);
        closed();
    }

    private void closed() {
        if (closed) return;
        closed = true;
        deadlines.end();
        end();
        whenClosed.run();
    }
}
