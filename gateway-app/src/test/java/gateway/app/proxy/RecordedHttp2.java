package gateway.app.proxy;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// A data plane that takes HTTP/2, for all tests of a class, in front of an upstream that forgets what it received
/// before each.
final class RecordedHttp2 implements BeforeEachCallback, AfterAllCallback {
    final RecordingUpstream upstream;
    final Http2Gateway gateway;

    private RecordedHttp2(RecordingUpstream upstream, Http2Gateway gateway) {
        this.upstream = upstream;
        this.gateway = gateway;
    }

    static RecordedHttp2 start() {
        try {
            var upstream = new RecordingUpstream();
            return new RecordedHttp2(upstream, Http2Gateway.inFrontOf(upstream.url()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void beforeEach(ExtensionContext test) {
        upstream.forget();
    }

    @Override
    public void afterAll(ExtensionContext tests) throws IOException {
        gateway.close();
        upstream.close();
    }
}
