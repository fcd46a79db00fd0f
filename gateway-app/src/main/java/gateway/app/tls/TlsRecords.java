package gateway.app.tls;

import io.undertow.connector.ByteBufferPool;
import io.undertow.connector.PooledByteBuffer;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.xnio.Buffers;
import org.xnio.conduits.StreamSinkConduit;
import org.xnio.conduits.StreamSourceConduit;

/// Turns TLS records from a socket into plain bytes and plain bytes into records, by one engine. Never blocks; used on
/// the connection's IO thread only. The engine's own tasks, signatures mostly, run there too: handing them over costs
/// more than it gives, see decision 90.
final class TlsRecords {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final ByteBuffer[] NO_SOURCES = {NOTHING};
    private static final int RECORD = TlsConnection.BUFFER_BYTES / 2; // room for one of the largest kind

    /// In a row, after the handshake. Go's crypto/tls allows 16.
    private static final int MOST_WITHOUT_CONTENT = 32;

    private final SSLEngine engine;
    private final StreamSourceConduit in;
    private final StreamSinkConduit out;
    private final ByteBufferPool buffers;
    private @Nullable PooledByteBuffer received; // from the socket, ready to read
    private @Nullable PooledByteBuffer plain; // decrypted and not taken, ready to read
    private @Nullable PooledByteBuffer toSend; // what the socket has not taken, ready to read
    private boolean starved = true; // what is received makes no whole record
    private boolean ended;
    private int withoutContent;
    private boolean established;
    private boolean released;

    /// @param buffers of two packets each or more
    TlsRecords(SSLEngine engine, StreamSourceConduit in, StreamSinkConduit out, ByteBufferPool buffers) {
        this.engine = engine;
        this.in = in;
        this.out = out;
        this.buffers = buffers;
    }

    boolean established() {
        return established;
    }

    /// Whether reading again may give something though nothing more arrives at the socket.
    boolean mayHoldMore() {
        return plain != null || ended || (received != null && !starved);
    }

