package gateway.app.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import gateway.app.traffic.TrafficTarget.Credentials;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What is put where, at a server that notes it.
final class IndexTemplateTest {
    private static final String STREAM = TrafficTarget.Elasticsearch.DATA_STREAM;

    private final Queue<String> requests = new ConcurrentLinkedQueue<>();
    private final LinkedBlockingQueue<ClusterReply> replies = new LinkedBlockingQueue<>();
    private HttpServer server;
    private volatile int template = 200;
    private volatile int lifecycle = 200;
    private volatile String body = "{}";
    private Optional<String> policy = Optional.empty();

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                String path = exchange.getRequestURI().getPath();
                boolean isTemplate = path.startsWith("/_index_template/");
                String sent = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
                requests.add(exchange.getRequestMethod() + ' ' + path + (isTemplate ? "" : ' ' + sent));
                byte[] answer = body.getBytes(StandardCharsets.US_ASCII);
                exchange.getResponseHeaders().set("Content-Type", "application/json");
                exchange.getResponseHeaders().set("X-Elastic-Product", "Elasticsearch");
                exchange.sendResponseHeaders(isTemplate ? template : lifecycle, answer.length);
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
    void tells_a_data_stream_that_exists_its_retention_after_the_template() throws InterruptedException {
        assertThat(install()).isEqualTo(200);

        assertThat(requests)
                .containsExactly(
                        "PUT /_index_template/" + STREAM,
                        "PUT /_data_stream/" + STREAM + "/_lifecycle {\"data_retention\":\"30d\"}");
    }

    @ParameterizedTest
    @CsvSource({"404, 200", "403, 200", "400, 200", "503, 503", "429, 429"})
    void ships_without_the_retention_unless_it_can_be_tried_again(int answer, int outcome) throws InterruptedException {
        lifecycle = answer;

        assertThat(install()).isEqualTo(outcome);
    }

    @Test
    void says_once_which_privilege_is_missing() throws InterruptedException {
        lifecycle = 403;
        try (LogLines log = LogLines.atTrace()) {
            install();

            assertThat(log.warnings())
                    .singleElement()
                    .asString()
                    .contains("data stream " + STREAM, "not 30d", "privilege manage_data_stream_lifecycle");
        }
    }

    @ParameterizedTest
    @CsvSource({"200", "404"})
    void says_nothing_when_there_is_nothing_to_say(int answer) throws InterruptedException {
        lifecycle = answer;
        try (LogLines log = LogLines.atTrace()) {
            install();

            assertThat(log.warnings()).isEmpty();
        }
    }

    /// As Elasticsearch's own distribution for integration tests does.
    @Test
    void takes_an_elasticsearch_without_the_lifecycle_api_as_it_is() throws InterruptedException {
        lifecycle = 400;
        body = "{\"error\":\"no handler found for uri [/_data_stream/" + STREAM + "/_lifecycle] and method [PUT]\"}";
        try (LogLines log = LogLines.atTrace()) {
            assertThat(install()).isEqualTo(200);

            assertThat(log.warnings()).isEmpty();
            assertThat(log.lines()).anyMatch(line -> line.contains("keeps the retention it was made with"));
        }
    }

    @Test
    void leaves_the_retention_to_a_policy_where_the_cluster_has_policies() throws InterruptedException {
        policy = Optional.of("thirty-days");
        body = "{\"nodes\":{\"a\":{\"modules\":[{\"name\":\"x-pack-ilm\"}]}}}";

        assertThat(install()).isEqualTo(200);

        assertThat(requests).hasSize(2).last().isEqualTo("PUT /_index_template/" + STREAM);
    }

    @Test
    void leaves_the_retention_to_who_owns_the_template() throws InterruptedException {
        template = 403;

        assertThat(install()).isEqualTo(403);
        assertThat(requests).hasSize(1);
    }

    private int install() throws InterruptedException {
        URI node = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        var target = new TrafficTarget.Elasticsearch(
                List.of(node),
                new Credentials.None(),
                Optional.empty(),
                STREAM,
                Duration.ofDays(30),
                policy,
                3,
                Duration.ofSeconds(60),
                Path.of("none"),
                1 << 20);
        try (Cluster cluster = Cluster.of(target)) {
            new IndexTemplate(cluster, target).install(replies::add);
            ClusterReply reply = replies.poll(60, TimeUnit.SECONDS);
            return reply instanceof ClusterReply.Answered answered ? answered.status() : -1;
        }
    }
}
