package gateway.app.proxy;

import gateway.config.TargetDefinition;
import gateway.net.UpstreamProtocol;
import gateway.net.UpstreamTls;
import gateway.wire.tls.TestAuthority;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// An upstream over TLS that is asked which HTTP it speaks, and the data plane in front of it; fresh for each test.
final class AutoUpstream implements BeforeEachCallback, AfterEachCallback {
    private SSLServerSocket listener;
    private Http2Gateway gateway;
    private Path ca;

    @Override
    public void beforeEach(ExtensionContext test) throws IOException {
        var authority = new TestAuthority();
        listener = (SSLServerSocket) authority
                .client(authority.issue("localhost", "localhost"))
                .getServerSocketFactory()
                .createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        listener.setSoTimeout(10_000);
        ca = authority.write(Files.createTempFile("ca", ".pem"));
        var tls = new UpstreamTls(Optional.of(ca), Optional.empty(), Optional.empty(), "localhost", List.of());
        URI url = URI.create("https://127.0.0.1:" + listener.getLocalPort());
        gateway = Http2Gateway.inFrontOf(
                OneRoute.to(new TargetDefinition(url, 1, Optional.of(tls), UpstreamProtocol.AUTO)));
    }

    Http2Gateway gateway() {
        return gateway;
    }

    /// The next connection.
    ///
    /// @param choice of the protocols that the gateway offers by ALPN
    RawConnection accept(Function<List<String>, String> choice) throws IOException {
        var socket = (SSLSocket) listener.accept();
        socket.setHandshakeApplicationProtocolSelector((_, offered) -> choice.apply(offered));
        return new RawConnection(socket);
    }

    @Override
    public void afterEach(ExtensionContext test) throws IOException {
        gateway.close();
        listener.close();
        Files.delete(ca);
    }
}
