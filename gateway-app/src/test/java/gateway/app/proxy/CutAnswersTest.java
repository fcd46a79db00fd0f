package gateway.app.proxy;

import static gateway.Eventually.until;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.steering.Upstreams;
import gateway.config.DefinitionReader;
import gateway.config.PolicyRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Breaker and ejection where answers begin well and break off, over real sockets.
@Timeout(60)
final class CutAnswersTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    private static final String WHOLE = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
    private static final String CUT = "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nhello";
    private static final String CUT_CHUNKS = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n";

    /// Sends each request these bytes and hangs up, or waits where told.
    private record Server(ServerSocket listener, String answer, AtomicInteger asked, CountDownLatch hangUp)
            implements AutoCloseable {
        static Server sending(String answer, CountDownLatch hangUp) throws IOException {
            var server = new Server(
                    new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), answer, new AtomicInteger(), hangUp);
            Thread.ofVirtual().start(server::accept);
            return server;
        }

        static Server sending(String answer) throws IOException {
            return sending(answer, new CountDownLatch(0));
        }

        private void accept() {
            while (!listener.isClosed()) {
                try {
                    Socket client = listener.accept();
                    Thread.ofVirtual().start(() -> serve(client));
                } catch (IOException e) {
                    return;
                }
            }
        }

        private void serve(Socket client) {
            try (client) {
                new RawConnection(client).readHead();
                asked.incrementAndGet();
                client.getOutputStream().write(answer.getBytes(US_ASCII));
                hangUp.await();
            } catch (IOException | InterruptedException e) {
                // the gateway gave it up
            }
        }

        String target() {
            return "{\"url\": \"http://127.0.0.1:" + listener.getLocalPort() + "\"}";
        }

        @Override
        public void close() throws IOException {
            hangUp.countDown();
            listener.close();
        }
    }

    /// What `count` requests one after the other get, as far as it comes.
    private static String answers(String upstream, int count) throws IOException {
        return answers(upstream, count, _ -> {});
    }

    private static String answers(String upstream, int count, Consumer<DataPlane> behindHead) throws IOException {
        var api = new DefinitionReader(PolicyRegistry.load())
                .read("{\"id\": \"orders\", \"match\": {\"path\": \"/\"}, \"upstream\": {" + upstream + "}}");
        var settings = DataPlaneSettings.on(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .withIoThreads(1);
        var statuses = new StringBuilder();
        try (var upstreams = new Upstreams()) {
            var dataPlane = new DataPlane(settings, OneRoute.live(api, upstreams::upstreamFor));
            try {
                for (int i = 0; i < count; i++)
                    statuses.append(status(dataPlane, behindHead)).append(' ');
            } finally {
                dataPlane.stop(Duration.ZERO);
            }
        }
        return statuses.toString().strip();
    }

    private static String status(DataPlane dataPlane, Consumer<DataPlane> behindHead) throws IOException {
        try (RawConnection client = RawConnection.to(dataPlane.address())) {
            String head = client.send(GET).readHead();
            behindHead.accept(dataPlane);
            client.isClosedByPeer();
            return head.substring(9, 12);
        }
    }

    private static final String EAGER_BREAKER = ", \"circuitBreaker\": {\"minRequests\": 2, \"open\": \"1h\"}";
    private static final String BREAKER = ", \"circuitBreaker\": {\"minRequests\": 4, \"open\": \"1h\"}";

    @Test
    void cut_answers_open_the_breaker() throws IOException {
        for (String answer : new String[] {CUT, CUT_CHUNKS}) {
            try (Server server = Server.sending(answer)) {
                assertThat(answers("\"targets\": [" + server.target() + "]" + BREAKER, 6))
                        .isEqualTo("200 200 200 200 503 503");
                assertThat(server.asked).hasValue(4);
            }
        }
    }

    @Test
    void streams_that_are_reset_open_the_breaker() throws IOException {
        var headRead = new Semaphore(0);
        try (var upstream = new RawUpstream()) {
            Thread.ofVirtual().start(() -> resetStreams(upstream, headRead));
            String targets = "\"protocol\": \"h2c\", \"targets\": [{\"url\": \"" + upstream.url() + "\"}]";

            assertThat(answers(targets + BREAKER, 6, _ -> headRead.release())).isEqualTo("200 200 200 200 503 503");
        }
    }

    /// Answers each stream with a head and some content, and resets it with `INTERNAL_ERROR` once the client has the
    /// head: a client that is cut off at once may lose it.
    private static void resetStreams(RawUpstream upstream, Semaphore headRead) {
        try (Http2Wire server = Http2Wire.serving(upstream.accept())) {
            server.frame(Http2Wire.SETTINGS, 0, 0);
            while (true) {
                int stream = server.next(Http2Wire.HEADERS).stream();
                server.headers(stream, false, ":status", "200").data(stream, false, "hello");
                headRead.acquireUninterruptibly();
                server.frame(Http2Wire.RST_STREAM, 0, stream, new byte[] {0, 0, 0, 2});
            }
        } catch (IOException e) {
            // the test is over
        }
    }

    @Test
    void answers_that_do_not_end_in_time_open_the_breaker() throws IOException {
        try (Server server = Server.sending(CUT, new CountDownLatch(1))) {
            String targets = "\"timeout\": \"2s\", \"targets\": [" + server.target() + "]";

            assertThat(answers(targets + EAGER_BREAKER, 3)).isEqualTo("200 200 503");
        }
    }

    @Test
    void clients_that_read_slowly_leave_the_breaker_closed() throws IOException {
        int length = 40_000_000; // more than sockets hold
        String large = "HTTP/1.1 200 OK\r\nContent-Length: " + length + "\r\n\r\n" + "x".repeat(length);
        try (Server server = Server.sending(large)) {
            String targets = "\"timeout\": \"2s\", \"targets\": [" + server.target() + "]";

            assertThat(answers(targets + EAGER_BREAKER, 3, CutAnswersTest::stopReading))
                    .isEqualTo("200 200 200");
        }
    }

    /// Lets the call's time pass without reading on.
    private static void stopReading(DataPlane dataPlane) {
        until(() -> dataPlane.requestsInFlight() == 0);
    }

    @Test
    void whole_answers_leave_the_breaker_closed() throws IOException {
        try (Server server = Server.sending(WHOLE)) {
            assertThat(answers("\"targets\": [" + server.target() + "]" + BREAKER, 6))
                    .isEqualTo("200 200 200 200 200 200");
        }
    }

    @Test
    void a_target_that_cuts_its_answers_in_a_row_is_left_out() throws IOException {
        try (Server good = Server.sending(WHOLE);
                Server bad = Server.sending(CUT)) {
            String targets = "\"targets\": [" + bad.target() + ", " + good.target() + "]";
            answers(targets + ", \"ejection\": {\"failures\": 2, \"time\": \"1h\"}", 20);

            assertThat(bad.asked).hasValue(2);
        }
    }
}
