package gateway.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Whole gateways that keep out who keeps being refused.
@Timeout(90)
final class GatewayBanTest {
    @TempDir
    private Path data;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final AtomicInteger served = new AtomicInteger();
    private HttpServer upstream;
    private DefinedGateway gateway;
    private AdminClient admin;

    @BeforeEach
    void start() throws IOException {
        upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        upstream.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        upstream.createContext("/", exchange -> {
            try (exchange) {
                served.incrementAndGet();
                exchange.sendResponseHeaders(exchange.getRequestURI().getPath().endsWith("/gone") ? 404 : 200, -1);
            }
        });
        upstream.start();
        gateway = DefinedGateway.start(data, Map.of("GATEWAY_TRUSTED_PROXIES", "127.0.0.1"));
        admin = gateway.admin();
    }

    @AfterEach
    void stop() {
        gateway.close();
        client.close();
        upstream.stop(0);
    }

    @Test
    void who_guesses_passwords_is_kept_out_with_the_right_one_too_and_let_in_by_an_operator() throws Exception {
        String secret = protect("{\"type\": \"ban\", \"failures\": 3, \"per\": \"1m\", \"for\": \"1h\"}");

        for (int i = 0; i < 3; i++)
            assertThat(call("203.0.113.9", "guess" + i).statusCode()).isEqualTo(401);
        HttpResponse<String> banned = call("203.0.113.9", secret);

        assertThat(banned.statusCode()).isEqualTo(429);
        assertThat(banned.body()).contains("urn:gateway:problem:banned").doesNotContain("203.0.113.9");
        assertThat(banned.headers().firstValueAsLong("Retry-After").orElseThrow())
                .isBetween(3_500L, 3_600L);
        assertThat(call("203.0.113.10", secret).statusCode()).isEqualTo(200);
        var bans = admin.call("GET", "/bans", "").get("items");
        assertThat(bans.get(0).get("subject").stringValue()).isEqualTo("ip:203.0.113.9");
        assertThat(bans.get(0).get("policy").stringValue()).isEqualTo("orders/ban");
        assertThat(bans.size()).isOne();
        assertThat(admin.call("GET", "/bans?name=203.0.113.8", "").get("items").size())
                .isZero();

        var lifted = admin.call("DELETE", "/bans?policy=orders/ban&subject=ip:203.0.113.9", "");

        assertThat(lifted.get("lifted").asInt(0)).isOne();
        assertThat(call("203.0.113.9", secret).statusCode()).isEqualTo(200);
        assertThat(admin.call("GET", "/audit", "").toString()).contains("DELETE bans orders/ban ip:203.0.113.9 (1)");
    }

    @Test
    void bans_hold_over_changes_of_the_definition() throws Exception {
        String secret = protect("{\"type\": \"ban\", \"failures\": 1, \"per\": \"1m\", \"for\": \"1h\"}");
        assertThat(call("203.0.113.9", "wrong").statusCode()).isEqualTo(401);
        assertThat(call("203.0.113.9", secret).statusCode()).isEqualTo(429);

        define("{\"type\": \"headers\", \"response\": {\"set\": {\"X-A\": \"b\"}}},"
                + "{\"type\": \"ban\", \"failures\": 1, \"per\": \"1m\", \"for\": \"1h\"}, {\"type\": \"key-auth\"}");

        assertThat(call("203.0.113.9", secret).statusCode()).isEqualTo(429);
    }

    @Test
    void a_policy_that_only_reports_keeps_nobody_out_and_says_whom_it_would() throws Exception {
        String secret =
                protect("{\"type\": \"ban\", \"failures\": 1, \"per\": \"1m\", \"for\": \"1h\", \"mode\": \"report\"}");
        assertThat(call("203.0.113.9", "wrong").statusCode()).isEqualTo(401);

        assertThat(call("203.0.113.9", secret).statusCode()).isEqualTo(200);

        assertThat(admin.get("/metrics").body())
                .contains("gateway_policy_verdicts_total{api=\"orders\",policy=\"ban\",verdict=\"report\"} 1.0");
    }

