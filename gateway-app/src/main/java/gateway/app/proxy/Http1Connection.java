package gateway.app.proxy;

import gateway.http.ClientCertificate;
import gateway.http.Outcome.Ending;
import gateway.http.Response;
import gateway.wire.client.IoThreadResources;
import gateway.wire.http1.RequestGuard;
import gateway.wire.http1.SentTarget;
import gateway.wire.io.HttpTransaction;
import gateway.wire.io.Newcomer;
import gateway.wire.io.RequestThread;
import gateway.wire.io.RequestThreads;
import gateway.wire.io.Sockets;
import gateway.wire.tls.TlsConnection;
import gateway.wire.tunnel.ConduitEnd;
import gateway.wire.tunnel.TunnelEnd;
import io.undertow.server.AbstractServerConnection;
import io.undertow.server.HttpServerExchange;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.xnio.Options;
import org.xnio.StreamConnection;

/// An HTTP/1 connection: what the gateway keeps for it across its requests, of which one is under way at a time.
final class Http1Connection implements ClientConnection {
    private static final int REQUESTS_A_TURN = 8;

    private final IoThreadResources ioThread;
    private final StreamConnection channel;
    private final InetAddress peer;
    private final String peerText;
    private final Newcomer newcomer;
    private final Set<Http1Connection> open;
    private final Duration patience;
    private final LeastRates leastRates;
    private @Nullable WaitingLine line;
    private @Nullable RequestThread thread;
    private @Nullable RequestRun current;
    private @Nullable ClientSource source;
    private @Nullable RequestGuard guard;
    private @Nullable ClientSink sink;
    private Optional<ClientCertificate> certificate = Optional.empty();
    private boolean certificateKnown;
    private int sentAhead;
    private boolean pausing;
    private boolean gone;
    private boolean tunnelled;
    private String hostField = "";
    private String host = "";

    /// @param client who is at the other end
    /// @param newcomer what stands on its socket
    /// @param open the open connections, which this one joins
    /// @param patience how long the client may stand still in the middle of a message
    /// @param leastRates how many bytes a second a message has to get on by
    Http1Connection(
            IoThreadResources ioThread,
            StreamConnection channel,
            InetAddress client,
            Newcomer newcomer,
            Set<Http1Connection> open,
            Duration patience,
            LeastRates leastRates) {
        this.patience = patience;
        this.leastRates = leastRates;
        this.newcomer = newcomer;
        this.open = open;
        open.add(this);
        this.ioThread = ioThread;
        this.channel = channel;
        this.peer = client;
        this.peerText = peer.getHostAddress();
    }

    static Http1Connection of(HttpServerExchange undertow) {
        var sink = (ClientSink) ((AbstractServerConnection) undertow.getConnection()).getOriginalSinkConduit();
        return sink.connection();
    }

    HttpTransaction transaction(HttpServerExchange undertow) {
        return new Http1Request(undertow, channel.getSinkChannel());
    }

    @Override
    public IoThreadResources ioThread() {
        return ioThread;
    }

    @Override
    public Duration patience() {
        return patience;
    }

    @Override
    public LeastRates leastRates() {
        return leastRates;
    }

    /// Clients of HTTP/1 do not pause in the middle of a message.
    @Override
    public boolean isHurried() {
        return true;
    }

    @Override
    public int sharers() {
        return 1;
    }

    @Override
    public WaitingLine line(Clients clients) {
        if (line == null) line = clients.line(peer);
        return line;
    }

    @Override
    public InetAddress peer() {
        return peer;
    }

    @Override
    public String peerText() {
        return peerText;
    }

    @Override
    public Optional<ClientCertificate> certificate() {
        if (!certificateKnown && channel instanceof TlsConnection tls) certificate = tls.peerCertificate();
        certificateKnown = true;
        return certificate;
    }

    @Override
    public boolean readsWhileAnswering() {
        return false; // a client that reads no answer is not read either
    }

    @Override
    public void sendInterim(ByteBuffer head) {
        if (sink == null) return;
        try {
            sink.sendInterim(head);
        } catch (IOException e) {
            close();
        }
    }

    @Override
    public void unhurried() {}

    @Override
    public RequestThread thread(RequestThreads threads) {
        if (thread == null) thread = threads.on(ioThread.io());
        return thread;
    }

    void writesTo(ClientSink writes) {
        sink = writes;
    }

    void readsFrom(ClientSource reads) {
        source = reads;
    }

    void guardedBy(RequestGuard itsGuard) {
        guard = itsGuard;
    }

    @Override
    public SentTarget target() {
        if (guard == null) throw new IllegalStateException("not set up");
        return guard.target();
    }

