package gateway.wire.tls;

import gateway.http.ClientCertificate;
import gateway.wire.io.Newcomer;
import gateway.wire.io.SilentLine;
import gateway.wire.io.Sockets;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.security.cert.Certificate;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.xnio.ChannelListener;
import org.xnio.IoUtils;
import org.xnio.Option;
import org.xnio.Options;
import org.xnio.StreamConnection;
import org.xnio.ssl.SslConnection;

/// A socket's connection, spoken to in plain bytes and carried as TLS. Used on its IO thread; only [#close] may come
/// from elsewhere.
///
/// Undertow's own (`SslConduit`) holds a lock for each call, runs its listener once more after each read and closes a
/// connection whose listener was run too often; see decision 90.
public final class TlsConnection extends SslConnection implements SilentLine.Silent {
    private static final ChannelListener.SimpleSetter<SslConnection> NO_LISTENER = new ChannelListener.SimpleSetter<>();

    private static final X509Certificate[] NOBODY = {};

    private final StreamConnection socket;
    private final @Nullable Newcomer newcomer; // null: to a server
    private final LateEngine engine;
    private final TlsRecords records;
    private final Handshakes handshakes;
    private @Nullable Consumer<TlsConnection> established;
    private @Nullable Consumer<IOException> failed;
    private boolean aborting;

    private TlsConnection(
            StreamConnection socket, @Nullable Newcomer newcomer, LateEngine engine, TlsThreadResources ioThread) {
        super(socket.getIoThread());
        this.socket = socket;
        this.newcomer = newcomer;
        this.engine = engine;
        this.handshakes = ioThread.handshakes();
        var source = socket.getSourceChannel().getConduit();
        var sink = socket.getSinkChannel().getConduit();
        records = new TlsRecords(engine, newcomer != null, source, sink, ioThread, this::givenUp);
        setSourceConduit(new TlsSource(source, this, records));
        setSinkConduit(new TlsSink(sink, this, records));
    }

    /// To a client.
    ///
    /// @param socket whose conduits nobody else uses from now on
    /// @param newcomer what stands on it
    /// @param ioThread of its IO thread
    public static TlsConnection ofClient(
            StreamConnection socket, Newcomer newcomer, ServerTls tls, TlsThreadResources ioThread) {
        return new TlsConnection(socket, newcomer, new LateEngine(tls::engine, ioThread.enginesHolding()), ioThread);
    }

    /// To a server.
    ///
    /// @param socket whose conduits nobody else uses from now on
    /// @param ioThread of its IO thread
    public static TlsConnection toServer(StreamConnection socket, SSLEngine engine, TlsThreadResources ioThread) {
        return new TlsConnection(socket, null, new LateEngine(any -> engine, null), ioThread);
    }

    /// Size of the buffers it needs: two records of the largest kind.
    public static final int BUFFER_BYTES = 2 * 17 * 1024;

    /// Begins the handshake. Exactly one of the two is told once, on the IO thread.
    public void handshake(Consumer<TlsConnection> whenEstablished, Consumer<IOException> whenFailed) {
        established = whenEstablished;
        failed = whenFailed;
        if (!advance()) socket.getSourceChannel().getConduit().resumeReads();
    }

    /// Goes on with the handshake; answers whether it is done. A broken one closes the connection.
    boolean advance() {
        if (established == null) return records.established();
        try {
            if (!records.handshake()) {
                if (established != null && records.isClients()) handshakes.waiting(this, engine.isMade());
                return false;
            }
        } catch (IOException | RuntimeException e) {
            records.alert();
            fail(e instanceof IOException io ? io : new IOException(e));
            return false;
        }
        Consumer<TlsConnection> then = established;
        established = null;
        failed = null;
        handshakes.over(this);
        then.accept(this);
        return true;
    }

    @Override
    public boolean awaitsTurn() {
        return newcomer != null && newcomer.awaitsTurn();
    }

