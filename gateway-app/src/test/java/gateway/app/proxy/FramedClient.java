package gateway.app.proxy;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// A client of HTTP/2 that the test plays frame by frame, and the data plane that it calls; fresh for each test.
final class FramedClient implements AfterEachCallback {
    private final Http2Gateway gateway;
    private final Http2Wire wire;

    private FramedClient(Http2Gateway gateway, Http2Wire wire) {
        this.gateway = gateway;
        this.wire = wire;
    }

    static FramedClient start() {
        try {
            Http2Gateway gateway = Http2Gateway.start();
            return new FramedClient(gateway, gateway.wire());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Http2Gateway gateway() {
        return gateway;
    }

    /// Its connection, begun and in the clear.
    Http2Wire wire() {
        return wire;
    }

    @Override
    public void afterEach(ExtensionContext test) throws IOException {
        wire.close();
        gateway.close();
    }
}