    /// Goes on with the handshake as far as the socket lets it; answers whether it is done.
    boolean handshake() throws IOException {
        while (!established) {
            if (released) throw new ClosedChannelException();
            switch (engine.getHandshakeStatus()) {
                case NEED_TASK -> runTasks();
                case NEED_WRAP -> {
                    if (!flushed()) return false;
                    wrap(NO_SOURCES, 0, 1);
                    flushed();
                }
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                    if (starved && !receive()) {
                        if (ended) throw new EOFException("the peer left in the handshake");
                        return false;
                    }
                    unwrap(NOTHING);
                    if (ended) throw new EOFException("the peer ended the handshake");
                }
                case NOT_HANDSHAKING, FINISHED -> established = true;
            }
        }
        return true;
    }

    /// So many bytes, 0 when none are there for now, -1 after the peer's end.
    int read(ByteBuffer target) throws IOException {
        if (!target.hasRemaining()) return 0;
        if (!handshake()) return 0;
        while (true) {
            if (plain != null) return takePlain(plain, target);
            if (ended) return -1;
            if (starved && !receive()) {
                if (!ended) return 0;
                if (engine.getUseClientMode()) throw new EOFException("the peer left without saying so");
                return -1;
            }
            int count = unwrap(target);
            if (count > 0) return count;
        }
    }

    /// Takes as many bytes of `sources` as leave now, and up to a buffer more; these leave by themselves later.
    long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        if (!handshake()) return 0;
        long taken = 0;
        while (flushed() && Buffers.hasRemaining(sources, offset, length)) taken += wrap(sources, offset, length);
        return taken;
    }

    /// Sends what is left over; answers whether nothing is.
    boolean flushed() throws IOException {
        PooledByteBuffer left = toSend;
        if (left == null) return true;
        while (left.getBuffer().hasRemaining()) {
            if (out.write(left.getBuffer()) > 0) continue;
            out.resumeWrites();
            return false;
        }
        left.close();
        toSend = null;
        return true;
    }

    /// Tells the peer that nothing more comes (`close_notify`); answers whether that has left.
    boolean finish() throws IOException {
        if (!flushed()) return false;
        engine.closeOutbound();
        if (!engine.isOutboundDone()) wrap(NO_SOURCES, 0, 1);
        return flushed();
    }

    /// After a failed handshake: tells the peer why, as far as that leaves at once.
    void alert() {
        try {
            for (int i = 0; i < 4 && engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP && flushed(); i++) {
                wrap(NO_SOURCES, 0, 1);
            }
            flushed();
        } catch (IOException e) {
            // it does not get to know
        }
    }

    void release() {
        if (released) return;
        released = true;
        ended = true;
        received = closed(received);
        plain = closed(plain);
        toSend = closed(toSend);
        Engines.release(engine);
    }

    private static @Nullable PooledByteBuffer closed(@Nullable PooledByteBuffer buffer) {
        if (buffer != null) buffer.close();
        return null;
    }

    private void runTasks() {
        for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) task.run();
    }

    private boolean receive() throws IOException {
        if (released) throw new ClosedChannelException();
        PooledByteBuffer into = received;
        if (into == null) {
            into = buffers.allocate();
            into.getBuffer().limit(0);
            received = into;
        }
        int count = -1;
        ByteBuffer records = into.getBuffer().compact();
        try {
            count = in.read(records);
        } finally {
            if (!released) { // reading the end of a socket that was written to its end closes the connection
                records.flip();
                if (!records.hasRemaining()) received = closed(into);
            }
        }
        if (count < 0) ended = true;
        if (count > 0) starved = false;
        return count > 0;
    }

    private int unwrap(ByteBuffer target) throws IOException {
        PooledByteBuffer from = received;
        if (from == null) {
            starved = true;
            return 0;
        }
        int before = target.position();
        SSLEngineResult result = engine.unwrap(from.getBuffer(), target);
        if (result.getStatus() == SSLEngineResult.Status.BUFFER_OVERFLOW) result = unwrapAside(from.getBuffer());
        switch (result.getStatus()) {
            case BUFFER_UNDERFLOW -> starved = true;
            case CLOSED -> ended = true;
            case OK -> {}
            case BUFFER_OVERFLOW -> throw new SSLException("a record is too large");
        }
        if (!from.getBuffer().hasRemaining()) {
            received = closed(from);
            starved = true;
        }
        if (established && result.getStatus() == SSLEngineResult.Status.OK) requireContent(result.bytesProduced() > 0);
        if (established && !ended) afterHandshake(result.getHandshakeStatus());
        return target.position() - before;
    }

    /// New keys, empty records and warnings cost the peer next to nothing, and are read on and on within one turn. Nor
    /// may an engine that has stored up its failure, as Netty's does while an answer waits, be asked for ever.
    private void requireContent(boolean came) throws SSLException {
        withoutContent = came ? 0 : withoutContent + 1;
        if (withoutContent > MOST_WITHOUT_CONTENT) throw new SSLException("too many records without content");
    }

    /// The target is too small for a whole record.
    private SSLEngineResult unwrapAside(ByteBuffer from) throws IOException {
        PooledByteBuffer aside = buffers.allocate();
        try {
            SSLEngineResult result = engine.unwrap(from, aside.getBuffer());
            aside.getBuffer().flip();
            if (aside.getBuffer().hasRemaining()) {
                plain = aside;
                aside = null;
            }
            return result;
        } finally {
            if (aside != null) aside.close();
        }
    }

    private int takePlain(PooledByteBuffer from, ByteBuffer target) {
        int count = Buffers.copy(target, from.getBuffer());
        if (!from.getBuffer().hasRemaining()) plain = closed(from);
        return count;
    }

    /// Tickets and new keys (RFC 8446 §4.6). A TLS 1.2 peer that asks for another handshake is turned away: that only
    /// ever served attacks.
    ///
    /// @param first as the engine has just answered: Netty's tells later that nothing is due when a failure is
    private void afterHandshake(HandshakeStatus first) throws IOException {
        HandshakeStatus status = first;
        if (status == HandshakeStatus.NOT_HANDSHAKING) return;
        if (!engine.getSession().getProtocol().equals("TLSv1.3")) throw new SSLException("no renegotiation");
        while (true) {
            switch (status) {
                case NEED_TASK -> runTasks();
                case NEED_WRAP -> {
                    if (!flushed()) return; // another write does it
                    wrap(NO_SOURCES, 0, 1);
                    flushed();
                }
                default -> {
                    return;
                }
            }
            status = engine.getHandshakeStatus();
        }
    }

    /// Makes records of `sources`, as many as fit, and leaves them to be sent. Answers how many bytes it took.
    private int wrap(ByteBuffer[] sources, int offset, int length) throws IOException {
        if (released) throw new ClosedChannelException();
        PooledByteBuffer into = buffers.allocate();
        ByteBuffer records = into.getBuffer();
        int taken = 0;
        try {
            SSLEngineResult result;
            do {
                result = engine.wrap(sources, offset, length, records);
                taken += result.bytesConsumed();
            } while (result.getStatus() == SSLEngineResult.Status.OK
                    && records.remaining() >= RECORD
                    && (Buffers.hasRemaining(sources, offset, length)
                            || engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP));
            if (result.getStatus() == SSLEngineResult.Status.CLOSED && records.position() == 0) {
                throw new ClosedChannelException();
            }
        } finally {
            records.flip();
            if (records.hasRemaining()) toSend = into; // of a failed handshake: what tells the peer why
            else into.close();
        }
        return taken;
    }
}
