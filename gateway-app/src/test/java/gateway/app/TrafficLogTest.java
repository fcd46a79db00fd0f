package gateway.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import gateway.app.settings.SettingValue;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// The traffic log of a whole process, and its settings.
final class TrafficLogTest {
    @TempDir
    private Path data;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private HttpServer upstream;

    @BeforeEach
    void start_upstream() throws IOException {
        upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        upstream.createContext("/", exchange -> {
            try (exchange) {
                exchange.getRequestBody().readAllBytes();
                exchange.sendResponseHeaders(201, 5);
                exchange.getResponseBody().write("hello".getBytes(StandardCharsets.US_ASCII));
            }
        });
        upstream.start();
    }

    @AfterEach
    void stop_upstream() {
        client.close();
        upstream.stop(0);
    }

    @Test
    void records_what_was_asked_and_what_was_answered() throws Exception {
        define(
                "orders",
                "{\"capture\": {\"request\": {\"headers\": true, \"query\": true}}, \"mask\": {\"query\": [\"t\"]}}");
        define("silent", "false");
        Gateway gateway = start(Map.of("GATEWAY_TRAFFIC_LOG", "file"));

        call(gateway, "/orders/a%20b?t=s3cret&x=1");
        call(gateway, "/silent");
        call(gateway, "/nowhere");
        await_metric(gateway, "gateway_traffic_records_total{fate=\"accepted\"} 2.0");
        JsonNode ready = Json.parse(get(gateway.adminAddress(), "/health/ready"));
        gateway.close();

        assertThat(ready.at("/trafficLog/state").asString()).isEqualTo("shipping");
        List<String> lines = Files.readAllLines(data.resolve("traffic.ndjson"));
        assertThat(lines).hasSize(2);
        JsonNode record = Json.parse(lines.getFirst());
        assertThat(record.at("/http/response/status_code").asInt()).isEqualTo(201);
        assertThat(record.at("/http/response/body/bytes").asInt()).isEqualTo(5);
        assertThat(record.at("/http/request/body/bytes").asInt()).isEqualTo(4);
        assertThat(record.at("/http/request/method").asString()).isEqualTo("POST");
        assertThat(record.at("/url/path").asString()).isEqualTo("/orders/a%20b");
        assertThat(record.at("/url/query").asString()).isEqualTo("t=***&x=1");
        assertThat(record.at("/client/ip").asString()).isEqualTo("127.0.0.1");
        assertThat(record.at("/service/name").asString()).isEqualTo("orders");
        assertThat(record.at("/trace/id").asString()).hasSize(32);
        assertThat(record.at("/user_agent/original").asString()).isEqualTo("tester");
        assertThat(record.at("/gateway/upstream").asString()).isEqualTo(upstreamUrl());
        assertThat(record.at("/gateway/upstream_duration").asLong()).isPositive();
        assertThat(record.at("/gateway/node").asString()).isEqualTo("node-1");
        assertThat(record.at("/gateway/revision").asLong()).isPositive();
        assertThat(record.at("/gateway/request/headers/authorization/0").asString())
                .isEqualTo("***");
        assertThat(record.at("/gateway/reason").isMissingNode()).isTrue();
        JsonNode refused = Json.parse(lines.getLast());
        assertThat(refused.at("/http/response/status_code").asInt()).isEqualTo(404);
        assertThat(refused.at("/gateway/reason").asString()).isEqualTo("not-found");
    }

    @Test
    void tells_why_a_request_was_refused_and_whose_key_it_came_with() throws Exception {
        define("keyed", "true, \"policies\": [{\"type\": \"key-auth\", \"query\": \"key\"}]");
        define("dead", "true", "http://127.0.0.1:9");
        Gateway gateway = start(Map.of("GATEWAY_TRAFFIC_LOG", "file"));
        String expired =
                key(gateway, "{\"id\": \"k1\", \"expires\": \"2020-01-01T00:00:00Z\", \"apis\": {\"keyed\": {}}}");
        String elsewhere = key(gateway, "{\"id\": \"k2\", \"apis\": {\"dead\": {}}}");
        String disabled = key(gateway, "{\"id\": \"k3\", \"enabled\": false, \"apis\": {\"keyed\": {}}}");
        String spent = key(
                gateway,
                "{\"id\": \"k4\", \"apis\": {\"keyed\": {}}, \"rateLimit\": {\"requests\": 1, \"per\": \"1h\"}}");

        assertThat(call(gateway, "/keyed?key=" + expired)).isEqualTo(401);
        assertThat(call(gateway, "/keyed?key=" + elsewhere)).isEqualTo(403);
        assertThat(call(gateway, "/keyed?key=nobodys")).isEqualTo(401);
        assertThat(call(gateway, "/keyed?key=" + disabled)).isEqualTo(401);
        assertThat(call(gateway, "/keyed?key=" + spent)).isEqualTo(201);
        assertThat(call(gateway, "/keyed?key=" + spent)).isEqualTo(429);
        assertThat(call(gateway, "/dead")).isEqualTo(502);
        await_metric(gateway, "gateway_traffic_records_total{fate=\"accepted\"} 7.0");
        for (String reason : List.of("forbidden", "rate-limited", "upstream-refused")) {
            assertThat(get(gateway.adminAddress(), "/metrics"))
                    .containsPattern("gateway_refusals_total\\{api=\"[a-z]+\",reason=\"" + reason + "\"} 1.0");
        }
        gateway.close();

        assertThat(Files.readAllLines(data.resolve("traffic.ndjson")).stream()
                        .map(Json::parse)
                        .map(record -> record.at("/gateway/reason").asString() + " "
                                + record.at("/user/id").asString("nobody")))
                .containsExactly(
                        "unauthenticated k1",
                        "forbidden k2",
                        "unauthenticated nobody",
                        "unauthenticated k3",
                        " k4",
                        "rate-limited k4",
                        "upstream-refused nobody");
    }

