package gateway.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import gateway.app.metrics.Metrics;
import gateway.app.metrics.MetricsSettings;
import gateway.app.redis.RedisMetrics;
import gateway.app.redis.RedisState;
import gateway.app.steering.HttpCalls;
import gateway.app.steering.Upstreams;
import gateway.json.Json;
import gateway.service.CallBounds;
import gateway.service.CallRequest;
import gateway.service.CallTarget;
import gateway.service.DependencyException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// `docs/metrics.md`, the dashboards and the alert rules name what a running gateway exposes.
final class MetricsDocumentTest {
    private static final Path DOCS = Path.of("../docs");
    private static final Pattern ROW = Pattern.compile("^\\| `(gateway_\\w+)` \\| (\\w+) \\|", Pattern.MULTILINE);
    private static final Pattern TYPE = Pattern.compile("^# TYPE (\\w+) (\\w+)$", Pattern.MULTILINE);
    private static final Pattern METRIC = Pattern.compile("(?:gateway|jvm|process|system)_\\w+");

    @TempDir
    static Path data;

    private static Map<String, String> exposed;

    @BeforeAll
    static void run() throws IOException, InterruptedException {
        HttpServer upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        upstream.createContext("/", exchange -> {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        upstream.start();
        exposed = new HashMap<>();
        try (Gateway gateway = Gateway.start(Settings.read(
                        Optional.empty(),
                        Map.of(
                                "GATEWAY_LISTEN", "127.0.0.1:0",
                                "GATEWAY_ADMIN_LISTEN", "127.0.0.1:0",
                                "GATEWAY_DATA", data.toString(),
                                "GATEWAY_DRAIN_TIMEOUT", "1s",
                                "GATEWAY_METRICS_PINNED", "on",
                                "GATEWAY_TRACING_ENDPOINT",
                                        "http://127.0.0.1:"
                                                + upstream.getAddress().getPort(),
                                "GATEWAY_TRAFFIC_LOG", "file")));
                HttpClient client = HttpClient.newHttpClient()) {
            String admin = "http://127.0.0.1:" + gateway.adminAddress().getPort();
            var define = HttpRequest.newBuilder(URI.create(admin + "/admin/v1/apis"))
                    .header("Authorization", "Bearer " + gateway.adminToken().reveal())
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(
                            """
                        {"id": "orders", "match": {"path": "/orders"},
                         "policies": [{"type": "rate-limit", "requests": 5, "per": "1s", "by": "ip"}, {"type": "cache"}],
                         "upstream": {"targets": [{"url": "http://127.0.0.1:%d"}],
                                      "circuitBreaker": {}, "retry": {},
                                      "mirror": {"targets": [{"url": "http://127.0.0.1:9"}]}}}""".formatted(upstream.getAddress().getPort())));
            var defined = client.send(define.build(), BodyHandlers.ofString());
            assertThat(defined.statusCode()).as(defined.body()).isEqualTo(201);
            defineWithTokens(client, admin, gateway.adminToken().reveal());
            get(client, "http://127.0.0.1:" + gateway.address().getPort() + "/orders");
            get(client, "http://127.0.0.1:" + gateway.address().getPort() + "/nowhere");
            addExposed(get(client, admin + "/metrics"));
        } finally {
            upstream.stop(0);
        }
        withRedisAndTls();
    }

    /// An API that asks for tokens and runs a script.
    private static void defineWithTokens(HttpClient client, String admin, String token)
            throws IOException, InterruptedException {
        var define = HttpRequest.newBuilder(URI.create(admin + "/admin/v1/apis"))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("""
                        {"id": "guarded", "match": {"path": "/guarded"},
                         "policies": [{"type": "jwt", "issuers": [{"name": "partner", "audiences": [],
                             "algorithms": ["EdDSA"], "keys": {"keys": [{"kty": "OKP", "crv": "Ed25519",
                                 "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}}]},
                             {"type": "script", "source": "vars.a = 'b'"}],
                         "upstream": {"targets": [{"url": "http://127.0.0.1:9"}]}}"""));
        var defined = client.send(define.build(), BodyHandlers.ofString());
        assertThat(defined.statusCode()).as(defined.body()).isEqualTo(201);
    }

