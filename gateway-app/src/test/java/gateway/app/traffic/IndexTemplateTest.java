package gateway.app.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import gateway.app.traffic.TrafficTarget.Credentials;
import gateway.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/// What is put where, at a server that notes it.
final class IndexTemplateTest {
    private static final String STREAM = TrafficTarget.Elasticsearch.DATA_STREAM;

    private final Queue<String> requests = new ConcurrentLinkedQueue<>();
    private final Queue<String> templates = new ConcurrentLinkedQueue<>();
    private final Queue<String> forms = new ConcurrentLinkedQueue<>();
    private final LinkedBlockingQueue<ClusterReply> replies = new LinkedBlockingQueue<>();
    private HttpServer server;
    private volatile int template = 200;
    private volatile int lifecycle = 200;
    private volatile String body = "{\"acknowledged\":true}";
    private volatile boolean product = true;
    private Optional<String> policy = Optional.empty();
    private String last = "";

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                String path = exchange.getRequestURI().getPath();
                boolean isTemplate = path.startsWith("/_index_template/");
                String sent = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
                if (isTemplate) templates.add(sent);
                forms.addAll(exchange.getRequestHeaders().getOrDefault("Content-Type", List.of()));
                String target = exchange.getRequestURI().toString();
                requests.add(exchange.getRequestMethod() + ' ' + target + (isTemplate ? "" : ' ' + sent));
                byte[] answer = body.getBytes(StandardCharsets.US_ASCII);
                exchange.getResponseHeaders().set("Content-Type", "application/json");
                if (product) exchange.getResponseHeaders().set("X-Elastic-Product", "Elasticsearch");
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

    /// The client reads it field by field and writes it anew: nothing may be lost on the way that it does not know.
    @Test
    void sends_the_template_that_stands_in_the_file_with_pattern_and_retention() throws Exception {
        install();

        var wanted = (ObjectNode) Json.parse(file());
        wanted.putArray("index_patterns").add(STREAM);
        ((ObjectNode) wanted.path("template")).putObject("lifecycle").put("data_retention", "30d");
        assertThat(plain(Json.parse(templates.poll()))).isEqualTo(plain(wanted));
        assertThat(templates).isEmpty();
    }

    @Test
    void names_the_policy_in_the_template_where_the_cluster_has_policies() throws InterruptedException {
        policy = Optional.of("thirty-days");
        body = modules("lang-painless", "x-pack-ilm");

        install();

        assertThat(requests).first().isEqualTo("GET /_nodes/_local/plugins ");
        assertThat(plain(Json.parse(templates.poll())))
                .containsEntry("template.settings.lifecycle.name", "\"thirty-days\"")
                .containsEntry("template.settings.lifecycle.prefer_ilm", "true");
    }

    static List<Arguments> without_policies() {
        return List.of(
                Arguments.of(modules("reindex"), "this Elasticsearch has no ILM"),
                Arguments.of("{}", "does not tell whether it has ILM"),
                Arguments.of("", "does not tell whether it has ILM"),
                Arguments.of("<p>no JSON", "does not tell whether it has ILM"));
    }

    @ParameterizedTest
    @MethodSource("without_policies")
    void does_without_a_policy_where_the_cluster_tells_of_none(String said, String warning)
            throws InterruptedException {
        policy = Optional.of("thirty-days");
        body = said;
        try (LogLines log = LogLines.atTrace()) {
            assertThat(install()).isEqualTo(200);

            assertThat(log.warnings()).singleElement().asString().contains(warning);
        }
        assertThat(templates.poll()).isNotNull().doesNotContain("thirty-days");
    }

    /// That of its own major version would be refused by an Elasticsearch of the one before.
    @Test
    void asks_in_no_form_that_an_older_elasticsearch_would_refuse() throws InterruptedException {
        install();

        assertThat(forms).hasSize(2).allMatch(form -> form.equals("application/json; charset=UTF-8"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "", "<p>no JSON", "{\"acknowledged\":\"perhaps\"}"})
    void takes_a_good_status_for_an_answer_whatever_it_says(String said) throws InterruptedException {
        body = said;

        assertThat(install()).isEqualTo(200);
        assertThat(requests).hasSize(2);
    }

    @Test
    void takes_an_elasticsearch_behind_a_proxy_that_drops_its_name() throws InterruptedException {
        product = false;

        assertThat(install()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(ints = {302, 400, 401, 403, 404, 413, 429, 500, 503})
    void tells_how_the_template_was_refused_and_asks_no_second_time(int answer) throws InterruptedException {
        template = answer;
        body = "{\"error\":{\"type\":\"t\",\"reason\":\"r\"},\"status\":" + answer + "}";

        assertThat(install()).isEqualTo(answer);
        assertThat(requests).hasSize(1);
        assertThat(last).isEqualTo("HTTP " + answer + " " + body);
    }

    @Test
    void is_unreachable_where_nobody_answers() throws InterruptedException {
        server.stop(0);

        assertThat(install()).isEqualTo(-1);
        assertThat(last).contains("Connect");
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
        body = modules("x-pack-ilm");

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
            ClusterReply reply = replies.poll(20, TimeUnit.SECONDS);
            last = reply == null ? "" : reply.text();
            return reply instanceof ClusterReply.Answered answered ? answered.status() : -1;
        }
    }

    /// As Elasticsearch 9.5 tells of them.
    private static String modules(String... names) {
        String modules = Stream.of(names)
                .map(name -> "{\"name\":\"" + name + "\",\"version\":\"9.5.3\",\"elasticsearch_version\":\"9.5.3\","
                        + "\"java_version\":\"21\",\"description\":\"\",\"classname\":\"A\",\"extended_plugins\":[],"
                        + "\"has_native_controller\":false,\"licensed\":false}")
                .collect(Collectors.joining(","));
        return """
                {"_nodes": {"total": 1, "successful": 1, "failed": 0}, "cluster_name": "c", "nodes": {"a": {
                "name": "n", "transport_address": "127.0.0.1:9300", "host": "127.0.0.1", "ip": "127.0.0.1",
                "version": "9.5.3", "transport_version": 9000000, "index_version": 9000000, "component_versions": {},
                "build_flavor": "default", "build_type": "zip", "build_hash": "x", "roles": ["data", "master"],
                "attributes": {}, "plugins": [], "modules": [%s]}}}""".formatted(modules);
    }

    private static String file() throws IOException {
        try (var stream = IndexTemplate.class.getResourceAsStream("index-template.json")) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /// Each value under its full name: Elasticsearch takes `a.b` for `b` within `a`, and settings without `index`.
    private static Map<String, String> plain(JsonNode json) {
        var values = new TreeMap<String, String>();
        collect("", json, values);
        return values;
    }

    private static void collect(String name, JsonNode json, Map<String, String> values) {
        if (!json.isObject() || json.isEmpty()) {
            if (json.equals(StringNode.valueOf("object"))) return; // as it is where nothing is said
            values.put(name.replace(".settings.index.", ".settings."), json.toString());
            return;
        }
        String before = name.isEmpty() ? "" : name + '.';
        json.properties().forEach(field -> collect(before + field.getKey(), field.getValue(), values));
    }
}
