package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import gateway.app.steering.Upstreams;
import gateway.config.DefinitionReader;
import gateway.config.PolicyRegistry;
import gateway.wire.io.RequestThreadMode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// Retries, ejection, checks and breaker over real sockets.
@ParameterizedClass
@EnumSource(RequestThreadMode.class)
@Timeout(60)
final class SteeredUpstreamTest {
    @Parameter
    RequestThreadMode mode;

    private final AtomicInteger goodCalls = new AtomicInteger();
    private final AtomicInteger badCalls = new AtomicInteger();
    private HttpServer good;
    private HttpServer bad;

    @BeforeEach
    void start_upstreams() throws IOException {
        good = server(200, goodCalls);
        bad = server(503, badCalls);
    }

    @AfterEach
    void stop_upstreams() {
        good.stop(0);
        bad.stop(0);
    }

    private static HttpServer server(int status, AtomicInteger calls) throws IOException {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            if (!exchange.getRequestURI().getPath().equals("/health")) calls.incrementAndGet();
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        server.start();
        return server;
    }

    private static String url(HttpServer server) {
        return "{\"url\": \"http://127.0.0.1:" + server.getAddress().getPort() + "\"}";
    }

    private String both() {
        return "\"targets\": [" + url(bad) + ", " + url(good) + "]";
    }

    private String statuses(String upstream, int count, String request) throws IOException {
        var api = new DefinitionReader(PolicyRegistry.load())
                .read("{\"id\": \"orders\", \"match\": {\"path\": \"/\"}, \"upstream\": {" + upstream + "}}");
        var settings = DataPlaneSettings.on(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .withIoThreads(1)
                .withRequestThreads(mode);
        var statuses = new StringBuilder();
        try (var upstreams = new Upstreams()) {
            var dataPlane = new DataPlane(settings, OneRoute.live(api, upstreams::upstreamFor));
            try (RawConnection client = RawConnection.to(dataPlane.address())) {
                for (int i = 0; i < count; i++) {
                    client.send(request);
                    statuses.append(Http.start(client.readAnswer()), 9, 12).append(' ');
                }
            } finally {
                dataPlane.stop(Duration.ZERO);
            }
        }
        return statuses.toString().strip();
    }

    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String POST = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi";

    @Test
    void a_bad_answer_is_thrown_away_for_that_of_another_target() throws IOException {
        assertThat(statuses(both() + ", \"retry\": {}", 1, GET)).isEqualTo("200");
        assertThat(badCalls).hasValue(1);
    }

    @Test
    void retries_end_with_the_budget() throws IOException {
        statuses("\"targets\": [" + url(bad) + "], \"retry\": {\"backoff\": \"1ms\"}", 20, GET);

        assertThat(badCalls).hasValue(24);
    }

    @Test
    void a_request_that_is_not_idempotent_is_sent_once() throws IOException {
        assertThat(statuses(both() + ", \"retry\": {}", 1, POST)).isEqualTo("503");
        assertThat(goodCalls).hasValue(0);
    }

    @Test
    void a_target_that_fails_in_a_row_is_left_out() throws IOException {
        String answers = statuses(both() + ", \"ejection\": {\"failures\": 2, \"time\": \"1h\"}", 30, GET);

        assertThat(badCalls).hasValue(2);
        assertThat(answers).endsWith("200 200 200 200 200 200");
    }

    @Test
    void an_open_breaker_keeps_requests_from_the_upstream() throws IOException {
        String answers = statuses(
                "\"targets\": [" + url(bad) + "], \"circuitBreaker\": {\"minRequests\": 5, \"open\": \"1h\"}", 8, GET);

        assertThat(badCalls).hasValue(5);
        assertThat(answers).isEqualTo("503 503 503 503 503 503 503 503");
    }

    @Test
    void a_bulkhead_gives_its_places_back() throws IOException {
        String answers = statuses("\"targets\": [" + url(good) + "], \"bulkhead\": {\"requests\": 1}", 4, GET);

        assertThat(answers).isEqualTo("200 200 200 200");
    }

    @Test
    void a_name_is_balanced_over_its_addresses_by_hash() throws IOException {
        String target = "{\"url\": \"http://localhost:" + good.getAddress().getPort() + "\"}";

        assertThat(statuses("\"targets\": [" + target + "], \"balance\": \"hash\", \"hashBy\": \"ip\"", 2, GET))
                .isEqualTo("200 200");
    }
}
