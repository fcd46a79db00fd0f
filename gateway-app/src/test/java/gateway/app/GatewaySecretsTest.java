package gateway.app;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import gateway.app.commands.MainForTests;
import gateway.app.log.CapturedLog;
import gateway.app.redis.RedisProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Secrets of definitions on whole gateways: what the upstream gets is what was stored, and nobody else gets any of it.
@Timeout(90)
final class GatewaySecretsTest {
    private static final String FIRST_KEY = "1".repeat(64);
    private static final String SECOND_KEY = "2".repeat(64);

    @TempDir
    private Path data;

    @TempDir
    private Path folder;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private HttpServer upstream;

    @BeforeEach
    void start() throws IOException {
        upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        upstream.createContext("/", exchange -> {
            try (exchange) {
                byte[] got = String.valueOf(exchange.getRequestHeaders().getFirst("X-Token"))
                        .getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, got.length);
                exchange.getResponseBody().write(got);
            }
        });
        upstream.start();
    }

    @AfterEach
    void stop() {
        client.close();
        upstream.stop(0);
    }

    @Test
    void a_stored_secret_reaches_the_upstream_is_replaced_at_once_and_lies_sealed_on_the_disk() throws Exception {
        try (DefinedGateway gateway = gateway(Map.of());
                AdminClient admin = gateway.admin()) {
            admin.call("PUT", "/secrets/token", "{\"value\": \"first-4f9c1e\"}");
            define(admin, "{\"secret\": \"token\"}");
            assertThat(call(gateway)).isEqualTo("first-4f9c1e");

            admin.call("PUT", "/secrets/token", "{\"value\": \"second-7b2a6d\"}");
            assertThat(call(gateway)).isEqualTo("second-7b2a6d");
        }
        try (DefinedGateway gateway = gateway(Map.of())) {
            assertThat(call(gateway)).isEqualTo("second-7b2a6d");
        }

        assertThat(everythingOnDisk()).doesNotContain("first-4f9c1e").doesNotContain("second-7b2a6d");
        assertThat(Files.getPosixFilePermissions(data.resolve("secrets.key")))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }

    @Test
    void a_secret_written_by_hand_into_the_data_folder_goes_no_further() throws Exception {
        Path file = Files.createDirectories(data.resolve("secrets")).resolve("token.json");
        Files.writeString(file, "{\"value\": \"by-hand-91c5d7\"}");
        try (DefinedGateway gateway = gateway(Map.of());
                AdminClient admin = gateway.admin()) {
            define(admin, "{\"secret\": \"token\"}");
            assertThat(call(gateway)).isEqualTo("by-hand-91c5d7");

            Files.writeString(file, "{\"value\": \"by-hand-2e8d40\"}");
            admin.call("POST", "/reload", "");
            assertThat(call(gateway)).isEqualTo("by-hand-2e8d40");
            assertThat(admin.get("/admin/v1/revisions/0/diff").body()).doesNotContain("by-hand");
        }

        Files.delete(file);
        assertThat(everythingOnDisk()).doesNotContain("by-hand");
    }

    @Test
    void neither_the_traffic_log_nor_an_explanation_shows_what_the_upstream_got() throws Exception {
        for (String log : List.of("false", "{\"capture\": {\"request\": {\"headers\": true}}}")) {
            try (DefinedGateway gateway = gateway(Map.of(
                            "GATEWAY_TRAFFIC_LOG", "file",
                            "GATEWAY_TRAFFIC_LOG_FILE",
                                    data.resolve("traffic.ndjson").toString(),
                            "GATEWAY_SECRET_TOKEN", "from-environment"));
                    AdminClient admin = gateway.admin()) {
                define(admin, "{\"env\": \"GATEWAY_SECRET_TOKEN\"}, \"X-Plain\": \"plain\"", log);
                assertThat(call(gateway)).isEqualTo("from-environment");

                JsonNode explained = admin.call("POST", "/explain", "{\"path\": \"/\"}");
                assertThat(explained.at("/upstream/headers/X-Token/0").stringValue())
                        .isEqualTo("***");
                assertThat(explained.toString()).contains("\"plain\"").doesNotContain("from-environment");
            }
        }

        assertThat(everythingOnDisk()).containsIgnoringCase("\"x-token\"").doesNotContain("from-environment");
    }

    @Test
    void a_file_is_read_again_when_it_changes_and_what_cannot_be_used_changes_nothing() throws Exception {
        Path file = Files.writeString(folder.resolve("token"), "from-file\n");
        try (DefinedGateway gateway = gateway(Map.of("GATEWAY_SECRETS", folder.toString()));
                AdminClient admin = gateway.admin()) {
            define(admin, "{\"file\": \"token\"}");
            assertThat(call(gateway)).isEqualTo("from-file");

            Files.writeString(file, "changed\n");
            until(() -> call(gateway).equals("changed"));

            Files.writeString(file, "two\nlines\n");
            until(() -> admin.get("/metrics").body().contains("gateway_reloads_total{outcome=\"refused\"} 1.0"));
            assertThat(call(gateway)).isEqualTo("changed");
        }
    }

    @Test
    void a_change_that_cannot_be_used_yet_is_used_as_soon_as_it_can_and_brings_nothing_else_along() throws Exception {
        Path file = Files.writeString(folder.resolve("token"), "first");
        try (DefinedGateway gateway = gateway(Map.of("GATEWAY_SECRETS", folder.toString()));
                AdminClient admin = gateway.admin()) {
            define(admin, "{\"file\": \"token\"}");
            Path api = data.resolve("apis/orders.json");
            String stored = Files.readString(api);
            Files.writeString(api, "{broken"); // by hand, and nobody has reloaded

            Files.writeString(file, "two\nlines");
            until(() -> admin.get("/metrics").body().contains("gateway_reloads_total{outcome=\"refused\"}")
                    && !admin.get("/metrics").body().contains("gateway_reloads_total{outcome=\"refused\"} 0.0"));
            assertThat(call(gateway)).isEqualTo("first");
            Files.writeString(file, "second");
            until(() -> call(gateway).equals("second"));

            Files.writeString(api, stored);
        }
    }

    @Test
    void a_secret_file_that_is_no_json_is_a_problem_that_repeats_nothing_of_it_and_the_rest_serves() throws Exception {
        Path secrets = Files.createDirectories(data.resolve("secrets"));
        Files.writeString(secrets.resolve("raw.json"), "sk_live_RAWSECRET");
        Files.writeString(secrets.resolve("open.json"), "{\"value\": sk_live_RAWSECRET}");
        try (var log = new CapturedLog();
                DefinedGateway gateway = gateway(Map.of("GATEWAY_SECRET_TOKEN", "from-environment"));
                AdminClient admin = gateway.admin()) {
            define(admin, "{\"env\": \"GATEWAY_SECRET_TOKEN\"}");
            assertThat(call(gateway)).isEqualTo("from-environment");
            String problems = admin.get("/admin/v1/snapshot").body();
            assertThat(problems).contains("/secrets/raw", "/secrets/open").doesNotContain("RAWSECRET");
            assertThat(admin.send("POST", "/admin/v1/reload", "").body()).doesNotContain("RAWSECRET");
            assertThat(log.text()).doesNotContain("RAWSECRET");
        }
    }

    @Test
    void a_variable_of_the_environment_is_a_secret_when_it_is_called_so() throws Exception {
        try (DefinedGateway gateway = gateway(Map.of("GATEWAY_SECRET_TOKEN", "from-environment"));
                AdminClient admin = gateway.admin()) {
            define(admin, "{\"env\": \"GATEWAY_SECRET_TOKEN\"}");

            assertThat(call(gateway)).isEqualTo("from-environment");
        }
    }

    @Test
    void rekey_seals_anew_while_both_keys_are_at_hand_and_the_old_one_may_go_then() throws Exception {
        try (DefinedGateway gateway = gateway(Map.of("GATEWAY_SECRETS_KEY", FIRST_KEY));
                AdminClient admin = gateway.admin()) {
            admin.call("PUT", "/secrets/token", "{\"value\": \"kept\"}");
            define(admin, "{\"secret\": \"token\"}");
        }
        Map<String, String> both = Map.of("GATEWAY_SECRETS_KEY", SECOND_KEY, "GATEWAY_SECRETS_KEY_PREVIOUS", FIRST_KEY);
        try (DefinedGateway gateway = gateway(both)) {
            assertThat(call(gateway)).isEqualTo("kept");
            var environment = new HashMap<>(both);
            environment.put(
                    "GATEWAY_ADMIN_LISTEN",
                    "127.0.0.1:" + gateway.admin().base().getPort());
            environment.put("GATEWAY_DATA", data.toString());

            assertThat(MainForTests.run(environment, "secrets", "rekey")).isEqualTo("1 of 1 secrets sealed anew\n");
            assertThat(MainForTests.run(environment, "secrets", "rekey")).isEqualTo("0 of 1 secrets sealed anew\n");
            assertThat(call(gateway)).isEqualTo("kept");
        }
        try (DefinedGateway gateway = gateway(Map.of("GATEWAY_SECRETS_KEY", SECOND_KEY))) {
            assertThat(call(gateway)).isEqualTo("kept");
        }
        try (DefinedGateway gateway = gateway(Map.of("GATEWAY_SECRETS_KEY", FIRST_KEY));
                AdminClient admin = gateway.admin()) {
            assertThat(status(gateway)).isEqualTo(503); // left out, and named
            assertThat(admin.get("/admin/v1/snapshot").body())
                    .contains("/secrets/token")
                    .contains("sealed with the key");
        }
    }

    @Test
    void on_redis_nothing_is_stored_without_a_key_and_with_one_every_node_serves_it() throws Exception {
        try (RedisProcess redis = RedisProcess.start()) {
            try (DefinedGateway gateway = gateway(Map.of("GATEWAY_STORE", redis.uri()));
                    AdminClient admin = gateway.admin()) {
                var refused = admin.send("PUT", "/admin/v1/secrets/token", "{\"value\": \"hush-hush\"}");
                assertThat(refused.statusCode()).isEqualTo(422);
                assertThat(refused.body()).contains("GATEWAY_SECRETS_KEY").doesNotContain("hush-hush");
            }
            Map<String, String> settings = Map.of("GATEWAY_STORE", redis.uri(), "GATEWAY_SECRETS_KEY", FIRST_KEY);
            try (DefinedGateway first = gateway(settings);
                    DefinedGateway second = gateway(settings);
                    AdminClient admin = first.admin()) {
                admin.call("PUT", "/secrets/token", "{\"value\": \"shared\"}");
                define(admin, "{\"secret\": \"token\"}");
                assertThat(call(first)).isEqualTo("shared");
                until(() -> call(second).equals("shared"));

                admin.call("PUT", "/secrets/token", "{\"value\": \"changed\"}");
                until(() -> call(second).equals("changed"));
            }
        }
    }

    private void define(AdminClient admin, String reference) throws IOException, InterruptedException {
        define(admin, reference, "true");
    }

    private void define(AdminClient admin, String reference, String trafficLog)
            throws IOException, InterruptedException {
        admin.call("PUT", "/apis/orders", """
                {"match": {"path": "/"}, "trafficLog": %s, "policies": [{"type": "headers", "request": {"set": {"X-Token": %s}}}],
                 "upstream": {"targets": [{"url": "http://127.0.0.1:%d"}]}}""".formatted(
                        trafficLog, reference, upstream.getAddress().getPort()));
    }

    private DefinedGateway gateway(Map<String, String> settings) {
        return DefinedGateway.start(data, settings);
    }

    private String call(DefinedGateway gateway) throws IOException, InterruptedException {
        return answer(gateway).body();
    }

    private int status(DefinedGateway gateway) throws IOException, InterruptedException {
        return answer(gateway).statusCode();
    }

    private HttpResponse<String> answer(DefinedGateway gateway) throws IOException, InterruptedException {
        URI uri = gateway.uri("/");
        return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }

    private String everythingOnDisk() throws IOException {
        var all = new StringBuilder();
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                all.append(Files.readString(file, StandardCharsets.ISO_8859_1));
            }
        }
        return all.toString();
    }
}
