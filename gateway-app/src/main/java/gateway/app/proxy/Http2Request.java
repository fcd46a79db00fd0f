package gateway.app.proxy;

import gateway.http.ClientCertificate;
import gateway.http.Outcome.Ending;
import gateway.http.Response;
import gateway.wire.client.IoThreadResources;
import gateway.wire.http1.SentTarget;
import gateway.wire.http2.ErrorCode;
import gateway.wire.http2.Http2Stream;
import gateway.wire.io.HttpTransaction;
import gateway.wire.io.RequestThread;
import gateway.wire.io.RequestThreads;
import gateway.wire.tunnel.TunnelEnd;
import io.undertow.util.HeaderMap;
import io.undertow.util.HttpString;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One stream of an HTTP/2 connection, as its request sees the client. Closing ends the stream alone.
final class Http2Request implements ClientConnection {
    static final HttpString STATUS = new HttpString(":status");
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final Http2Connection connection;
    private final Http2Stream stream;
    private boolean unhurried;

    Http2Request(Http2Connection connection, Http2Stream stream) {
        this.connection = connection;
        this.stream = stream;
    }

    @Override
    public IoThreadResources ioThread() {
        return connection.ioThread();
    }

    @Override
    public Duration patience() {
        return connection.patience();
    }

    @Override
    public LeastRates leastRates() {
        return connection.leastRates();
    }

    @Override
    public boolean isHurried() {
        return !unhurried;
    }

    @Override
    public int sharers() {
        return stream.beside();
    }

    @Override
    public WaitingLine line(Clients clients) {
        return connection.line(clients);
    }

    @Override
    public void served() {
        connection.served();
    }

    @Override
    public boolean isProven() {
        return connection.isProven();
    }

    @Override
    public InetAddress peer() {
        return connection.peer();
    }

    @Override
    public String peerText() {
        return connection.peerText();
    }

    @Override
    public Optional<ClientCertificate> certificate() {
        return connection.certificate();
    }

    /// Requests of one connection run beside each other, each on its own.
    @Override
    public RequestThread thread(RequestThreads threads) {
        return threads.on(ioThread().io());
    }

    @Override
    public SentTarget target() {
        return SentTarget.of(stream.head().path());
    }

    @Override
    public String host(@Nullable String field) {
        return field == null ? "" : RequestTarget.host(field);
    }

    @Override
    public boolean readsWhileAnswering() {
        return true;
    }

    @Override
    public void sendInterim(ByteBuffer head) {
        String[] lines = StandardCharsets.ISO_8859_1.decode(head).toString().split("\r\n", -1);
        var fields = new HeaderMap();
        fields.put(STATUS, lines[0].split(" ", 3)[1]);
        for (int i = 1; i < lines.length; i++) {
            int colon = lines[i].indexOf(':');
            if (colon > 0)
                fields.add(
                        new HttpString(lines[i].substring(0, colon)),
                        lines[i].substring(colon + 1).strip());
        }
        stream.interim(fields);
    }

    @Override
    public boolean hasWhole(long length) {
        return stream.cameWhole();
    }

    /// What comes early is the tunnel's: frames keep streams apart.
    @Override
    public boolean hasEarlyBytes() {
        return false;
    }

    @Override
    public TunnelEnd tunnelEnd() {
        return stream.tunnel();
    }

    @Override
    public ByteBuffer agree(ClientRequest request, Response answer) {
        stream.agree(SwitchHead.fields(request, answer));
        return NOTHING;
    }

    /// Frames are read all the time.
    @Override
    public void watch() {}

    @Override
    public void look() {}

    @Override
    public void begin(RequestRun run) {
        stream.whenStopped(run::stop);
    }

    @Override
    public void end() {}

    @Override
    public void goOn(HttpTransaction over) {
        over.proceed();
    }

    @Override
    public boolean isOpen() {
        return stream.isOpen();
    }

    @Override
    public Ending ending() {
        return stream.ending();
    }

    @Override
    public void unhurried() {
        unhurried = true;
        stream.unhurried();
    }

    @Override
    public void reset() {
        stream.reset(ErrorCode.INTERNAL_ERROR);
    }

    @Override
    public void giveUp() {
        close();
    }

    @Override
    public void close() {
        stream.reset(ErrorCode.CANCEL);
    }
}
