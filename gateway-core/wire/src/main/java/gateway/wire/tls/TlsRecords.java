package gateway.wire.tls;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import org.xnio.Buffers;
import org.xnio.conduits.StreamSinkConduit;
import org.xnio.conduits.StreamSourceConduit;

/// Turns TLS records from a socket into plain bytes and plain bytes into records, by one engine. Never blocks; used on
/// the connection's IO thread only. The engine's own tasks, signatures mostly, run there too: handing them over costs
/// more than it gives, see decision 90.
final class TlsRecords {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    /// In a row, after the handshake. Go's crypto/tls allows 16.
    private static final int MOST_WITHOUT_CONTENT = 32;

    private final LateEngine engine;
    private final boolean clients;
    private final StreamSourceConduit in;
    private final TlsThreadResources ioThread;
    private final TlsOutput output;
    private final Runnable whenGivenUp;
    private final Backlog received; // from the socket
    private final Backlog plain; // decrypted and not taken
    private boolean starved = true; // what is received makes no whole record
    private boolean ended;
    private int withoutContent;
    private boolean established;
    private boolean givenUp;
    private boolean released;

    /// @param clients whether the peer is a client; its engine is made when all of its first message is here
    /// @param whenGivenUp told when others need the memory that this connection holds: it can only be closed
    TlsRecords(
            LateEngine engine,
            boolean clients,
            StreamSourceConduit in,
            StreamSinkConduit out,
            TlsThreadResources ioThread,
            Runnable whenGivenUp) {
        this.engine = engine;
        this.clients = clients;
        this.in = in;
        this.ioThread = ioThread;
        this.output = new TlsOutput(engine, out, new Backlog(ioThread, this));
        this.whenGivenUp = whenGivenUp;
        this.received = new Backlog(ioThread, this);
        this.plain = new Backlog(ioThread, this);
    }

    boolean established() {
        return established;
    }

    /// Whether the peer is a client.
    boolean isClients() {
        return clients;
    }

    /// Whether reading again may give something though nothing more arrives at the socket.
    boolean mayHoldMore() {
        return !plain.isEmpty() || ended || (!received.isEmpty() && !starved);
    }

    /// Goes on with the handshake as far as the socket lets it; answers whether it is done.
    boolean handshake() throws IOException {
        if (givenUp) throw new IOException("the memory that the connection held was needed");
        while (!established) {
            if (released) throw new ClosedChannelException();
            if (!engine.isMade() && !begun()) return false;
            switch (engine.get().getHandshakeStatus()) {
                case NEED_TASK -> runTasks();
                case NEED_WRAP -> {
                    if (!output.writeOwn()) return false;
                }
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                    if (starved && !receive()) {
                        if (ended) throw new EOFException("the peer left in the handshake");
                        return false;
                    }
                    unwrap(NOTHING);
                    if (ended) throw new EOFException("the peer ended the handshake");
                    if (starved) askAgain();
                }
                case NOT_HANDSHAKING, FINISHED -> {
                    established = true;
                    engine.established();
                }
            }
        }
        return true;
    }

    /// BoringSSL finds its hands shaken by the peer's last message only when it is asked once more, and the peer may
    /// have nothing to say for now.
    private void askAgain() throws SSLException {
        if (engine.get().getHandshakeStatus() == HandshakeStatus.NEED_UNWRAP)
            engine.get().unwrap(NOTHING, NOTHING);
    }

    /// Makes the engine, once it is needed; answers whether it is.
    private boolean begun() throws IOException {
        while (clients && ClientHello.isUnfinished(received.bytes()) && !received.isFull()) {
            if (receive()) continue;
            if (ended) throw new EOFException("the client left before it said who it is");
            return false;
        }
        engine.make(clients ? ServerName.in(received.bytes()) : "", ioThread.handshakes());
        return true;
    }

    /// So many bytes, 0 when none are there for now, -1 after the peer's end.
    int read(ByteBuffer target) throws IOException {
        if (!target.hasRemaining()) return 0;
        if (!handshake()) return 0;
        while (true) {
            if (!plain.isEmpty()) return takePlain(target);
            if (ended) return -1;
            if (starved && !receive()) {
                if (!ended) return 0;
                if (!clients) throw new EOFException("the peer left without saying so");
                return -1;
            }
            int count = unwrap(target);
            if (count > 0) return count;
        }
    }

    /// Takes as many bytes of `sources` as leave now, and up to a buffer more; these leave by themselves later.
    long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        if (!handshake()) return 0;
        return output.write(sources, offset, length);
    }

    /// Sends what is left over; answers whether nothing is.
    boolean flushed() throws IOException {
        return output.flushed();
    }

    /// Tells the peer that nothing more comes (`close_notify`); answers whether that has left.
    boolean finish() throws IOException {
        return output.finish();
    }

    /// After a failed handshake: tells the peer why, as far as that leaves at once.
    void alert() {
        output.alert();
    }

    void release() {
        if (released) return;
        released = true;
        ended = true;
        received.free();
        plain.free();
        output.close();
        engine.release();
    }

    /// Others need the memory: what waits is gone, and with it the connection.
    void giveUp() {
        if (givenUp || released) return;
        givenUp = true;
        received.free();
        plain.free();
        output.giveUp();
        whenGivenUp.run();
    }

    private void runTasks() {
        for (Runnable task = engine.get().getDelegatedTask();
                task != null;
                task = engine.get().getDelegatedTask()) task.run();
    }

    private boolean receive() throws IOException {
        if (released) throw new ClosedChannelException();
        int count = received.receive(in);
        if (count < 0) ended = true;
        if (count > 0) starved = false;
        return count > 0;
    }

    private int unwrap(ByteBuffer target) throws IOException {
        if (received.isEmpty()) {
            starved = true;
            return 0;
        }
        ByteBuffer from = received.bytes();
        int before = target.position();
        SSLEngineResult result = engine.get().unwrap(from, target);
        if (result.getStatus() == SSLEngineResult.Status.BUFFER_OVERFLOW) result = unwrapAside(from);
        switch (result.getStatus()) {
            case BUFFER_UNDERFLOW -> starved = true;
            case CLOSED -> ended = true;
            case OK -> {}
            case BUFFER_OVERFLOW -> throw new SSLException("a record is too large");
        }
        received.settle();
        if (received.isEmpty()) starved = true;
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
        received.use(true);
        try {
            ByteBuffer aside = plain.bytes().clear();
            try {
                return engine.get().unwrap(from, aside);
            } finally {
                aside.flip();
                plain.settle();
            }
        } finally {
            received.use(false);
        }
    }

    private int takePlain(ByteBuffer target) {
        int count = Buffers.copy(target, plain.bytes());
        plain.settle();
        return count;
    }

    /// Tickets and new keys (RFC 8446 §4.6). A TLS 1.2 peer that asks for another handshake is turned away: that only
    /// ever served attacks.
    ///
    /// @param first as the engine has just answered: Netty's tells later that nothing is due when a failure is
    private void afterHandshake(HandshakeStatus first) throws IOException {
        HandshakeStatus status = first;
        if (status == HandshakeStatus.NOT_HANDSHAKING) return;
        if (!engine.get().getSession().getProtocol().equals("TLSv1.3")) throw new SSLException("no renegotiation");
        while (true) {
            switch (status) {
                case NEED_TASK -> runTasks();
                case NEED_WRAP -> {
                    if (!output.writeOwn()) return; // another write does it
                }
                default -> {
                    return;
                }
            }
            status = engine.get().getHandshakeStatus();
        }
    }
}
