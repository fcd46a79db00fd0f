package gateway.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Receivers of spans and metrics that begin an answer and never get done with it.
final class SlowReceiversTest {
    @TempDir
    private Path data;

    @Test
    void do_not_keep_the_process_from_its_end() throws Exception {
        try (var spans = new Dripping();
                var metrics = new Dripping();
                var gateway = GatewayProcess.start(
                        data,
                        Map.of(
                                "GATEWAY_SHUTDOWN_DELAY", "0s",
                                "GATEWAY_TRACING_ENDPOINT", spans.url("/v1/traces"),
                                "GATEWAY_TRACING_RATIO", "1",
                                "GATEWAY_METRICS_OTLP_URL", metrics.url("/v1/metrics"),
                                "GATEWAY_METRICS_INTERVAL", "1s"))) {
            request(gateway);
            spans.awaitAsked();
            metrics.awaitAsked();

            gateway.terminate();

            assertThat(gateway.exitCode()).isZero();
        }
    }

    private static void request(GatewayProcess gateway) throws IOException {
        var uri = URI.create("http://127.0.0.1:" + gateway.address().getPort() + "/none");
        var connection = (HttpURLConnection) uri.toURL().openConnection();
        assertThat(connection.getResponseCode()).isEqualTo(404);
    }

    /// Answers 200 and then an octet at a time, for hours.
    private static final class Dripping implements AutoCloseable {
        private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final CountDownLatch asked = new CountDownLatch(1);

        Dripping() throws IOException {
            Thread.ofVirtual().start(this::accept);
        }

        String url(String path) {
            return "http://127.0.0.1:" + server.getLocalPort() + path;
        }

        void awaitAsked() throws InterruptedException {
            assertThat(asked.await(60, TimeUnit.SECONDS)).isTrue();
        }

        private void accept() {
            try {
                while (true) {
                    Socket socket = server.accept();
                    Thread.ofVirtual().start(() -> drip(socket));
                }
            } catch (SocketException e) {
                // closed
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private void drip(Socket socket) {
            try (socket) {
                OutputStream out = socket.getOutputStream();
                if (socket.getInputStream().read() < 0) return;
                out.write("HTTP/1.1 200 OK\r\nContent-Length: 10000000\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                asked.countDown();
                while (true) {
                    out.write('x');
                    LockSupport.parkNanos(100_000_000);
                }
            } catch (IOException e) {
                // the gateway has gone
            }
        }

        @Override
        public void close() throws IOException {
            server.close();
        }
    }
}