    /// Others need what this handshake holds: it is finished if what has come of the client is enough for that, else
    /// over.
    @Override
    public boolean makeRoom() {
        if (advance()) return false;
        if (established != null) fail(new IOException("the room that the handshake took was needed"));
        return true;
    }

    private void fail(IOException why) {
        tellFailed(why);
        IoUtils.safeClose(this);
    }

    private void tellFailed(IOException why) {
        Consumer<IOException> then = failed;
        established = null;
        failed = null;
        handshakes.over(this);
        if (then != null) then.accept(why);
    }

    /// What it held was needed elsewhere; later, as that may be known in the midst of anything.
    private void givenUp() {
        getIoThread().execute(() -> IoUtils.safeClose(this));
    }

    /// What ALPN (RFC 7301) has settled on; empty when the client does not use it.
    public String protocol() {
        String chosen = engine.get().getApplicationProtocol();
        return chosen == null ? "" : chosen;
    }

    /// The certificate that the peer has shown; empty when it was not asked or has none.
    public Optional<ClientCertificate> peerCertificate() {
        try {
            Certificate[] chain = engine.get().getSession().getPeerCertificates();
            X509Certificate own = (X509Certificate) chain[0];
            return Optional.of(
                    new ClientCertificate(Fingerprint.sha256(own.getEncoded()), own.getSubjectX500Principal()));
        } catch (SSLPeerUnverifiedException e) {
            return Optional.empty();
        } catch (CertificateEncodingException e) {
            throw new IllegalStateException(e); // it was read from its encoding
        }
    }

    /// The peer's certificate and those that it has shown with it; empty when it has shown none.
    X509Certificate[] peerChain() {
        try {
            Certificate[] chain = engine.get().getSession().getPeerCertificates();
            return Arrays.copyOf(chain, chain.length, X509Certificate[].class);
        } catch (SSLPeerUnverifiedException e) {
            return NOBODY;
        }
    }

    @Override
    public SSLSession getSslSession() {
        return engine.get().getSession();
    }

    @Override
    public void startHandshake() {
        throw new UnsupportedOperationException("one handshake a connection");
    }

    @Override
    public ChannelListener.Setter<? extends SslConnection> getHandshakeSetter() {
        return NO_LISTENER;
    }

    @Override
    protected boolean readClosed() {
        return super.readClosed();
    }

    @Override
    protected boolean writeClosed() {
        return super.writeClosed();
    }

    /// The socket's end tells both sides, see [TlsSource#terminated].
    @Override
    protected void notifyReadClosed() {}

    @Override
    protected void notifyWriteClosed() {}

    @Override
    @SuppressWarnings("ReferenceEquality") // which thread this is
    protected void closeAction() {
        if (Thread.currentThread() == getIoThread()) {
            tellFailed(new ClosedChannelException());
            farewell();
            Sockets.close(socket);
            records.release();
            return;
        }
        Sockets.close(socket);
        getIoThread().execute(() -> {
            tellFailed(new ClosedChannelException());
            records.release();
        });
    }

    /// As much as leaves at once. Not when the connection is broken off: what was cut must not look whole.
    private void farewell() {
        if (aborting || !records.established()) return;
        try {
            records.finish();
        } catch (IOException e) {
            // the peer is gone
        }
    }

    @Override
    public <T> T setOption(Option<T> option, T value) throws IOException {
        if (option.equals(Options.CLOSE_ABORT)) aborting = Boolean.TRUE.equals(value);
        return socket.setOption(option, value);
    }

    @Override
    public <T> T getOption(Option<T> option) throws IOException {
        return socket.getOption(option);
    }

    @Override
    public boolean supportsOption(Option<?> option) {
        return socket.supportsOption(option);
    }

    @Override
    public SocketAddress getPeerAddress() {
        return socket.getPeerAddress();
    }

    @Override
    public SocketAddress getLocalAddress() {
        return socket.getLocalAddress();
    }
}
