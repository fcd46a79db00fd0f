package gateway.wire.client;

import static java.nio.charset.StandardCharsets.US_ASCII;

import gateway.wire.http1.ResponseHeadParser;
import gateway.wire.io.Deadlines;
import gateway.wire.io.HeapPieces;
import gateway.wire.io.Sockets;
import gateway.wire.tunnel.ConduitEnd;
import gateway.wire.tunnel.TunnelEnd;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.xnio.Buffers;
import org.xnio.StreamConnection;
import org.xnio.conduits.ReadReadyHandler;
import org.xnio.conduits.StreamSinkConduit;
import org.xnio.conduits.StreamSourceConduit;
import org.xnio.conduits.WriteReadyHandler;

/// One connection to an upstream server, idle or in the hands of one [Http1Call]. Used on its IO thread only.
///
/// Reads stay resumed while it is idle and while a response is awaited, so that a close is noticed and the selector's
/// interest rarely changes; they are really suspended only when bytes arrive that nobody wants yet.
final class UpstreamConnection implements ReadReadyHandler, WriteReadyHandler, Deadlines.Timed {
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final ByteBuffer TIMEOUT = ByteBuffer.wrap(" 408".getBytes(US_ASCII)); // behind a version
    private static final int VERSION_LENGTH = "HTTP/1.1".length();

    private final IoThreadResources ioThread;
    private final TargetAddress address;
    private final StreamConnection channel;
    private final StreamSourceConduit source;
    private final StreamSinkConduit sink;
    private @Nullable Http1Call call;
    private @Nullable ByteBuffer taken;
    private ByteBuffer in = NOTHING;
    private boolean watchingReads;
    private boolean watchingWrites;
    private boolean closed;
    private long idleSince;
    private int slot = -1;
    private List<InetAddress> leadsTo = List.of();

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    UpstreamConnection(IoThreadResources ioThread, TargetAddress address, StreamConnection channel, Terms terms) {
        this.ioThread = ioThread;
        this.address = address;
        this.channel = channel;
        this.source = channel.getSourceChannel().getConduit();
        this.sink = new HeapPieces(channel.getSinkChannel().getConduit());
        source.setReadReadyHandler(this);
        sink.setWriteReadyHandler(this);
        ioThread.idle(address).opened(terms);
    }

    void serve(Http1Call next) {
        call = next;
        watchReads();
    }

    /// What has arrived and was not taken yet. Only valid until the next [#read].
    ByteBuffer in() {
        return in;
    }

    /// Reads once more into [#in]: so many bytes, 0 when none are there, -1 at the end.
    int read() throws IOException {
        makeRoom();
        in.compact();
        try {
            return source.read(in);
        } finally {
            in.flip();
            if (!in.hasRemaining()) freeBuffer();
        }
    }

    private void makeRoom() {
        if (in.capacity() == 0) {
            taken = ioThread.buffers().take();
            in = taken.flip();
        } else if (in.remaining() == in.capacity()) { // a head larger than a buffer
            ByteBuffer larger = ByteBuffer.allocate(ResponseHeadParser.LONGEST_HEAD + 1)
                    .put(in)
                    .flip();
            freeBuffer();
            in = larger;
        }
    }

    /// Gives the buffer back once it is empty, so that a waiting connection holds none.
    void freeBuffer() {
        in = NOTHING;
        if (taken != null) ioThread.buffers().giveBack(taken);
        taken = null;
    }

    int write(ByteBuffer bytes) throws IOException {
        return sink.write(bytes);
    }

    long write(ByteBuffer[] bytes) throws IOException {
        return sink.write(bytes, 0, bytes.length);
    }

    void watchReads() {
        if (watchingReads) return;
        watchingReads = true;
        source.resumeReads();
    }

    void watchWrites(boolean watch) {
        if (watch == watchingWrites) return;
        watchingWrites = watch;
        if (watch) sink.resumeWrites();
        else sink.suspendWrites();
    }

