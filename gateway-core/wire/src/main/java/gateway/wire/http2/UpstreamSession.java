package gateway.wire.http2;

import static java.nio.charset.StandardCharsets.US_ASCII;

import gateway.wire.io.NextTurn;
import gateway.wire.io.Sockets;
import gateway.wire.memory.Holding;
import gateway.wire.memory.Purse;
import io.undertow.connector.ByteBufferPool;
import io.undertow.util.HeaderMap;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.xnio.StreamConnection;
import org.xnio.conduits.StreamSourceConduit;

/// One connection to an upstream server that speaks HTTP/2 (RFC 9113), for many requests at once. All on its IO
/// thread, without locks.
///
/// Content that comes is credited to the connection at once and to its stream as it is taken, so that a stream whose
/// client is slow keeps no other from its content; what may come uncalled for is bounded by the streams' windows,
/// and by [UnderWay] when they are over.
public final class UpstreamSession {
    static final int CONNECTION_WINDOW = 1 << 20;
    private static final int UNSENT_BYTES = 512 * 1024; // then a server that does not read is given up
    private static final int LAST_STREAM = Integer.MAX_VALUE - 2;

    private final StreamConnection channel;
    private final ByteBufferPool buffers;
    private final Owner owner;
    private final StreamSourceConduit socket;
    private final FrameReader reader;
    private final Output output;
    private final FrameWriter writer;
    private final Windows windows = new Windows(CONNECTION_WINDOW);
    private final OpenStreams<UpstreamStream> streams = new OpenStreams<>(windows);
    private final StreamLimit limit = new StreamLimit();
    private final HeadCollector collector;
    private final ServerFrames frames;
    private final KeepAlive keepAlive;
    private final Turns turns;
    private final WaitingStreams waiting;
    private int nextStream = 1;
    private boolean leaving;
    private boolean closed;

    /// Who keeps the connection. Told on the IO thread.
    public interface Owner {
        /// More streams than before may be opened, on this connection or because it does not count any more.
        void roomier();

        /// No more streams are opened on it, those that are open go on.
        void leaving(UpstreamSession session);

        void closed(UpstreamSession session);
    }

    /// @param nextTurn of the channel's IO thread
    /// @param records of buffers that hold the largest frame and more
    /// @param heads for field sections that are incomplete
    /// @param frames for frames that have not come or gone whole
    public UpstreamSession(
            StreamConnection channel,
            NextTurn nextTurn,
            ByteBufferPool buffers,
            ByteBufferPool records,
            Purse heads,
            Purse frames,
            Owner owner) {
        this.channel = channel;
        this.buffers = buffers;
        this.owner = owner;
        this.socket = channel.getSourceChannel().getConduit();
        this.reader = FrameReader.ofServer(records, new Holding(frames));
        this.output = new Output(
                buffers, new Holding(frames), channel.getSinkChannel().getConduit());
        this.turns = new Turns(channel.getIoThread(), nextTurn::run, this::readable, this::flush);
        this.waiting = new WaitingStreams(windows, output, turns);
        this.writer = new FrameWriter(output, this::isOpen, turns::flushSoon);
        this.collector = new HeadCollector(AnswerSection.MOST_BYTES, new Holding(heads));
        this.frames = new ServerFrames(this, limit, collector);
        this.keepAlive = new KeepAlive(this);
    }

    /// Sends the preface and the settings, and begins to read.
    public void begin() {
        byte[] preface = Frame.PREFACE.getBytes(US_ASCII);
        output.put(ByteBuffer.wrap(preface), preface.length);
        writer.settings(Frame.ENABLE_PUSH, 0, Frame.MAX_HEADER_LIST_SIZE, AnswerSection.MOST_BYTES);
        writer.windowUpdate(0, CONNECTION_WINDOW - UpstreamStream.WINDOW);
        channel.setCloseListener(_ -> turns.post(() -> end(Loss.broken("the connection to the upstream broke"))));
        turns.begin(channel);
    }

    /// Whether one more stream may be opened now.
    public boolean hasRoom() {
        return isUsable() && streams.size() < limit.most();
    }

    /// Whether streams are opened, as far as there is room.
    public boolean isUsable() {
        return isOpen() && !leaving && !keepAlive.suspected();
    }

    /// Whether anything has come from the server yet.
    public boolean isProven() {
        return frames.received().settled();
    }

    public boolean isUnused() {
        return streams.isEmpty();
    }

