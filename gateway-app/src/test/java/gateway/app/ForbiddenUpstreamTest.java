package gateway.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import gateway.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Upstreams that a definition names and that the settings do not allow, on a whole gateway.
@Timeout(60)
final class ForbiddenUpstreamTest {
    @TempDir
    private Path data;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final AtomicInteger connections = new AtomicInteger();
    private HttpServer upstream;

    @BeforeEach
    void start_upstream() throws IOException {
        upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        upstream.createContext("/", exchange -> {
            connections.incrementAndGet();
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        upstream.start();
    }

    @AfterEach
    void stop_upstream() {
        client.close();
        upstream.stop(0);
    }

    @Test
    void an_address_outside_of_the_allowed_networks_is_refused_when_written() throws Exception {
        try (Gateway gateway = start("10.0.0.0/8")) {
            HttpResponse<String> refused = define(gateway, "127.0.0.1", "");

            assertThat(refused.statusCode()).isEqualTo(422);
            assertThat(Json.parse(refused.body()).at("/errors/0/pointer").asString(""))
                    .isEqualTo("/upstream/targets/0/url");
            assertThat(call(gateway).statusCode()).isEqualTo(404);
        }
    }

    @Test
    void a_name_that_leads_outside_of_them_is_not_called() throws Exception {
        try (Gateway gateway = start("10.0.0.0/8")) {
            assertThat(define(gateway, "localhost", "").statusCode()).isEqualTo(201);

            HttpResponse<String> answer = call(gateway);

            assertThat(answer.statusCode()).isEqualTo(502);
            assertThat(Json.parse(answer.body()).at("/type").asString("")).endsWith("upstream-forbidden");
            assertThat(connections).hasValue(0);
        }
    }

    @Test
    void nor_is_it_when_it_is_steered_and_checked() throws Exception {
        String steered = ", \"retry\": {}, \"healthCheck\": {\"interval\": \"100ms\"}";
        try (Gateway gateway = start("10.0.0.0/8")) {
            assertThat(define(gateway, "localhost", steered).statusCode()).isEqualTo(201);

            HttpResponse<String> answer = call(gateway);

            assertThat(answer.statusCode()).isEqualTo(502);
            assertThat(Json.parse(answer.body()).at("/type").asString("")).endsWith("upstream-forbidden");
            assertThat(connections).hasValue(0);
        }
    }

    @Test
    void loopback_is_called_unless_the_settings_say_otherwise() throws Exception {
        try (Gateway gateway = start("")) {
            assertThat(define(gateway, "localhost", "").statusCode()).isEqualTo(201);

            assertThat(call(gateway).statusCode()).isEqualTo(204);
        }
    }

    @Test
    void a_stored_definition_is_left_out_when_its_address_is_not_allowed_any_more() throws Exception {
        try (Gateway gateway = start("")) {
            assertThat(define(gateway, "127.0.0.1", "").statusCode()).isEqualTo(201);
        }

        try (Gateway gateway = start("10.0.0.0/8")) {
            assertThat(call(gateway).statusCode()).isEqualTo(503);
        }
    }

    private Gateway start(String networks) {
        return Gateway.start(Settings.read(
                Optional.empty(),
                Map.of(
                        "GATEWAY_LISTEN", "127.0.0.1:0",
                        "GATEWAY_ADMIN_LISTEN", "127.0.0.1:0",
                        "GATEWAY_DATA", data.toString(),
                        "GATEWAY_DRAIN_TIMEOUT", "1s",
                        "GATEWAY_ALLOWED_NETWORKS", networks)));
    }

    private HttpResponse<String> define(Gateway gateway, String host, String more) throws Exception {
        String definition = """
            {"id": "orders", "match": {"path": "/orders"}, "upstream": {"targets": [{"url": "http://%s:%d"}]%s}}""".formatted(host, upstream.getAddress().getPort(), more);
        return client.send(
                HttpRequest.newBuilder(URI.create(
                                "http://127.0.0.1:" + gateway.adminAddress().getPort() + "/admin/v1/apis"))
                        .header(
                                "Authorization",
                                "Bearer " + gateway.adminToken().reveal())
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(definition))
                        .build(),
                BodyHandlers.ofString());
    }

    private HttpResponse<String> call(Gateway gateway) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create(
                                "http://127.0.0.1:" + gateway.address().getPort() + "/orders"))
                        .build(),
                BodyHandlers.ofString());
    }
}