    @Test
    void a_caller_that_probes_what_the_upstream_has_not_is_kept_out_by_its_key() throws Exception {
        define("{\"type\": \"key-auth\"}, {\"type\": \"ban\", \"by\": \"key\", \"stage\": \"authorize\","
                + "\"answers\": {\"statuses\": [404]}, \"failures\": 5, \"per\": \"1m\", \"for\": \"1h\"}");
        String prober = admin.issue("prober", "orders");
        String other = admin.issue("other", "orders");

        for (int i = 0; i < 5; i++)
            assertThat(call("203.0.113." + i, prober, "/gone").statusCode()).isEqualTo(404);

        assertThat(call("203.0.113.77", prober).statusCode()).isEqualTo(429);
        assertThat(call("203.0.113.1", other).statusCode()).isEqualTo(200);
        assertThat(served).hasValue(6);
    }

    @Test
    void a_credential_in_a_header_is_counted_although_it_is_taken_out_and_stands_in_no_list() throws Exception {
        define(
                "{\"type\": \"ban\", \"by\": \"header:Authorization\", \"failures\": 2, \"per\": \"1m\", \"for\": \"1h\"},"
                        + "{\"type\": \"key-auth\"}");
        admin.issue("k1", "orders");
        String wrong = Base64.getUrlEncoder().encodeToString("wrong".getBytes(StandardCharsets.UTF_8));

        for (int i = 0; i < 2; i++)
            assertThat(call("203.0.113." + i, wrong).statusCode()).isEqualTo(401);

        assertThat(call("203.0.113.7", wrong).statusCode()).isEqualTo(429);
        assertThat(call("203.0.113.7", "another").statusCode()).isEqualTo(401);
        assertThat(admin.call("GET", "/bans", "").toString())
                .contains("header:#")
                .doesNotContain(wrong);
    }

    @Test
    void a_refused_login_counts_whatever_status_the_fault_has_that_tells_of_it() throws Exception {
        admin.call("PUT", "/apis/soap", """
                {"match": {"path": "/orders"}, "errors": [{"form": "soap", "status": "binding"}],
                 "policies": [{"type": "ban", "failures": 2, "per": "1m", "for": "1h"}, {"type": "key-auth"}],
                 "upstream": {"targets": [{"url": "http://127.0.0.1:%d"}]}}""".formatted(upstream.getAddress().getPort()));
        String secret = admin.issue("k1", "soap");

        for (int i = 0; i < 2; i++) {
            HttpResponse<String> refused = call("203.0.113.9", "guess" + i);
            assertThat(refused.statusCode()).isEqualTo(500);
            assertThat(refused.body()).contains("soap:Client", "<status>401</status>");
        }
        HttpResponse<String> banned = call("203.0.113.9", secret);

        assertThat(banned.statusCode()).isEqualTo(500);
        assertThat(banned.body()).contains("urn:gateway:problem:banned", "<status>429</status>");
        assertThat(banned.headers().firstValue("Retry-After")).isPresent();
        assertThat(call("203.0.113.10", secret).statusCode()).isEqualTo(200);
    }

    private String protect(String ban) throws Exception {
        define(ban + ", {\"type\": \"key-auth\"}");
        return admin.issue("k1", "orders");
    }

    private void define(String policies) throws Exception {
        gateway.define("orders", policies, upstream.getAddress());
    }

    private HttpResponse<String> call(String address, String secret) throws Exception {
        return call(address, secret, "");
    }

    private HttpResponse<String> call(String address, String secret, String path) throws Exception {
        var uri = gateway.uri("/orders" + path);
        var request = HttpRequest.newBuilder(uri)
                .header("Authorization", "Bearer " + secret)
                .header("X-Forwarded-For", address);
        return client.send(request.build(), BodyHandlers.ofString());
    }
}