    /// Sends a request's head; only when there is room.
    ///
    /// @param last whether nothing follows it
    /// @param toHead whether the answer has no content whatever it says
    public UpstreamStream open(HeaderMap head, boolean last, boolean toHead, StreamUser user) {
        var stream = new UpstreamStream(this, nextStream, user, windows.initial(), toHead);
        streams.add(stream.id(), stream);
        nextStream += 2;
        stream.begin(head, last);
        if (nextStream > LAST_STREAM) leave();
        return stream;
    }

    OpenStreams<UpstreamStream> streams() {
        return streams;
    }

    ByteBufferPool buffers() {
        return buffers;
    }

    Output output() {
        return output;
    }

    FrameWriter writer() {
        return writer;
    }

    boolean isOpen() {
        return !closed && channel.isOpen();
    }

    /// Whether a stream of this number was opened.
    boolean wasOpened(int id) {
        return id > 0 && id % 2 == 1 && id < nextStream;
    }

    private void readable() {
        long until = turns.reading();
        if (closed) return;
        long now = System.nanoTime();
        frames.received().arriving(now);
        try {
            while (isOpen()) {
                int count = reader.read(socket, frames.received(), until);
                if (count == 0) break;
                if (count < 0) {
                    end(Loss.broken("the upstream closed the connection"));
                    return;
                }
                keepAlive.heard(now);
                if (reader.stopped() || System.nanoTime() - until >= 0) {
                    turns.readSoon();
                    break;
                }
            }
            reader.rest();
            if (output.unsent() > UNSENT_BYTES) end(Loss.broken("the upstream does not read"));
        } catch (Http2Exception e) {
            breakOff(e.code(), Loss.malformed(String.valueOf(e.getMessage())));
        } catch (IOException e) {
            end(Loss.broken("the connection to the upstream broke"));
        } catch (RuntimeException e) { // the gateway's own fault; XNIO logs it
            breakOff(ErrorCode.INTERNAL_ERROR, Loss.broken("the connection to the upstream was given up"));
            throw e;
        }
        flush();
    }

    /// Sends what the socket takes.
    private void flush() {
        turns.flushing();
        if (closed) return;
        try {
            if (output.flush()) channel.getSinkChannel().suspendWrites();
            else channel.getSinkChannel().resumeWrites();
        } catch (IOException e) {
            end(Loss.broken("the connection to the upstream broke"));
            return;
        }
        if (output.isLost()) end(Loss.broken("no memory for the connection to the upstream"));
        else waiting.wake();
    }

    /// Bytes of content that the server takes now, of all streams together.
    long window() {
        return windows.left();
    }

    /// `count` bytes of content are on their way.
    void sent(int count) {
        windows.sent(count);
        frames.sent(count);
    }

    WaitingStreams waiting() {
        return waiting;
    }

    /// The server's settings have come.
    void settled() {
        waiting.wake();
        owner.roomier();
    }

    /// `stream` is over.
    void ended(UpstreamStream stream) {
        streams.remove(stream.id());
        waiting.remove(stream);
        if (closed) return;
        frames.ended(stream);
        if (streams.isEmpty()) keepAlive.quiet();
        if (leaving && streams.isEmpty()) turns.post(this::closeIfUnused);
        owner.roomier();
    }

    /// No more streams are opened, for the server says so, has broken the protocol in one, or is no longer the one to
    /// ask: those that are open go on.
    public void leave() {
        if (leaving) return;
        leaving = true;
        if (streams.isEmpty()) turns.post(this::closeIfUnused);
        owner.leaving(this);
    }

    void suspect() {
        keepAlive.suspect(System.nanoTime());
    }

    void doubt() {
        keepAlive.doubt(System.nanoTime());
    }

    /// Tells that time has passed, about twice a second.
    ///
    /// @param now [System#nanoTime]
    public void onTick(long now) {
        keepAlive.onTick(now);
    }

    /// Says farewell and closes, when no stream is open.
    public void closeIfUnused() {
        if (isOpen() && streams.isEmpty())
            breakOff(ErrorCode.NO_ERROR, Loss.broken("the connection to the upstream was given up"));
    }

    /// Ends the connection and all its streams, so that the server learns why.
    void breakOff(ErrorCode why, Loss loss) {
        if (closed) return;
        writer.goAway(0, why);
        try {
            output.flush();
        } catch (IOException e) {
            // it is closed anyway
        }
        end(loss);
    }

    /// Closes at once, whatever is under way.
    void end(Loss why) {
        if (closed) return;
        closed = true;
        Sockets.close(channel);
        reader.release();
        collector.release();
        for (UpstreamStream stream : List.copyOf(streams.all())) stream.connectionLost(why);
        output.release();
        waiting.clear();
        owner.closed(this);
    }
}