    @Test
    void tells_what_a_policy_that_only_reports_would_have_refused() throws Exception {
        define(
                "watched",
                "true, \"policies\": [{\"type\": \"ip-filter\", \"deny\": [\"127.0.0.1\"], \"mode\": \"report\"},"
                        + " {\"type\": \"rate-limit\", \"requests\": 1, \"per\": \"1h\", \"by\": \"ip\","
                        + " \"mode\": \"report\"}]");
        Gateway gateway = start(Map.of("GATEWAY_TRAFFIC_LOG", "file"));

        assertThat(call(gateway, "/watched")).isEqualTo(201);
        assertThat(call(gateway, "/watched")).isEqualTo(201);
        await_metric(gateway, "gateway_traffic_records_total{fate=\"accepted\"} 2.0");
        await_metric(
                gateway, "gateway_policy_verdicts_total{api=\"watched\",policy=\"ip-filter\",verdict=\"report\"} 2.0");
        gateway.close();

        assertThat(Files.readAllLines(data.resolve("traffic.ndjson")).stream()
                        .map(Json::parse)
                        .map(record -> record.at("/gateway/reported").toString()))
                .containsExactly("[\"ip-filter:forbidden\"]", "[\"ip-filter:forbidden\",\"rate-limit:rate-limited\"]");
    }

    @Test
    void never_shows_a_key_where_key_auth_looks_for_it() throws Exception {
        define(
                "orders",
                "{\"capture\": {\"request\": {\"headers\": true, \"query\": true}}},"
                        + " \"policies\": [{\"type\": \"key-auth\", \"query\": \"api_key\"}]");
        Gateway gateway = start(Map.of("GATEWAY_TRAFFIC_LOG", "file"));

        assertThat(call(gateway, "/orders?api_key=gw_s3cret&x=1")).isEqualTo(401);
        await_metric(gateway, "gateway_traffic_records_total{fate=\"accepted\"} 1.0");
        gateway.close();

        JsonNode record = Json.parse(Files.readString(data.resolve("traffic.ndjson")));
        assertThat(record.at("/url/query").asString()).isEqualTo("api_key=***&x=1");
        assertThat(record.toString()).doesNotContain("s3cret");
    }

    @Test
    void serves_while_elasticsearch_is_away_and_says_so() throws Exception {
        define("orders", "true");
        Gateway gateway = start(Map.of(
                "GATEWAY_TRAFFIC_LOG", "elasticsearch",
                "GATEWAY_ELASTICSEARCH_URL", "http://127.0.0.1:9",
                "GATEWAY_TRAFFIC_LOG_FLUSH", "10ms"));

        for (int i = 0; i < 10; i++) assertThat(call(gateway, "/orders")).isEqualTo(201);
        gateway.close();

        assertThat(data.resolve("spill")).isDirectoryContaining("glob:**.segment");
    }

