package gateway.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import gateway.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// How upstreams stand, as a running gateway tells operators.
@Timeout(60)
final class WatchedUpstreamsTest {
    @TempDir
    private Path data;

    private final CountDownLatch checked = new CountDownLatch(1);
    private HttpServer bad;
    private HttpServer good;
    private Gateway gateway;
    private AdminClient admin;

    @BeforeEach
    void start() throws IOException {
        bad = server(503);
        good = server(204);
        gateway = Gateway.start(Settings.read(
                Optional.empty(),
                Map.of(
                        "GATEWAY_LISTEN", "127.0.0.1:0",
                        "GATEWAY_ADMIN_LISTEN", "127.0.0.1:0",
                        "GATEWAY_DATA", data.toString(),
                        "GATEWAY_DRAIN_TIMEOUT", "1s")));
        admin = AdminClient.of(
                URI.create("http://127.0.0.1:" + gateway.adminAddress().getPort()),
                gateway.adminToken().reveal());
    }

    @AfterEach
    void stop() {
        admin.close();
        gateway.close();
        bad.stop(0);
        good.stop(0);
    }

    private HttpServer server(int status) throws IOException {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        server.createContext("/health", exchange -> {
            checked.countDown();
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
        return server;
    }

    private static String url(HttpServer server) {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private String definition(String id, String more) {
        return """
            {"id": "%s", "match": {"path": "/%s"}, "upstream": {"targets": [{"url": "%s"}, {"url": "%s"}]%s}}""".formatted(id, id, url(bad), url(good), more);
    }

    private int call(String path) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + gateway.address().getPort() + path));
        return admin.client().send(request.build(), BodyHandlers.discarding()).statusCode();
    }

    @Test
    void targets_breaker_retries_and_bulkhead_are_told() throws IOException, InterruptedException {
        admin.call("POST", "/apis", definition("orders", """
            , "ejection": {"failures": 1, "time": "1h"}, "circuitBreaker": {}, "retry": {"backoff": "0ms"},
            "bulkhead": {"requests": 5}"""));
        assertThat(call("/orders")).isEqualTo(204);

        JsonNode upstream = admin.call("GET", "/upstreams", "").at("/items/0");

        assertThat(upstream.at("/targets/0/outForSeconds").asDouble()).isBetween(1.0, 3600.0);
        ((tools.jackson.databind.node.ObjectNode) upstream.at("/targets/0")).remove("outForSeconds");
        assertThat(upstream).isEqualTo(Json.parse("""
            {"name": "orders", "api": "orders", "balance": "round-robin", "watched": true,
             "targets": [
               {"target": "%s", "weight": 1, "state": "ejected", "inFlight": 0, "requests": 1, "failures": 1},
               {"target": "%s", "weight": 1, "state": "usable", "inFlight": 0, "requests": 1, "failures": 0}],
             "circuitBreaker": {"state": "closed", "refused": 0},
             "retry": {"repeated": 1, "overBudget": 0},
             "bulkhead": {"inFlight": 0, "waiting": 0, "refused": 0}}""".formatted(url(bad), url(good))));
    }

    @Test
    void an_upstream_that_is_not_watched_is_listed_with_its_targets() throws IOException, InterruptedException {
        admin.call("POST", "/apis", definition("orders", ""));
        admin.call("POST", "/apis", definition("sales", ", \"retry\": {}"));

        assertThat(admin.call("GET", "/upstreams?name=order", "").get("items"))
                .isEqualTo(Json.parse("""
            [{"name": "orders", "api": "orders", "balance": "round-robin", "watched": false,
              "targets": [{"target": "%s", "weight": 1}, {"target": "%s", "weight": 1}]}]""".formatted(url(bad), url(good))));
        assertThat(admin.call("GET", "/upstreams?limit=1", "").get("next").asString())
                .isEqualTo("1");
    }

    @Test
    void a_version_with_an_upstream_of_its_own_is_told_by_itself() throws IOException, InterruptedException {
        admin.call("POST", "/apis", definition("orders", ", \"retry\": {}").replaceFirst("\\}$", """
                    , "versions": {"in": "header", "name": "X-Version", "list": [
                        {"name": "v1"}, {"name": "v2", "upstream": {"targets": [{"url": "http://127.0.0.1:9"}]}}]}}"""));

        JsonNode items = admin.call("GET", "/upstreams", "").get("items");

        assertThat(items.valueStream().map(item -> item.get("name").asString())).containsExactly("orders", "orders/v2");
    }

    @Test
    void meters_tell_targets_breaker_and_retries() throws IOException, InterruptedException {
        admin.call("POST", "/apis", definition("orders", """
            , "ejection": {"failures": 1, "time": "1h"}, "circuitBreaker": {}, "retry": {"backoff": "0ms"}"""));
        assertThat(call("/orders")).isEqualTo(204);

        assertThat(admin.get("/metrics").body())
                .contains("gateway_upstream_targets{api=\"orders\",state=\"usable\"} 1.0")
                .contains("gateway_upstream_targets{api=\"orders\",state=\"ejected\"} 1.0")
                .contains("gateway_upstream_targets{api=\"orders\",state=\"unhealthy\"} 0.0")
                .contains("gateway_upstream_breaker{api=\"orders\"} 0.0")
                .contains("gateway_upstream_retries_total{api=\"orders\",outcome=\"sent\"} 1.0")
                .contains("gateway_upstream_refused_total{api=\"orders\",reason=\"breaker\"} 0.0");
        admin.call("PUT", "/apis/orders", definition("orders", ""));
        assertThat(admin.get("/metrics").body()).doesNotContain("gateway_upstream_retries_total{");
    }

    @Test
    void validating_a_definition_checks_no_target_and_serving_it_does() throws IOException, InterruptedException {
        String checking = definition("orders", ", \"healthCheck\": {\"path\": \"/health\"}");

        admin.call("POST", "/validate", checking);
        assertThat(checked.await(300, TimeUnit.MILLISECONDS)).isFalse();

        admin.call("POST", "/apis", checking);
        assertThat(checked.await(50, TimeUnit.SECONDS)).isTrue();
    }
}
