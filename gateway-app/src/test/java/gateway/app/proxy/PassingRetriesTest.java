package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import gateway.app.steering.Upstreams;
import gateway.config.ApiDefinition;
import gateway.config.DefinitionReader;
import gateway.config.PolicyRegistry;
import gateway.http.Response;
import gateway.policy.BodyAccess;
import gateway.policy.BodyUse;
import gateway.policy.Followup;
import gateway.policy.Policy;
import gateway.policy.Verdict;
import gateway.wire.io.RequestThreadMode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Which requests go out once more whose bodies policies see or change on their way: each byte passes them once, and
/// what goes out again is what they have made.
@Timeout(60)
final class PassingRetriesTest {
    private static final BodyUse WATCHED = BodyUse.ofRequests(BodyAccess.watched());
    private static final BodyUse CHANGED = BodyUse.ofRequests(BodyAccess.streamed());
    private static final String RETRY = "\"retry\": {\"attempts\": 2, \"statuses\": [503], \"methods\": [\"POST\"]}";

    private final SeenPieces seen = new SeenPieces();
    private final Queue<String> bodies = new ConcurrentLinkedQueue<>(); // as the servers got them
    private final AtomicInteger refusals = new AtomicInteger(1); // answered 503 before the first 200
    private final Upstreams upstreams = new Upstreams();
    private HttpServer server;
    private DataPlane dataPlane;
    private RawConnection client;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        dataPlane.stop(Duration.ZERO);
        upstreams.close();
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String length = exchange.getRequestHeaders().getFirst("Content-Length");
            byte[] body = exchange.getRequestBody().readAllBytes();
            bodies.add(length + ":" + new String(body, StandardCharsets.US_ASCII));
            exchange.sendResponseHeaders(refusals.getAndDecrement() > 0 ? 503 : 200, -1);
        }
    }

    /// @param upstream members of its JSON object beside the targets, which are two names of one server
    private void serve(String upstream, Policy... policies) throws IOException {
        int port = server.getAddress().getPort();
        serve(upstream, "http://127.0.0.1:" + port, "http://localhost:" + port, policies);
    }

    private void serve(String upstream, String first, String second, Policy... policies) throws IOException {
        ApiDefinition api = new DefinitionReader(PolicyRegistry.load()).read("""
                {"id": "orders", "match": {"path": "/"}, "upstream": {"targets": [{"url": "%s"}, {"url": "%s"}], %s}}""".formatted(first, second, upstream));
        var settings = DataPlaneSettings.on(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .withIoThreads(1)
                .withRequestThreads(RequestThreadMode.IO);
        dataPlane = new DataPlane(settings, OneRoute.live(api, upstreams::upstreamFor, policies));
        client = RawConnection.to(dataPlane.address());
    }

    private String status(String... parts) throws IOException {
        for (String part : parts) client.send(part);
        return Http.start(client.readAnswer());
    }

    private static String head(String method, String framing) {
        return method + " / HTTP/1.1\r\nHost: a\r\nIdempotency-Key: 1\r\n" + framing + "\r\n\r\n";
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUT", "POST"})
    void a_small_body_is_sent_again_as_it_was_changed_the_first_time(String method) throws IOException {
        serve(RETRY, seen.policy(CHANGED));

        assertThat(status(head(method, "Content-Length: 5") + "hello")).isEqualTo("HTTP/1.1 200 OK");

        assertThat(bodies).containsExactly("7:[HELLO]", "7:[HELLO]");
        assertThat(seen.content()).isEqualTo("hello");
        assertThat(seen.ends()).containsExactly("complete");
    }

    @Test
    void methods_that_are_named_stand_beside_the_idempotent_ones() throws IOException {
        serve(RETRY);

        assertThat(status("GET / HTTP/1.1\r\nHost: a\r\n\r\n")).isEqualTo("HTTP/1.1 200 OK");
        assertThat(bodies).hasSize(2);
    }

    @Test
    void so_is_one_that_comes_behind_its_head() throws IOException {
        serve(RETRY, seen.policy(CHANGED));

        assertThat(status(head("PUT", "Content-Length: 5"), "hel", "lo")).isEqualTo("HTTP/1.1 200 OK");

        assertThat(bodies).containsExactly("7:[HELLO]", "7:[HELLO]");
        assertThat(seen.ends()).containsExactly("complete");
    }

    @Test
    void a_small_body_that_is_watched_is_sent_again_and_seen_once() throws IOException {
        serve(RETRY, seen.policy(WATCHED));

        assertThat(status(head("PUT", "Content-Length: 5") + "hello")).isEqualTo("HTTP/1.1 200 OK");

        assertThat(bodies).containsExactly("5:hello", "5:hello");
        assertThat(seen.content()).isEqualTo("hello");
        assertThat(seen.ends()).containsExactly("complete");
    }

    @Test
    void one_of_unknown_length_is_not_once_it_has_passed() throws IOException {
        serve(RETRY, seen.policy(CHANGED));

        assertThat(status(head("PUT", "Transfer-Encoding: chunked") + "5\r\nhello\r\n0\r\n\r\n"))
                .isEqualTo("HTTP/1.1 503 Service Unavailable");

        assertThat(bodies).containsExactly("null:[HELLO]");
        assertThat(seen.ends()).containsExactly("complete");
    }

    @Test
    void nor_is_one_that_is_longer_than_what_is_held() throws IOException {
        serve(RETRY, seen.policy(CHANGED));
        String large = PassingProxy.LARGE;

        assertThat(status(head("PUT", "Content-Length: " + large.length()) + large))
                .isEqualTo("HTTP/1.1 503 Service Unavailable");

        assertThat(bodies).containsExactly("null:[" + large.toUpperCase(Locale.ROOT) + "]");
        assertThat(seen.ends()).containsExactly("complete");
    }

    @Test
    void nor_is_one_whose_method_does_not_allow_it() throws IOException {
        serve(RETRY, seen.policy(CHANGED));

        assertThat(status(head("PATCH", "Content-Length: 5") + "hello")).isEqualTo("HTTP/1.1 503 Service Unavailable");

        assertThat(bodies).hasSize(1);
        assertThat(seen.ends()).containsExactly("complete");
    }

    @Test
    void one_that_a_server_has_not_seen_goes_whole_to_the_next() throws IOException {
        refusals.set(0);
        var places = new ConcurrentLinkedQueue<SeenPieces>();
        Policy policy = new OneRoute.WithBodies(CHANGED, exchange -> {
            var place = new SeenPieces();
            places.add(place);
            return place.policy(CHANGED).apply(exchange);
        });
        String absent = "http://127.0.0.1:" + portOfNobody();
        serve(
                "\"retry\": {\"attempts\": 2}, \"ejection\": {\"failures\": 1}",
                absent,
                "http://127.0.0.1:" + server.getAddress().getPort(),
                policy);

        for (int i = 0; i < 2; i++) { // one of them meets the absent one first, which is left out then
            assertThat(status(head("POST", "Transfer-Encoding: chunked") + "5\r\nhello\r\n0\r\n\r\n"))
                    .isEqualTo("HTTP/1.1 200 OK");
        }

        assertThat(bodies).hasSize(2).allMatch("null:[HELLO]"::equals);
        assertThat(places).hasSize(2).allMatch(place -> place.ends().equals(List.of("complete")));
    }

    private static int portOfNobody() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Test
    void a_policy_that_asks_for_one_more_is_not_heard_once_a_body_has_passed() throws IOException {
        OneRoute.ForUpstream asksAgain = _ -> Verdict.proceed(new Followup() {
            @Override
            public boolean again(Response answer) {
                return answer.status() == 503;
            }
        });
        serve("\"balance\": \"round-robin\"", seen.policy(CHANGED), asksAgain);

        assertThat(status(head("PUT", "Content-Length: 5") + "hello")).isEqualTo("HTTP/1.1 503 Service Unavailable");

        assertThat(bodies).hasSize(1).allMatch(body -> body.endsWith(":[HELLO]"));
        assertThat(seen.ends()).containsExactly("complete");
    }
}
