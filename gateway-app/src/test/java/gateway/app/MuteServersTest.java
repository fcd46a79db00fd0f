package gateway.app;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
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
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The end of a whole process whose receivers take connections and requests and say nothing, or nothing more.
final class MuteServersTest {
    /// After the second signal all that is left has two seconds; the rest is for a busy machine.
    private static final Duration HURRIED = Duration.ofMillis(3500);

    private static final Pattern LENGTH = Pattern.compile("(?im)^content-length: *(\\d+)");

    @TempDir
    private Path data;

    @Test
    void a_second_signal_ends_it_at_once_and_without_a_stack_trace() throws Exception {
        try (var elasticsearch = new Mute();
                var gateway = GatewayProcess.start(data, shippingTo(elasticsearch))) {
            request(gateway);
            elasticsearch.awaitAsked();

            assertEndsAtTheSecondSignal(gateway);
            assertThat(gateway.lines())
                    .anyMatch(line -> line.contains("traffic log flushed") && line.contains("1 on disk"));
        }
    }

    @Test
    void a_second_signal_ends_it_at_once_when_elasticsearch_went_mute_after_an_answer() throws Exception {
        try (var elasticsearch = new Mute(1);
                var gateway = GatewayProcess.start(data, shippingTo(elasticsearch))) {
            request(gateway);
            elasticsearch.awaitMute();
            for (int i = 0; i < 3; i++) requestUnanswered(gateway, elasticsearch);

            assertEndsAtTheSecondSignal(gateway);
            assertThat(gateway.lines()).noneMatch(line -> line.contains("ERROR"));
            assertThat(gateway.lines())
                    .anyMatch(line -> line.contains("traffic log flushed") && line.contains("3 on disk"));
        }
    }

    private static Map<String, String> shippingTo(Mute elasticsearch) {
        return Map.of(
                "GATEWAY_SHUTDOWN_DELAY", "0s",
                "GATEWAY_TRAFFIC_LOG", "elasticsearch",
                "GATEWAY_ELASTICSEARCH_URL", elasticsearch.url());
    }

    private static void assertEndsAtTheSecondSignal(GatewayProcess gateway) throws Exception {
        gateway.terminate();
        gateway.awaitLine("stopping: drained");
        long hurried = System.nanoTime();
        gateway.terminate();

        assertThat(gateway.exitCode()).isZero();
        assertThat(Duration.ofNanos(System.nanoTime() - hurried)).isLessThan(HURRIED);
        assertThat(traces(gateway.lines())).isEmpty();
    }

    @Test
    void none_of_many_gets_the_time_of_all() throws Exception {
        try (var elasticsearch = new Mute(1);
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
                elasticsearch.awaitMute();
                requestUnanswered(gateway, elasticsearch);
                spans.awaitAsked();
                metrics.awaitAsked();

                long told = System.nanoTime();
                gateway.terminate();

                assertThat(gateway.exitCode()).isZero();
                assertThat(Duration.ofNanos(System.nanoTime() - told)).isLessThan(Duration.ofSeconds(20));
                assertThat(traces(gateway.lines())).isEmpty();
                assertThat(gateway.lines()).noneMatch(line -> line.contains("ERROR"));
                assertThat(gateway.lines())
                        .anyMatch(line -> line.contains("traffic log flushed") && line.contains("1 on disk"));
            }
        }
    }

    private static List<String> traces(List<String> lines) {
        return lines.stream().filter(line -> line.contains("\tat ")).toList();
    }

    /// Makes a record whose `_bulk` gets no answer.
    private static void requestUnanswered(GatewayProcess gateway, Mute elasticsearch) throws IOException {
        int asked = elasticsearch.asked();
        request(gateway);
        elasticsearch.awaitAsked(asked + 1);
    }

    private static void request(GatewayProcess gateway) throws IOException {
        var uri = URI.create("http://127.0.0.1:" + gateway.address().getPort() + "/none");
        var connection = (HttpURLConnection) uri.toURL().openConnection();
        assertThat(connection.getResponseCode()).isEqualTo(404);
    }

    /// Takes whatever comes and says nothing, once it has answered so many `_bulk`.
    private static final class Mute implements AutoCloseable {
        private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final ConcurrentLinkedQueue<Socket> sockets = new ConcurrentLinkedQueue<>();
        private final AtomicInteger asked = new AtomicInteger();
        private final AtomicInteger answers;

        Mute() throws IOException {
            this(0);
        }

        Mute(int bulks) throws IOException {
            answers = new AtomicInteger(bulks);
            Thread.ofVirtual().start(this::accept);
        }

        String url() {
            return "http://127.0.0.1:" + server.getLocalPort() + "/v1";
        }

        /// Requests that have come.
        int asked() {
            return asked.get();
        }

        void awaitAsked() {
            awaitAsked(1);
        }

        void awaitAsked(int requests) {
            until(() -> asked.get() >= requests);
        }

        void awaitMute() {
            until(() -> answers.get() == 0);
        }

        private void accept() {
            try {
                while (true) {
                    Socket socket = server.accept();
                    sockets.add(socket);
                    Thread.ofVirtual().start(() -> serve(socket));
                }
            } catch (SocketException e) {
                // closed
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private void serve(Socket socket) {
            try {
                while (true) {
                    String head = head(socket.getInputStream());
                    boolean bulk = head.contains("/_bulk");
                    socket.getInputStream().skipNBytes(length(head));
                    asked.incrementAndGet();
                    if (answers.get() == 0) continue;
                    answer(socket.getOutputStream(), bulk);
                    if (bulk) answers.decrementAndGet();
                }
            } catch (IOException e) {
                // the gateway has gone
            }
        }

        private static String head(InputStream in) throws IOException {
            var head = new ByteArrayOutputStream();
            while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
                int next = in.read();
                if (next < 0) throw new EOFException();
                head.write(next);
            }
            return head.toString(StandardCharsets.ISO_8859_1);
        }

        private static long length(String head) {
            Matcher length = LENGTH.matcher(head);
            return length.find() ? Long.parseLong(length.group(1)) : 0;
        }

        private static void answer(OutputStream out, boolean bulk) throws IOException {
            String body =
                    bulk ? "{\"errors\":false,\"items\":[{\"create\":{\"status\":201}}]}" : "{\"acknowledged\":true}";
            String head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-Elastic-Product: Elasticsearch\r\n"
                    + "Content-Length: " + body.length() + "\r\n\r\n";
            out.write((head + body).getBytes(StandardCharsets.ISO_8859_1));
        }

        @Override
        public void close() throws IOException {
            server.close();
            for (Socket socket : sockets) socket.close();
        }
    }
}
