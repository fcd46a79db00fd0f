package gateway.app.transform;

import static gateway.Eventually.until;
import static gateway.http.Gzip.gzip;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import gateway.app.DefinedGateway;
import gateway.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Policies that change what passes, and conditions on what it holds, over sockets.
@Timeout(90)
final class GatewayTransformTest {
    @TempDir
    private Path data;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<String> arrived = new CopyOnWriteArrayList<>();
    private HttpServer upstream;
    private DefinedGateway gateway;

    @BeforeEach
    void start() throws IOException {
        upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        upstream.createContext("/", exchange -> {
            try (exchange) {
                String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1);
                arrived.add(exchange.getRequestHeaders().entrySet() + " " + body);
                exchange.getResponseHeaders().add("Set-Cookie", "sid=upstream; Path=/");
                exchange.getResponseHeaders().add("X-Internal-Node", "n1");
                exchange.sendResponseHeaders(200, -1);
            }
        });
        upstream.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        upstream.start();
    }

    @AfterEach
    void stop() {
        client.close();
        gateway.close();
        upstream.stop(0);
    }

    private void serve(String policies) {
        gateway = DefinedGateway.start(data, Map.of("GATEWAY_TRAFFIC_LOG", "file"), """
                {"id": "orders", "match": {"path": "/"}, "policies": [%s],
                 "upstream": {"targets": [{"url": "http://127.0.0.1:%d"}]}}""".formatted(
                        policies, upstream.getAddress().getPort()));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> get(String target, String... headers) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(gateway.uri(target));
        if (headers.length > 0) request.headers(headers);
        return send(request);
    }

    private HttpResponse<String> post(byte[] body, String... headers) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(gateway.uri("/x")).headers(headers).POST(BodyPublishers.ofByteArray(body)));
    }

    private int posted(String json) throws IOException, InterruptedException {
        return post(json.getBytes(StandardCharsets.UTF_8), "Content-Type", "application/json")
                .statusCode();
    }

    @Test
    void a_redirect_is_answered_in_place_of_the_upstream() throws Exception {
        serve("""
                {"type": "redirect", "status": 308, "to": "/new{request.path}", "when": {"paths": ["/old"]}}""");

        HttpResponse<String> moved = get("/old/a%3fb?c=%2f");
        assertThat(moved.statusCode()).isEqualTo(308);
        assertThat(moved.headers().firstValue("Location")).contains("/new/old/a%3fb?c=%2f");
        assertThat(moved.body()).isEmpty();
        assertThat(arrived).isEmpty();
        assertThat(get("/other").statusCode()).isEqualTo(200);
        assertThat(arrived).hasSize(1);
    }

    @Test
    void a_variable_is_told_to_the_upstream_to_conditions_and_to_the_record() throws Exception {
        serve("""
                {"type": "tag", "set": {"var.tenant": "{request.header.X-Tenant}", "var.both": "{var.tenant}-1"},
                 "record": ["var.tenant"]},
                {"type": "headers", "request": {"set": {"X-Both": "{var.both}"}}},
                {"type": "headers", "when": {"facts": {"/var/tenant": "acme"}}, "request": {"set": {"X-Acme": "1"}}}""");

        get("/", "X-Tenant", "acme");
        get("/", "X-Tenant", "other\"s");
        get("/");

        assertThat(arrived.getFirst()).contains("X-both=[acme-1]", "X-acme=[1]");
        assertThat(arrived.get(1)).contains("X-both=[other\"s-1]").doesNotContain("X-acme");
        until(() -> records().size() == 3);
        assertThat(records())
                .map(record -> record.at("/labels").toString())
                .containsExactly("{\"tenant\":\"acme\"}", "{\"tenant\":\"other\\\"s\"}", "");
    }

    /// Half of a surrogate pair is no character in UTF-8, in records and on the way to the upstream.
    @Test
    void a_long_variable_ends_before_a_character_that_would_be_cut() throws Exception {
        serve("""
                {"type": "tag", "set": {"var.a": "{request.query.a}"}, "record": ["var.a"]},
                {"type": "headers", "request": {"set": {"X-A": "{var.a}"}}}""");

        get("/?a=" + "a".repeat(1_023) + "%F0%9F%99%82b");

        assertThat(arrived).singleElement().asString().contains("X-a=[" + "a".repeat(1_023) + "]");
        until(() -> records().size() == 1);
        assertThat(records().getFirst().at("/labels/a").stringValue()).isEqualTo("a".repeat(1_023));
    }

    private List<JsonNode> records() {
        try (var lines = Files.lines(data.resolve("traffic.ndjson"))) {
            return lines.map(Json::parse).toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    @Test
    void headers_are_renamed_and_cookies_replaced_on_their_way() throws Exception {
        serve("""
                {"type": "headers",
                 "request": {"rename": {"X-Old": "X-New"}, "remove": ["X-Debug-*"], "removeCookie": ["track"]},
                 "response": {"remove": ["X-Internal-*"],
                              "setCookie": [{"name": "sid", "value": "{request.method}", "maxAge": "1h"}]}}""");

        HttpResponse<String> answer =
                get("/", "X-Old", "1", "X-Debug-A", "a", "Cookie", "track=1; kept=2", "X-New", "forged");

        assertThat(arrived.getFirst())
                .contains("X-new=[1]", "Cookie=[kept=2]")
                .doesNotContain("X-old", "forged", "X-debug", "track");
        assertThat(answer.headers().allValues("Set-Cookie"))
                .containsExactly("sid=GET; Path=/; Max-Age=3600; Secure; HttpOnly; SameSite=Lax");
        assertThat(answer.headers().map()).doesNotContainKey("x-internal-node");
    }

    @Test
    void pages_of_other_sites_do_nothing_here() throws Exception {
        serve("""
                {"type": "csrf", "origins": ["https://app.example.com"]}""");
        String own = gateway.uri("").toString();

        byte[] body = {'a'};
        assertThat(post(body, "Origin", "https://evil.example").statusCode()).isEqualTo(403);
        assertThat(post(body, "Referer", "https://evil.example/a").statusCode()).isEqualTo(403);
        assertThat(post(body, "X-A", "1").statusCode()).isEqualTo(403);
        assertThat(arrived).isEmpty();
        assertThat(post(body, "Origin", "https://app.example.com").statusCode()).isEqualTo(200);
        assertThat(post(body, "Origin", own).statusCode()).isEqualTo(200);
        assertThat(get("/", "Origin", "https://evil.example").statusCode()).isEqualTo(200);
    }

    @Test
    void all_but_some_callers_are_told_to_come_again() throws Exception {
        serve("""
                {"type": "key-auth", "header": "X-Api-Key"},
                {"type": "maintenance", "stage": "authorize", "until": "2999-01-01T00:00:00Z",
                 "when": {"not": {"consumers": ["operator"]}}}""");
        String user = gateway.admin().issue("user", "orders");
        String operator = gateway.admin().issue("operator", "orders");

        HttpResponse<String> refused = get("/", "X-Api-Key", user);
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.body()).contains("urn:gateway:problem:maintenance");
        assertThat(refused.headers().firstValueAsLong("Retry-After").orElseThrow())
                .isGreaterThan(1_000_000);
        assertThat(get("/", "X-Api-Key", "wrong").statusCode()).isEqualTo(401);
        assertThat(arrived).isEmpty();
        assertThat(get("/", "X-Api-Key", operator).statusCode()).isEqualTo(200);
    }

    @Test
    void maintenance_shows_a_page_of_the_operators_own() throws Exception {
        Files.writeString(Files.createDirectories(data.resolve("resources")).resolve("sorry.html"), "<p>Soon.");
        serve("""
                {"type": "maintenance", "retryAfter": "2m", "body": {"resource": "sorry.html"}}""");

        HttpResponse<String> shown = get("/");

        assertThat(shown.statusCode()).isEqualTo(503);
        assertThat(shown.body()).isEqualTo("<p>Soon.");
        assertThat(shown.headers().firstValue("Content-Type")).contains("text/html; charset=utf-8");
        assertThat(shown.headers().firstValue("Retry-After")).contains("120");
        until(() -> records().size() == 1);
        assertThat(records().getFirst().at("/gateway/reason").asString()).isEqualTo("maintenance");
    }

    @Test
    void a_condition_reads_the_body_packed_or_not_and_the_upstream_gets_it_as_it_came() throws Exception {
        serve("""
                {"type": "rate-limit", "requests": 1, "per": "1h", "by": "ip", "when": {"body": {"/kind": "bulk"}}},
                {"type": "headers", "when": {"body": {"/items/0/id": 7}}, "request": {"set": {"X-Seven": "1"}}}""");
        byte[] packed = gzip("{\"kind\": \"bulk\"}");

        assertThat(posted("{\"kind\": \"single\", \"items\": [{\"id\": 7.0}]}")).isEqualTo(200);
        assertThat(arrived.getFirst())
                .contains("X-seven=[1]")
                .endsWith("{\"kind\": \"single\", \"items\": [{\"id\": 7.0}]}");
        assertThat(post(packed, "Content-Type", "application/json", "Content-Encoding", "gzip")
                        .statusCode())
                .isEqualTo(200);
        assertThat(arrived.get(1))
                .endsWith(" " + new String(packed, StandardCharsets.ISO_8859_1))
                .doesNotContain("X-seven");
        assertThat(posted("{\"kind\": \"bulk\"}")).isEqualTo(429);
        assertThat(post("{\"kind\": \"bulk\"}".getBytes(StandardCharsets.UTF_8), "Content-Type", "text/plain")
                        .statusCode())
                .isEqualTo(200);
        assertThat(get("/").statusCode()).isEqualTo(200);
    }

    @Test
    void a_body_that_no_condition_can_read_ends_the_request_where_it_is_asked_about() throws Exception {
        serve("""
                {"type": "headers", "when": {"paths": ["/x"], "body": {"/kind": "bulk"}},
                 "request": {"set": {"X-A": "1"}}}""");
        String large = "{\"kind\": \"" + "a".repeat(1 << 20) + "\"}";

        assertThat(posted("{\"kind\": \"a\", \"kind\": \"bulk\"}")).isEqualTo(400);
        assertThat(posted("{\"kind\"")).isEqualTo(400);
        assertThat(post("{}".getBytes(StandardCharsets.UTF_8), "Content-Type", "application/json; charset=shift_jis")
                        .statusCode())
                .isEqualTo(415);
        HttpResponse<String> refused = post(large.getBytes(StandardCharsets.UTF_8), "Content-Type", "application/json");
        assertThat(refused.statusCode()).isEqualTo(413);
        assertThat(refused.headers().firstValue("Connection")).contains("close"); // for it is closed
        assertThat(arrived).isEmpty();
        var elsewhere = HttpRequest.newBuilder(gateway.uri("/y"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(large));
        assertThat(send(elsewhere).statusCode()).isEqualTo(200);
        JsonNode explained = gateway.admin()
                .call(
                        "POST",
                        "/explain",
                        "{\"method\": \"POST\", \"path\": \"/x\", \"headers\": {\"Content-Type\": \"application/json\"},"
                                + " \"body\": \"{\"}");
        assertThat(explained.at("/answer/status").asInt()).isEqualTo(400);
    }

    @Test
    void a_condition_holds_at_its_times() throws Exception {
        serve("""
                {"type": "mock-response", "status": 418, "when": {"times": [{"from": "00:00", "to": "24:00"}]}}""");

        assertThat(get("/").statusCode()).isEqualTo(418);
    }
}
