package gateway.wire.tls;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import org.xnio.Buffers;
import org.xnio.conduits.StreamSinkConduit;

/// The records that one connection sends. They cannot be taken back, so those that the socket does not take wait.
final class TlsOutput {
    private static final ByteBuffer[] NO_SOURCES = {ByteBuffer.allocate(0)};
    private static final int RECORD = TlsConnection.BUFFER_BYTES / 2; // room for one of the largest kind

    private final LateEngine engine;
    private final StreamSinkConduit out;
    private final Backlog toSend;
    private boolean broken;
    private boolean closed;

    TlsOutput(LateEngine engine, StreamSinkConduit out, Backlog toSend) {
        this.engine = engine;
        this.out = out;
        this.toSend = toSend;
    }

    /// Takes as many bytes of `sources` as leave now, and up to a buffer more; these leave by themselves later.
    long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        long taken = 0;
        while (flushed() && Buffers.hasRemaining(sources, offset, length)) taken += wrap(sources, offset, length);
        return taken;
    }

    /// What the engine has to say itself; answers whether there was room for it.
    boolean writeOwn() throws IOException {
        if (!flushed()) return false;
        wrap(NO_SOURCES, 0, 1);
        flushed();
        return true;
    }

    /// Sends what is left over; answers whether nothing is.
    boolean flushed() throws IOException {
        if (broken) throw new ClosedChannelException();
        if (toSend.send(out)) return true;
        out.resumeWrites();
        return false;
    }

    /// Tells the peer that nothing more comes (`close_notify`); answers whether that has left.
    boolean finish() throws IOException {
        if (!flushed()) return false;
        engine.get().closeOutbound();
        if (!engine.get().isOutboundDone()) wrap(NO_SOURCES, 0, 1);
        return flushed();
    }

    /// After a failed handshake: tells the peer why, as far as that leaves at once.
    void alert() {
        if (!engine.isMade()) return;
        try {
            for (int i = 0; i < 4 && engine.get().getHandshakeStatus() == HandshakeStatus.NEED_WRAP; i++) {
                if (!writeOwn()) return;
            }
            flushed();
        } catch (IOException e) {
            // it does not get to know
        }
    }

    /// Makes records of `sources`, as many as fit, and leaves them to be sent. Answers how many bytes it took.
    private int wrap(ByteBuffer[] sources, int offset, int length) throws IOException {
        if (closed) throw new ClosedChannelException();
        ByteBuffer records = toSend.bytes().clear();
        int taken = 0;
        try {
            SSLEngineResult result;
            do {
                result = engine.get().wrap(sources, offset, length, records);
                taken += result.bytesConsumed();
            } while (result.getStatus() == SSLEngineResult.Status.OK
                    && records.remaining() >= RECORD
                    && (Buffers.hasRemaining(sources, offset, length)
                            || engine.get().getHandshakeStatus() == HandshakeStatus.NEED_WRAP));
            if (result.getStatus() == SSLEngineResult.Status.CLOSED && records.position() == 0) {
                throw new ClosedChannelException();
            }
        } finally {
            records.flip(); // of a failed handshake: what tells the peer why
            toSend.settle();
        }
        return taken;
    }

    /// Drops what waits: it cannot be sent any more.
    void giveUp() {
        broken = true;
        toSend.free();
    }

    /// Drops what waits, and makes no more.
    void close() {
        closed = true;
        toSend.free();
    }
}
