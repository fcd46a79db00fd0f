package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import gateway.app.steering.Upstreams;
import gateway.config.ApiDefinition;
import gateway.config.DefinitionReader;
import gateway.config.PolicyRegistry;
import gateway.http.Response;
import gateway.policy.Followup;
import gateway.policy.Verdict;
import gateway.wire.io.RequestThreadMode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// Requests that the upstream has not taken and that a policy sends once more with another token, over real
/// sockets.
@ParameterizedClass
@EnumSource(RequestThreadMode.class)
@Timeout(60)
final class SentAgainTest {
    @Parameter
    RequestThreadMode mode;

    private final AtomicInteger token = new AtomicInteger(1);
    private final Queue<String> seen = new ConcurrentLinkedQueue<>();
    private final AtomicInteger taken = new AtomicInteger(2); // the token that the server takes
    private int refusalBytes = 20;
    private HttpServer server;
    private Upstreams upstreams;
    private DataPlane dataPlane;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::answer);
        server.start();
        upstreams = new Upstreams();
    }

    @AfterEach
    void stop() {
        dataPlane.stop(Duration.ZERO);
        upstreams.close();
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.US_ASCII);
            String sent = exchange.getRequestHeaders().getFirst("X-Token");
            seen.add(sent + ":" + body);
            boolean good = sent.equals(Integer.toString(taken.get()));
            byte[] answer = (good ? "good" : "x".repeat(refusalBytes)).getBytes(StandardCharsets.US_ASCII);
            if (!good) exchange.getResponseHeaders().set("X-Refused", "yes");
            exchange.sendResponseHeaders(good ? 200 : 401, answer.length);
            exchange.getResponseBody().write(answer);
        }
    }

    private void serve(String more) throws IOException {
        ApiDefinition api = new DefinitionReader(PolicyRegistry.load())
                .read("{\"id\": \"orders\", \"match\": {\"path\": \"/\"}, \"upstream\": {\"targets\": "
                        + "[{\"url\": \"http://127.0.0.1:" + server.getAddress().getPort() + "\"}]" + more + "}}");
        OneRoute.ForUpstream tokens = exchange -> {
            exchange.outgoing().headers().set("X-Token", Integer.toString(token.get()));
            if (exchange.body().length().orElse(Long.MAX_VALUE) <= 1024)
                exchange.body().bytes(1024);
            return Verdict.proceed(new Renewing());
        };
        var settings = DataPlaneSettings.on(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .withIoThreads(1)
                .withRequestThreads(mode);
        dataPlane = new DataPlane(settings, OneRoute.live(api, upstreams::upstreamFor, tokens));
    }

    private final class Renewing implements Followup {
        @Override
        public boolean again(Response answer) {
            if (answer.status() != 401) return false;
            token.incrementAndGet();
            return true;
        }
    }

    private String ask(RawConnection client, String request) throws IOException {
        client.send(request);
        return client.readAnswer();
    }

    @Test
    void a_request_without_a_body_is_sent_again_and_the_client_sees_the_second_answer_alone() throws IOException {
        serve("");
        try (RawConnection client = RawConnection.to(dataPlane.address())) {
            for (int i = 0; i < 3; i++) {
                String answer = ask(client, "GET /a HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(answer).startsWith("HTTP/1.1 200").endsWith("good").doesNotContain("X-Refused", "X-refused");
            }
        }
        assertThat(seen).containsExactly("1:", "2:", "2:", "2:");
    }

    @Test
    void a_body_that_the_policy_has_held_is_sent_again() throws IOException {
        serve("");
        try (RawConnection client = RawConnection.to(dataPlane.address())) {
            String answer = ask(client, "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello");

            assertThat(answer).startsWith("HTTP/1.1 200");
        }
        assertThat(seen).containsExactly("1:hello", "2:hello");
    }

    @Test
    void a_body_that_has_gone_by_leaves_the_first_answer() throws IOException {
        serve("");
        try (RawConnection client = RawConnection.to(dataPlane.address())) {
            client.send("POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
            String answer = ask(client, "0\r\n\r\n");

            assertThat(answer).startsWith("HTTP/1.1 401");
        }
        assertThat(seen).containsExactly("1:hello");
    }

    @Test
    void a_long_refusal_is_let_go_of_and_the_client_goes_on_with_the_next_request() throws IOException {
        refusalBytes = 3_000_000;
        serve("");
        try (RawConnection client = RawConnection.to(dataPlane.address())) {
            for (int i = 0; i < 3; i++) {
                assertThat(ask(client, "GET /a HTTP/1.1\r\nHost: a\r\n\r\n")).startsWith("HTTP/1.1 200");
                taken.incrementAndGet();
            }
        }
        assertThat(seen).containsExactly("1:", "2:", "2:", "3:", "3:", "4:");
    }

    @Test
    void it_works_past_retries_and_breakers_too() throws IOException {
        serve(", \"retry\": {\"attempts\": 2, \"statuses\": [503]}, \"circuitBreaker\": {}");
        try (RawConnection client = RawConnection.to(dataPlane.address())) {
            assertThat(ask(client, "GET /a HTTP/1.1\r\nHost: a\r\n\r\n")).startsWith("HTTP/1.1 200");
        }
        assertThat(seen).containsExactly("1:", "2:");
    }
}