    /// Whether more may wait that comes while an answer is awaited.
    boolean readsAhead() {
        return guard != null && guard.readsAhead();
    }

    /// Reads what has come while an answer is awaited, by way of `scratch`; what is no end of the connection waits.
    ///
    /// @return -1 at the end, or when nothing more can wait
    int readAhead(ByteBuffer scratch) throws IOException {
        return guard == null ? -1 : guard.readAhead(scratch);
    }

    @Override
    public void watch() {
        if (source != null) source.watch();
    }

    @Override
    public void look() {
        if (source != null) source.look();
    }

    /// A client mostly sends the same again.
    @Override
    public String host(@Nullable String field) {
        if (field == null) return "";
        if (!field.equals(hostField)) {
            hostField = field;
            host = RequestTarget.host(field);
        }
        return host;
    }

    @Override
    public void begin(RequestRun run) {
        current = run;
        if (guard != null) guard.requestBegins(run.requestId());
    }

    @Override
    public void end() {
        current = null;
        if (guard != null) guard.requestOver();
    }

    /// Whether a request is under way whose last byte has been read: then nothing but the client's departure,
    /// or its next request too early, can arrive.
    boolean awaitsAnswer() {
        return current != null && !tunnelled && current.requestComplete();
    }

    @Override
    public void served() {
        newcomer.served();
    }

    @Override
    public boolean isProven() {
        return newcomer.isProven();
    }

    /// What came in one piece with the head.
    @Override
    public boolean hasWhole(long length) {
        return guard != null && guard.contentHeld() >= length;
    }

    @Override
    public boolean hasEarlyBytes() {
        return guard != null && guard.holdsMore();
    }

    /// A request that is here already begins from the thread's queue of tasks, and XNIO looks at its sockets
    /// only when that is empty: a client that never stops sending ahead must pause, or no other is heard.
    @Override
    public void goOn(HttpTransaction over) {
        if (!hasEarlyBytes() || ++sentAhead % REQUESTS_A_TURN != 0) {
            over.proceed();
            return;
        }
        pausing = true;
        newcomer.goOn(() -> {
            pausing = false;
            over.proceed();
        });
    }

    /// Reads below the strict check, which knows HTTP only.
    @Override
    public TunnelEnd tunnelEnd() {
        if (source == null) throw new IllegalStateException("not set up");
        tunnelled = true;
        return new ConduitEnd(channel.getSourceChannel(), channel.getSinkChannel(), source, source::read);
    }

    @Override
    public ByteBuffer agree(ClientRequest request, Response answer) {
        return SwitchHead.of(request, answer);
    }

    /// Nothing more will come from the client.
    void gone() {
        if (gone) return;
        gone = true;
        open.remove(this);
        if (line != null) line.end();
    }

    @Override
    public boolean isOpen() {
        return channel.isOpen();
    }

    @Override
    public Ending ending() {
        return guard != null && guard.refuses() ? Ending.CLIENT_MALFORMED : Ending.CLIENT_GONE;
    }

    @Override
    public void reset() {
        try {
            channel.setOption(Options.CLOSE_ABORT, true);
        } catch (IOException e) {
            // closing is all that is left
        }
        close();
    }

    @Override
    public void giveUp() {
        reset();
    }

    /// The gateway waits no longer for what serves a request here.
    void stop() {
        ioThread.io().execute(() -> {
            if (current == null) close();
            else current.stop();
        });
    }

    /// Closes soon, whatever is under way.
    void closeSoon() {
        ioThread.io().execute(this::close);
    }

    /// Closes unless a request is under way. Between the two looks the IO thread reads what has arrived, so that no
    /// request that is here already is lost.
    void closeIfIdle() {
        closeUnless(() -> false);
    }

    /// The same, unless some of a request has come.
    void closeIfSilent() {
        closeUnless(this::hasEarlyBytes);
    }

    private void closeUnless(BooleanSupplier excused) {
        ioThread.io().execute(() -> {
            if (current != null) return;
            ioThread.io()
                    .executeAfter(
                            () -> {
                                if (current == null && !awaitsTurn() && !excused.getAsBoolean()) close();
                            },
                            1,
                            TimeUnit.MILLISECONDS);
        });
    }

    /// A request is here that has to wait for its turn.
    private boolean awaitsTurn() {
        return pausing || newcomer.awaitsTurn();
    }

    /// The client has ended what it sends: with no request under way, nothing is left to do.
    void leftIfIdle() {
        if (current == null) close();
    }

    @Override
    public void close() {
        Sockets.close(channel);
    }
}
