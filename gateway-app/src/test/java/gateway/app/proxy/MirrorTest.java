package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import gateway.app.steering.Mirror;
import gateway.app.steering.UpstreamReadings;
import gateway.app.steering.Upstreams;
import gateway.config.DefinitionReader;
import gateway.config.PolicyRegistry;
import gateway.policy.Policy;
import gateway.policy.Verdict;
import gateway.service.Upstream;
import gateway.wire.io.RequestThreadMode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// Copies of requests to a second upstream, over real sockets.
@ParameterizedClass
@EnumSource(RequestThreadMode.class)
@Timeout(60)
final class MirrorTest {
    private static final String GET = "GET /a%20b?c=d HTTP/1.1\r\nHost: a\r\nX-Mine: 1\r\n\r\n";

    @Parameter
    RequestThreadMode mode;

    private final BlockingQueue<String> copies = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> sent = new LinkedBlockingQueue<>();
    private final CountDownLatch answers = new CountDownLatch(1);
    private volatile boolean holdsBack;
    private HttpServer first;
    private HttpServer second;
    private Upstreams upstreams;
    private Upstream upstream;
    private DataPlane dataPlane;

    @BeforeEach
    void start() throws IOException {
        first = server();
        first.createContext("/", exchange -> {
            sent.add(String.valueOf(exchange.getRequestHeaders().getFirst("X-Mine")));
            answer(exchange, 200);
        });
        second = server();
        second.createContext("/", this::copied);
    }

    @AfterEach
    void stop() {
        answers.countDown();
        dataPlane.stop(Duration.ZERO);
        upstreams.close();
        first.stop(0);
        second.stop(0);
    }

    private static HttpServer server() throws IOException {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
        return server;
    }

    private void copied(HttpExchange exchange) throws IOException {
        copies.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
                + exchange.getRequestHeaders().getFirst("X-Mine"));
        try {
            if (holdsBack) answers.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        answer(exchange, 500);
    }

    private static void answer(HttpExchange exchange, int status) throws IOException {
        exchange.getRequestBody().readAllBytes();
        byte[] body = "hello".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static String url(HttpServer server) {
        return "{\"url\": \"http://127.0.0.1:" + server.getAddress().getPort() + "\"}";
    }

    private void serve(String more, Policy... policies) throws IOException {
        var api = new DefinitionReader(PolicyRegistry.load())
                .read("{\"id\": \"orders\", \"match\": {\"path\": \"/\"}, \"upstream\": {\"targets\": [" + url(first)
                        + "], \"mirror\": {\"targets\": [" + url(second) + "]" + more + "}}}");
        upstreams = new Upstreams();
        upstream = upstreams.upstreamFor(api.upstream());
        var settings = DataPlaneSettings.on(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .withIoThreads(1)
                .withRequestThreads(mode);
        dataPlane = new DataPlane(settings, OneRoute.live(api, definition -> upstream, policies));
    }

    private String send(RawConnection client, String request) throws IOException {
        client.send(request);
        return Http.start(client.readAnswer()).substring(9, 12);
    }

    private Mirror mirror() {
        return UpstreamReadings.of(upstream).getLast().mirror().orElseThrow();
    }

    @Test
    void the_second_upstream_gets_what_the_first_gets() throws IOException, InterruptedException {
        serve("");
        try (RawConnection client = RawConnection.to(dataPlane.address())) {
            for (int i = 0; i < 3; i++) {
                assertThat(send(client, GET)).isEqualTo("200");
                assertThat(copies.poll(50, TimeUnit.SECONDS)).isEqualTo("GET /a%20b?c=d 1");
            }
        }
    }

    @Test
    void what_is_for_the_first_upstream_alone_is_not_copied() throws IOException, InterruptedException {
        OneRoute.ForUpstream credential = exchange -> {
            exchange.outgoing().headers().set("X-Mine", "of the first");
            return Verdict.proceed();
        };
        serve("", credential);
        try (RawConnection client = RawConnection.to(dataPlane.address())) {
            assertThat(send(client, GET)).isEqualTo("200");

            assertThat(copies.poll(50, TimeUnit.SECONDS)).isEqualTo("GET /a%20b?c=d 1");
            assertThat(sent).containsExactly("of the first");
        }
    }

    @Test
    void a_second_upstream_that_does_not_answer_holds_nobody_up_and_gets_no_more_than_allowed()
            throws IOException, InterruptedException {
        holdsBack = true;
        serve(", \"requests\": 1");
        try (RawConnection client = RawConnection.to(dataPlane.address())) {
            assertThat(send(client, GET)).isEqualTo("200");
            assertThat(copies.poll(50, TimeUnit.SECONDS)).isNotNull();
            for (int i = 0; i < 5; i++) assertThat(send(client, GET)).isEqualTo("200");

            assertThat(mirror().inFlight()).isEqualTo(1);
            assertThat(mirror().dropped()).isEqualTo(5);
            assertThat(copies).isEmpty();
        }
    }

    @Test
    void a_second_upstream_that_is_away_changes_nothing() throws IOException {
        second.stop(0);
        serve("");
        try (RawConnection client = RawConnection.to(dataPlane.address())) {
            for (int i = 0; i < 5; i++) assertThat(send(client, GET)).isEqualTo("200");
        }
    }

    @Test
    void a_request_whose_body_streams_is_not_copied_but_counted() throws IOException {
        serve("");
        try (RawConnection client = RawConnection.to(dataPlane.address())) {
            assertThat(send(client, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi"))
                    .isEqualTo("200");

            assertThat(mirror().inFlight()).isZero();
            assertThat(mirror().dropped()).isZero();
            assertThat(mirror().skipped()).isEqualTo(1);
            assertThat(copies).isEmpty();
        }
    }
}