    @Test
    void settings_that_do_not_go_together_are_refused_by_name() {
        assertThat(problems(Map.of("GATEWAY_TRAFFIC_LOG", "elasticsearch")))
                .containsExactly("GATEWAY_ELASTICSEARCH_URL: expected an http:// or https:// location,"
                        + " since the traffic log goes to Elasticsearch");
        assertThat(problems(Map.of(
                        "GATEWAY_TRAFFIC_LOG", "elasticsearch",
                        "GATEWAY_ELASTICSEARCH_URL", "http://a:s3cret@h:9200,ftp://h",
                        "GATEWAY_ELASTICSEARCH_USER", "a",
                        "GATEWAY_ELASTICSEARCH_API_KEY", "k")))
                .contains(
                        "GATEWAY_ELASTICSEARCH_API_KEY: expected an API key or a user, got both",
                        "GATEWAY_ELASTICSEARCH_PASSWORD: expected a user and a password together, got one of them")
                .noneMatch(problem -> problem.contains("s3cret"));
        assertThat(problems(Map.of("GATEWAY_TRAFFIC_LOG_SPILL_SIZE", "1KiB")))
                .containsExactly("GATEWAY_TRAFFIC_LOG_SPILL_SIZE: expected a size such as \"64MiB\","
                        + " 1048576 bytes or more, got \"1KiB\"");
    }

    @Test
    void credentials_are_never_shown() {
        Settings settings = Settings.read(
                Optional.empty(),
                Map.of(
                        "GATEWAY_TRAFFIC_LOG", "elasticsearch",
                        "GATEWAY_ELASTICSEARCH_URL", "http://h:9200",
                        "GATEWAY_ELASTICSEARCH_USER", "gateway",
                        "GATEWAY_ELASTICSEARCH_PASSWORD", "s3cret"));

        assertThat(settings.toString()).doesNotContain("s3cret");
    }

    @Test
    void queries_of_locations_are_never_shown() {
        Settings settings = Settings.read(
                Optional.empty(),
                Map.of(
                        "GATEWAY_ELASTICSEARCH_URL", "https://a:9200/?key=s3cr3t,https://b:9200/p?k=s3cr3t",
                        "GATEWAY_METRICS_OTLP_URL", "https://c/v1?key=s3cr3t",
                        "GATEWAY_TRACING_ENDPOINT", "https://d?key=s3cr3t"));

        assertThat(settings.values().stream().map(SettingValue::value))
                .noneMatch(value -> value.contains("s3cr3t"))
                .contains("https://a:9200/?***,https://b:9200/p?***", "https://c/v1?***", "https://d?***");
    }

    private static List<String> problems(Map<String, String> environment) {
        return catchThrowableOfType(InvalidConfigException.class, () -> Settings.read(Optional.empty(), environment))
                .problems()
                .stream()
                .map(Object::toString)
                .toList();
    }

    /// The secret of a key that the admin API makes.
    private String key(Gateway gateway, String definition) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + gateway.adminAddress().getPort() + "/admin/v1/keys"))
                .POST(HttpRequest.BodyPublishers.ofString(definition))
                .header("Authorization", "Bearer " + gateway.adminToken().reveal())
                .header("Content-Type", "application/json")
                .build();
        return Json.parse(client.send(request, HttpResponse.BodyHandlers.ofString())
                        .body())
                .get("secret")
                .stringValue();
    }

    private void define(String id, String trafficLog) throws IOException {
        define(id, trafficLog, upstreamUrl());
    }

    private void define(String id, String trafficLog, String upstreamUrl) throws IOException {
        Path file = Files.createDirectories(data.resolve("apis")).resolve(id + ".json");
        Files.writeString(file, """
                {"id": "%1$s", "name": "%1$s", "match": {"path": "/%1$s"}, "stripPath": true,
                "upstream": {"targets": [{"url": "%2$s"}]}, "trafficLog": %3$s}
                """.formatted(id, upstreamUrl, trafficLog));
    }

    /// A record is made once the exchange is over, which may be after the client has its answer.
    private void await_metric(Gateway gateway, String line) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + 10_000_000_000L;
        String metrics = get(gateway.adminAddress(), "/metrics");
        while (!metrics.contains(line) && System.nanoTime() < deadline) {
            LockSupport.parkNanos(5_000_000);
            metrics = get(gateway.adminAddress(), "/metrics");
        }
        assertThat(metrics).contains(line);
    }

    private String upstreamUrl() {
        return "http://127.0.0.1:" + upstream.getAddress().getPort();
    }

    private Gateway start(Map<String, String> settings) {
        var environment = new HashMap<>(Map.of(
                "GATEWAY_LISTEN", "127.0.0.1:0",
                "GATEWAY_ADMIN_LISTEN", "127.0.0.1:0",
                "GATEWAY_NODE", "node-1",
                "GATEWAY_DATA", data.toString()));
        environment.putAll(settings);
        return Gateway.start(Settings.read(Optional.empty(), environment));
    }

    private int call(Gateway gateway, String path) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + gateway.address().getPort() + path))
                .POST(HttpRequest.BodyPublishers.ofString("body"))
                .header("Authorization", "Bearer s3cret")
                .header("User-Agent", "tester")
                .build();
        return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    private String get(InetSocketAddress address, String path) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + address.getPort() + path))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }
}
