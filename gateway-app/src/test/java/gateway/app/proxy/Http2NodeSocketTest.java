package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Node's HTTP/2 client, which speaks RFC 8441, over TLS to the gateway, and through it to Undertow's WebSocket server.
/// Frames of WebSockets are put together in the script, by RFC 6455 §5.2.
final class Http2NodeSocketTest {
    @Test
    void node_exchanges_messages_on_a_stream_and_closes_in_order() throws Exception {
        try (var server = new EchoSocketServer();
                Http2Gateway gateway = Http2Gateway.inFrontOf(server.url())) {
            String told = node(gateway);

            assertThat(told).contains("enabled true", "status 200", "text hello", "binary true", "closed 4001", "end");
            assertThat(server.closeCodes.poll(20, TimeUnit.SECONDS)).isEqualTo(4001);
        }
    }

    private static String node(Http2Gateway gateway) throws IOException, InterruptedException {
        Path script = Files.createTempFile("socket", ".cjs");
        try (InputStream source = Http2NodeSocketTest.class.getResourceAsStream("http2-socket.cjs")) {
            assertThat(source).isNotNull();
            Files.write(script, source.readAllBytes());
            var command = new ProcessBuilder(
                    "node",
                    script.toString(),
                    gateway.url(""),
                    gateway.certificateAuthority().toString());
            Process node = command.redirectErrorStream(true).start();
            String told = new String(node.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(node.waitFor()).as(told).isZero();
            return told;
        } catch (IOException e) {
            assumeTrue(false, "no node: " + e.getMessage());
            throw e;
        } finally {
            Files.delete(script);
        }
    }
}