    /// What only a gateway with such neighbours has.
    private static void withRedisAndTls() {
        try (var metrics = Metrics.start(MetricsSettings.DEFAULT, Set::of, "test")) {
            new RedisMetrics(() -> new RedisState(true, 0, 0, 0, 0), metrics.readings()).tell();
            metrics.tellCertificates(() -> Map.of("api.example.com", Instant.EPOCH));
            metrics.unrouted().step("key-auth", true).took(1); // as with a store in Redis
            callInVain(metrics);
            addExposed(metrics.scrape());
        }
    }

    /// As a policy that calls a server does.
    private static void callInVain(Metrics metrics) {
        HttpCalls calls = new Upstreams().calls(metrics.registry());
        var server = calls.to(CallTarget.of(URI.create("http://127.0.0.1:9")), "");
        var bounds = new CallBounds(Duration.ofMillis(1), 0);
        assertThatThrownBy(() -> server.send(CallRequest.get("/"), bounds, null))
                .isInstanceOf(DependencyException.class);
        calls.refresh();
    }

    @AfterAll
    static void forget() {
        exposed = Map.of();
    }

    @Test
    void the_page_lists_exactly_the_metrics_that_a_running_gateway_exposes_with_their_kinds() throws IOException {
        Map<String, String> documented = new HashMap<>();
        Matcher rows = ROW.matcher(read("metrics.md"));
        while (rows.find()) documented.put(rows.group(1), rows.group(2));
        Map<String, String> own = new HashMap<>(exposed);
        own.keySet().removeIf(name -> !name.startsWith("gateway_"));

        assertThat(documented).isEqualTo(own);
    }

    @Test
    void alert_rules_and_the_grafana_dashboard_use_metrics_that_exist() throws IOException {
        Set<String> known = new TreeSet<>(exposed.keySet());
        exposed.forEach((name, kind) -> {
            if (!kind.equals("counter")) known.add(name + "_bucket");
        });
        Set<String> ofMembers = used(read("cache-component.md")); // held to a member's by CacheNodeTest
        known.addAll(ofMembers);

        assertThat(used(read("dashboards/alerts.yaml"))).isSubsetOf(known);
        var expressions = new StringBuilder();
        for (JsonNode panel : Json.parse(read("dashboards/grafana.json")).path("panels")) {
            panel.path("targets")
                    .forEach(target ->
                            expressions.append(target.path("expr").asString()).append('\n'));
        }
        assertThat(used(expressions.toString()))
                .isSubsetOf(known)
                .hasSizeGreaterThan(20)
                .containsAll(ofMembers)
                .contains("gateway_cache_requests_total", "gateway_cache_entries", "gateway_cache_bytes");
    }

    @Test
    void the_kibana_dashboard_uses_fields_that_the_index_template_maps() throws IOException {
        JsonNode mapped = Json.parse(
                        Files.readString(Path.of("src/main/resources/gateway/app/traffic/index-template.json")))
                .at("/template/mappings");
        var used = new TreeSet<String>();
        for (String line : read("dashboards/kibana.ndjson").lines().toList()) {
            JsonNode attributes = Json.parse(line).path("attributes");
            attributes.path("columns").forEach(column -> used.add(column.asString()));
            if (!attributes.has("visState")) continue;
            Json.parse(attributes.path("visState").asString()).path("aggs").forEach(each -> {
                if (each.at("/params/field").isString())
                    used.add(each.at("/params/field").asString());
            });
        }

        assertThat(used)
                .hasSizeGreaterThan(8)
                .allSatisfy(field -> assertThat(mapped.at("/properties/" + field.replace(".", "/properties/"))
                                .path("type")
                                .asString(""))
                        .as(field)
                        .isNotEmpty());
    }

    private static Set<String> used(String text) {
        var names = new TreeSet<String>();
        Matcher matcher = METRIC.matcher(text);
        while (matcher.find()) names.add(matcher.group());
        return names;
    }

    private static void addExposed(String metrics) {
        Matcher types = TYPE.matcher(metrics);
        while (types.find()) exposed.put(types.group(1), types.group(2));
        exposed.keySet().removeIf(name -> name.endsWith("_max") && exposed.containsKey(name.replaceFirst("_max$", "")));
    }

    private static String read(String path) throws IOException {
        return Files.readString(DOCS.resolve(path));
    }

    private static String get(HttpClient client, String url) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString())
                .body();
    }
}