    /// The call is over and whole; the connection waits for the next one.
    ///
    /// @param surplus that may come behind its answer
    void release(Surplus surplus) {
        call = null;
        freeBuffer();
        watchWrites(false);
        watchReads();
        idleSince = System.nanoTime();
        ioThread.idle(address).put(this, surplus);
    }

    /// [System#nanoTime] when its last call ended.
    long idleSince() {
        return idleSince;
    }

    void close() {
        call = null;
        freeBuffer();
        if (!closed) ioThread.closed(address);
        closed = true;
        Sockets.close(channel);
    }

    /// What is left of it when its bytes are no longer HTTP; only [#in] and [#close] may still be used.
    TunnelEnd tunnelEnd() {
        if (!in.hasRemaining()) freeBuffer();
        source.suspendReads();
        sink.suspendWrites();
        source.setReadReadyHandler(new ReadReadyHandler.ChannelListenerHandler<>(channel.getSourceChannel()));
        sink.setWriteReadyHandler(new WriteReadyHandler.ChannelListenerHandler<>(channel.getSinkChannel()));
        return new ConduitEnd(channel.getSourceChannel(), channel.getSinkChannel(), source, this::readBehind);
    }

    /// What came behind the answer first.
    private int readBehind(ByteBuffer into) throws IOException {
        if (!in.hasRemaining()) return source.read(into);
        int count = Buffers.copy(into, in);
        if (!in.hasRemaining()) freeBuffer();
        return count;
    }

    boolean isOpen() {
        return channel.isOpen();
    }

    /// Whether it leads to one of `addresses`. A comparison of references while these stand as they did the last time.
    @SuppressWarnings("ReferenceEquality") // the resolver answers the same list as long as nothing changes
    boolean leadsTo(ServerAddresses addresses) {
        if (addresses.now() == leadsTo) return true;
        if (!addresses.include(peer(channel))) return false;
        leadsTo = addresses.now();
        return true;
    }

    /// Whom it was made to; null when that cannot be told any more.
    static @Nullable InetAddress peer(StreamConnection channel) {
        var peer = channel.getPeerAddress(InetSocketAddress.class);
        return peer == null ? null : peer.getAddress();
    }

    @Override
    public void readReady() {
        arrived();
        ioThread.runRequestTurns();
    }

    private void arrived() {
        Http1Call current = call;
        if (current == null) {
            if (!isSilent()) closeIdle(); // the server closed it, or speaks without being asked
            return;
        }
        if (current.readable()) return;
        watchingReads = false;
        source.suspendReads();
    }

    @Override
    public void writeReady() {
        Http1Call current = call;
        if (current != null) current.writable();
        else watchWrites(false);
    }

    /// Nothing but what TLS peers say to each other, such as new tickets, has arrived.
    boolean isSilent() {
        try {
            int count = channel.isOpen() ? read() : -1;
            if (count > 0 && !saysTimeout()) heardUnasked();
            return count == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /// Whether what came is how some servers end a connection that nobody uses (RFC 9110 §15.5.9).
    private boolean saysTimeout() {
        return in.remaining() >= VERSION_LENGTH + TIMEOUT.remaining()
                && in.slice(in.position() + VERSION_LENGTH, TIMEOUT.remaining()).equals(TIMEOUT);
    }

    /// More has come than the answer.
    void heardUnasked() {
        ioThread.unaskedServers().add(address, System.nanoTime());
    }

    void closeIdle() {
        ioThread.idle(address).remove(this);
        close();
    }

    @Override
    public void onTick(long now) {
        if (now - idleSince > IDLE_NANOS) closeIdle();
    }

    @Override
    public void forceTermination() {
        Sockets.close(channel);
    }

    @Override
    public void terminated() {}

    @Override
    public int slot() {
        return slot;
    }

    @Override
    public void slot(int slot) {
        this.slot = slot;
    }
}
