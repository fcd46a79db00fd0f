package gateway.app.proxy;

import gateway.config.TargetDefinition;
import gateway.config.UpstreamDefinition;
import gateway.net.UpstreamProtocol;
import gateway.policy.Policy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// An upstream of HTTP/2 that the test plays frame by frame, and the data plane in front of it; fresh for each
/// test.
final class FramedUpstream implements AfterEachCallback {
    private final RawUpstream socket;
    private final Http2Gateway gateway;

    private FramedUpstream(RawUpstream socket, Http2Gateway gateway) {
        this.socket = socket;
        this.gateway = gateway;
    }

    static FramedUpstream start() {
        return start(Duration.ofSeconds(2));
    }

    static FramedUpstream start(Duration connectTimeout) {
        try {
            var socket = new RawUpstream();
            return new FramedUpstream(socket, Http2Gateway.inFrontOf(OneRoute.to(target(socket), connectTimeout)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static TargetDefinition target(RawUpstream socket) {
        return new TargetDefinition(URI.create(socket.url()), 1).by(UpstreamProtocol.H2C);
    }

    Http2Gateway gateway() {
        return gateway;
    }

    /// Another data plane in front of it, which waits 1.2 s for an answer.
    Http2Gateway impatientGateway() throws IOException {
        return Http2Gateway.inFrontOf(new UpstreamDefinition(
                List.of(target(socket)),
                UpstreamDefinition.Balance.ROUND_ROBIN,
                Duration.ofSeconds(10),
                Duration.ofMillis(1200),
                Duration.ofSeconds(30),
                false));
    }

    /// Another data plane in front of it, with these policies.
    Http2Gateway gateway(Policy... policies) throws IOException {
        return Http2Gateway.inFrontOf(OneRoute.to(target(socket), Duration.ofSeconds(2)), same -> same, policies);
    }

    /// As `host:port`.
    String authority() {
        return URI.create(socket.url()).getAuthority();
    }

    /// The next connection, on which the server has said its settings.
    Http2Wire accept(byte... settings) throws IOException {
        return acceptSilently().frame(Http2Wire.SETTINGS, 0, 0, settings);
    }

    /// The next connection, on which the server has said nothing.
    Http2Wire acceptSilently() throws IOException {
        return Http2Wire.serving(socket.accept());
    }

    /// A connection on which a request was answered: the first of `client`.
    Http2Wire proven(Http2Wire client, byte... settings) throws IOException {
        client.get(1, "/first");
        Http2Wire server = accept(settings);
        server.next(Http2Wire.HEADERS);
        server.headers(1, true, ":status", "200");
        client.answer(1);
        return server;
    }

    /// Whether no further connection has been made for a little while.
    boolean nobodyElseCalls() throws IOException {
        return socket.nobodyElseCalls();
    }

    /// Takes no more connections; those that stand go on.
    void refuse() throws IOException {
        socket.refuse();
    }

    @Override
    public void afterEach(ExtensionContext test) throws IOException {
        gateway.close();
        socket.close();
    }
}
