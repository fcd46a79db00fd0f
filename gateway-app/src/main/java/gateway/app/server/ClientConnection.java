package gateway.app.server;

import gateway.app.tls.TlsConnection;
import gateway.app.upstream.Lane;
import gateway.http.ClientCertificate;
import io.undertow.server.AbstractServerConnection;
import io.undertow.server.HttpServerExchange;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.xnio.IoUtils;
import org.xnio.Options;
import org.xnio.StreamConnection;
import org.xnio.channels.StreamSinkChannel;

/// What the gateway keeps for one client connection, across its requests.
final class ClientConnection {
    private final Lane lane;
    private final StreamConnection channel;
    private final InetAddress peer;
    private final String peerText;
    private final Set<ClientConnection> open;
    private final Duration patience;
    private @Nullable RequestThread thread;
    private @Nullable RequestRun current;
    private @Nullable ClientSource source;
    private Optional<ClientCertificate> certificate = Optional.empty();
    private boolean certificateKnown;
    private boolean gone;
    private String hostField = "";
    private String host = "";

    /// @param client who is at the other end
    /// @param open the open connections, which this one joins
    /// @param patience how long the client may stand still in the middle of a message
    ClientConnection(
            Lane lane, StreamConnection channel, InetAddress client, Set<ClientConnection> open, Duration patience) {
        this.patience = patience;
        this.open = open;
        open.add(this);
        this.lane = lane;
        this.channel = channel;
        this.peer = client;
        this.peerText = peer.getHostAddress();
    }

    static ClientConnection of(HttpServerExchange undertow) {
        return sink(undertow).connection();
    }

    static ClientSink sink(HttpServerExchange undertow) {
        return (ClientSink) ((AbstractServerConnection) undertow.getConnection()).getOriginalSinkConduit();
    }

    Lane lane() {
        return lane;
    }

    /// How long the client may stand still in the middle of a message.
    Duration patience() {
        return patience;
    }

    /// The socket peer, or whom it speaks for by the PROXY protocol.
    InetAddress peer() {
        return peer;
    }

    /// That address as `X-Forwarded-For` has it.
    String peerText() {
        return peerText;
    }

    /// What the client has shown to be let in by; looked up once, when first asked for.
    Optional<ClientCertificate> certificate() {
        if (!certificateKnown && channel instanceof TlsConnection tls) certificate = tls.peerCertificate();
        certificateKnown = true;
        return certificate;
    }

    /// Where responses leave.
    StreamSinkChannel sinkChannel() {
        return channel.getSinkChannel();
    }

    /// What the connection's requests run on: made with the first, since an idle connection needs none.
    RequestThread thread(RequestThreads threads) {
        if (thread == null) thread = threads.on(lane.io());
        return thread;
    }

    void readsFrom(ClientSource reads) {
        source = reads;
    }

    /// Notices from now on when the client goes away.
    void watch() {
        if (source != null) source.watch();
    }

    /// The host that a `Host` field names; empty text when there is none. A client mostly sends the same again.
    String host(@Nullable String field) {
        if (field == null) return "";
        if (!field.equals(hostField)) {
            hostField = field;
            host = RequestTarget.host(field);
        }
        return host;
    }

    void begin(RequestRun run) {
        current = run;
    }

    void end() {
        current = null;
    }

    /// Whether a request is under way whose last byte has been read: then nothing but the client's departure,
    /// or its next request too early, can arrive.
    boolean awaitsAnswer() {
        return current != null && current.requestComplete();
    }

    /// Whether a request is under way whose body has not come whole.
    boolean receivesBody() {
        return current != null && !current.requestComplete();
    }

    /// Nothing more will come from the client.
    void gone() {
        if (gone) return;
        gone = true;
        open.remove(this);
    }

    boolean isOpen() {
        return channel.isOpen();
    }

    /// Closes so that the client cannot take what it has for a whole message.
    void reset() {
        try {
            channel.setOption(Options.CLOSE_ABORT, true);
        } catch (IOException e) {
            // closing is all that is left
        }
        close();
    }

    /// Closes unless a request is under way. Between the two looks the IO thread reads what has arrived, so that no
    /// request that is here already is lost.
    void closeIfIdle() {
        lane.io().execute(() -> {
            if (current == null) lane.io().executeAfter(this::closeIfStillIdle, 1, TimeUnit.MILLISECONDS);
        });
    }

    private void closeIfStillIdle() {
        if (current == null) close();
    }

    void close() {
        IoUtils.safeClose(channel);
    }
}
