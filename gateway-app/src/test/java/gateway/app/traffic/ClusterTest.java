package gateway.app.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import gateway.app.traffic.TrafficTarget.Credentials;
import gateway.http.Secret;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What goes over the wire, to a server that notes it.
class ClusterTest {
    private static final URI DEAD = URI.create("http://127.0.0.1:9");

    private final Queue<List<String>> authorizations = new ConcurrentLinkedQueue<>();
    private final LinkedBlockingQueue<ClusterReply> replies = new LinkedBlockingQueue<>();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                exchange.getRequestBody().readAllBytes();
                authorizations.add(exchange.getRequestHeaders().getOrDefault("Authorization", List.of()));
                byte[] answer = "{}".getBytes(StandardCharsets.US_ASCII);
                exchange.getResponseHeaders().set("Content-Type", "application/json");
                exchange.getResponseHeaders().set("X-Elastic-Product", "Elasticsearch");
                exchange.sendResponseHeaders(200, answer.length);
                exchange.getResponseBody().write(answer);
            }
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void sends_an_api_key_in_the_form_it_was_given_out() throws InterruptedException {
        try (Cluster cluster = cluster(new Credentials.ApiKey(new Secret("aWQ6c2VjcmV0")), live())) {
            cluster.call("GET", "/", Map.of(), new byte[0], replies::add);

            assertThat(answered(1)).isTrue();
        }
        assertThat(authorizations).containsExactly(List.of("ApiKey aWQ6c2VjcmV0"));
    }

    @Test
    void sends_user_and_password_as_basic_authentication() throws InterruptedException {
        try (Cluster cluster = cluster(new Credentials.Basic("gäte", new Secret("s:3")), live())) {
            cluster.call("GET", "/", Map.of(), new byte[0], replies::add);

            assertThat(answered(1)).isTrue();
        }
        assertThat(authorizations).containsExactly(List.of("Basic Z8OkdGU6czoz")); // UTF-8 (RFC 7617)
    }

    @Test
    void sends_no_credentials_without_any() throws InterruptedException {
        try (Cluster cluster = cluster(new Credentials.None(), live())) {
            cluster.call("GET", "/", Map.of(), new byte[0], replies::add);

            assertThat(answered(1)).isTrue();
        }
        assertThat(authorizations).containsExactly(List.of());
    }

    @Test
    void passes_over_a_dead_node_request_after_request() throws InterruptedException {
        try (Cluster cluster = cluster(new Credentials.None(), DEAD, live())) {
            for (int i = 0; i < 500; i++) {
                cluster.bulk("/_bulk", new byte[10], replies::add);
                assertThat(answered(1)).as("request %d", i).isTrue();
            }
        }
        assertThat(authorizations).hasSize(500);
    }

    @Test
    void passes_over_a_dead_node_with_many_requests_under_way() throws InterruptedException {
        try (Cluster cluster = cluster(new Credentials.None(), DEAD, live())) {
            for (int round = 0; round < 100; round++) {
                for (int i = 0; i < 5; i++) cluster.bulk("/_bulk", new byte[10], replies::add);
                assertThat(answered(5)).as("round %d", round).isTrue();
            }
        }
        assertThat(authorizations).hasSize(500);
    }

    private boolean answered(int count) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            ClusterReply reply = replies.poll(60, TimeUnit.SECONDS);
            if (!(reply instanceof ClusterReply.Answered answered) || answered.status() != 200) return false;
        }
        return true;
    }

    private URI live() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    private static Cluster cluster(Credentials credentials, URI... nodes) {
        return Cluster.of(TrafficTarget.Elasticsearch.of(List.of(nodes), credentials, Path.of("none")));
    }
}
