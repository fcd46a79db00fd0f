package gateway.app;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The end of a whole process whose receivers take connections and requests and never say a word.
final class MuteServersTest {
    /// After the second signal all that is left has two seconds; the rest is for a busy machine.
    private static final Duration HURRIED = Duration.ofMillis(3500);

    @TempDir
    private Path data;

    @Test
    void a_second_signal_ends_it_at_once_and_without_a_stack_trace() throws Exception {
        try (var elasticsearch = new Mute();
                var gateway = GatewayProcess.start(
                        data,
                        Map.of(
                                "GATEWAY_SHUTDOWN_DELAY", "0s",
                                "GATEWAY_TRAFFIC_LOG", "elasticsearch",
                                "GATEWAY_ELASTICSEARCH_URL", elasticsearch.url()))) {
            request(gateway);
            elasticsearch.awaitAsked();

            gateway.terminate();
            gateway.awaitLine("stopping: drained");
            long hurried = System.nanoTime();
            gateway.terminate();

            assertThat(gateway.exitCode()).isZero();
            assertThat(Duration.ofNanos(System.nanoTime() - hurried)).isLessThan(HURRIED);
            assertThat(traces(gateway.lines())).isEmpty();
            assertThat(gateway.lines())
                    .anyMatch(line -> line.contains("traffic log flushed") && line.contains("1 on disk"));
        }
    }

    @Test
    void none_of_many_gets_the_time_of_all() throws Exception {
        try (var elasticsearch = new Mute();
                var spans = new Mute();
                var metrics = new Mute()) {
            var settings = new HashMap<>(Map.of(
                    "GATEWAY_SHUTDOWN_DELAY", "0s",
                    "GATEWAY_DRAIN_TIMEOUT", "0s",
                    "GATEWAY_TRAFFIC_LOG", "elasticsearch",
                    "GATEWAY_ELASTICSEARCH_URL", elasticsearch.url(),
                    "GATEWAY_TRACING_ENDPOINT", spans.url(),
                    "GATEWAY_TRACING_RATIO", "1",
                    "GATEWAY_TRACING_TIMEOUT", "1m",
                    "GATEWAY_METRICS_OTLP_URL", metrics.url(),
                    "GATEWAY_METRICS_INTERVAL", "1s"));
            try (var gateway = GatewayProcess.start(data, settings)) {
                request(gateway);
                elasticsearch.awaitAsked();
                spans.awaitAsked();
                metrics.awaitAsked();

                long told = System.nanoTime();
                gateway.terminate();

                assertThat(gateway.exitCode()).isZero();
                assertThat(Duration.ofNanos(System.nanoTime() - told)).isLessThan(Duration.ofSeconds(20));
                assertThat(traces(gateway.lines())).isEmpty();
                assertThat(gateway.lines())
                        .anyMatch(line -> line.contains("traffic log flushed") && line.contains("1 on disk"));
            }
        }
    }

    private static List<String> traces(List<String> lines) {
        return lines.stream().filter(line -> line.contains("\tat ")).toList();
    }

    private static void request(GatewayProcess gateway) throws IOException {
        var uri = URI.create("http://127.0.0.1:" + gateway.address().getPort() + "/none");
        var connection = (HttpURLConnection) uri.toURL().openConnection();
        assertThat(connection.getResponseCode()).isEqualTo(404);
    }

    /// Takes whatever comes and says nothing.
    private static final class Mute implements AutoCloseable {
        private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final ConcurrentLinkedQueue<Socket> sockets = new ConcurrentLinkedQueue<>();
        private final AtomicInteger asked = new AtomicInteger();

        Mute() throws IOException {
            Thread.ofVirtual().start(this::accept);
        }

        String url() {
            return "http://127.0.0.1:" + server.getLocalPort() + "/v1";
        }

        void awaitAsked() {
            until(() -> asked.get() > 0);
        }

        private void accept() {
            try {
                while (true) {
                    Socket socket = server.accept();
                    sockets.add(socket);
                    Thread.ofVirtual().start(() -> read(socket));
                }
            } catch (SocketException e) {
                // closed
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private void read(Socket socket) {
            try {
                while (socket.getInputStream().read() >= 0) asked.incrementAndGet();
            } catch (IOException e) {
                // the gateway has gone
            }
        }

        @Override
        public void close() throws IOException {
            server.close();
            for (Socket socket : sockets) socket.close();
        }
    }
}
