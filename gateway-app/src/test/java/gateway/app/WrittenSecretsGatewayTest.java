package gateway.app;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import gateway.app.commands.MainForTests;
import gateway.app.log.CapturedLog;
import gateway.app.redis.RedisProcess;
import gateway.json.Json;
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
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/// Secrets that definitions hold themselves, on whole gateways with either store: the upstream gets what was written,
/// and it stands nowhere else.
@Timeout(90)
final class WrittenSecretsGatewayTest {
    private static final String FIRST_KEY = "1".repeat(64);
    private static final String SECOND_KEY = "2".repeat(64);
    private static final String FIRST = "first-4f9c1e";
    private static final String SECOND = "second-7b2a6d";

    /// Where definitions are kept.
    private enum Store {
        MEMORY,
        REDIS
    }

    @TempDir
    private Path data;

    @TempDir
    private Path folder;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Map<String, String> settings = new HashMap<>();
    private Optional<RedisProcess> redis = Optional.empty();
    private HttpServer upstream;

    @BeforeEach
    void start() throws IOException {
        upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        upstream.createContext("/", exchange -> {
            try (exchange) {
                byte[] got = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"))
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
        redis.ifPresent(RedisProcess::close);
    }

    /// Of Redis all that it was ever told to keep lies in a file.
    private void use(Store store) {
        settings.put("GATEWAY_SECRETS_KEY", FIRST_KEY);
        if (store == Store.MEMORY) return;
        RedisProcess process =
                RedisProcess.start("--appendonly", "yes", "--appendfsync", "always", "--dir", folder.toString());
        redis = Optional.of(process);
        settings.put("GATEWAY_STORE", process.uri());
    }

    @ParameterizedTest
    @EnumSource
    void a_text_is_sent_to_the_upstream_and_kept_behind_a_mask_through_changes_rollbacks_and_starts(Store store)
            throws Exception {
        use(store);
        try (var log = new CapturedLog();
                DefinedGateway gateway = gateway();
                AdminClient admin = gateway.admin()) {
            JsonNode shown = admin.call("PUT", "/apis/orders", api("orders", basic("\"" + FIRST + "\"")));
            assertThat(call(gateway, "/orders")).isEqualTo(authorization(FIRST));
            assertThat(shown.at("/policies/0/basic/password").toString()).matches("\\{\"masked\":\"[0-9a-f]{8}\"}");

            admin.call("PUT", "/apis/orders", shown.toString().replace("\"id\":", "\"name\": \"Renamed\", \"id\":"));
            assertThat(call(gateway, "/orders")).isEqualTo(authorization(FIRST));
            admin.call("PUT", "/apis/orders", api("orders", basic("\"" + SECOND + "\"")));
            assertThat(call(gateway, "/orders")).isEqualTo(authorization(SECOND));
            admin.call("POST", "/revisions/1/rollback", "");
            assertThat(call(gateway, "/orders")).isEqualTo(authorization(FIRST));

            JsonNode explained = admin.call("POST", "/explain", "{\"path\": \"/orders\"}");
            for (String page : List.of("/apis", "/revisions/1", "/revisions/1/diff?to=3", "/audit", "/snapshot")) {
                String body = admin.get("/admin/v1" + page).body();
                assertThat(body)
                        .as(page)
                        .doesNotContain(FIRST)
                        .doesNotContain(SECOND)
                        .doesNotContain("\"sealed\"");
            }
            assertThat(explained.toString()).doesNotContain(FIRST).doesNotContain(coded(FIRST));
            assertThat(log.text()).doesNotContain(FIRST).doesNotContain(SECOND);
        }
        try (DefinedGateway gateway = gateway()) {
            assertThat(call(gateway, "/orders")).isEqualTo(authorization(FIRST));
        }
        assertThat(everythingKept())
                .contains("\\\"sealed\\\"")
                .doesNotContain(FIRST)
                .doesNotContain(SECOND);
    }

    @ParameterizedTest
    @EnumSource
    void sets_and_global_policies_hold_secrets_and_are_written_together(Store store) throws Exception {
        use(store);
        try (DefinedGateway gateway = gateway();
                AdminClient admin = gateway.admin()) {
            admin.call("POST", "/changes", """
                    {"put": [{"kind": "policy-sets", "document": {"id": "gold", "policies": [%s]}},
                             {"kind": "apis", "document": %s},
                             {"kind": "apis", "document": %s},
                             {"kind": "global", "document": {"after": [%s]}}]}""".formatted(
                    basic("\"" + FIRST + "\"").replace("{\"type\"", "{\"id\": \"a\", \"type\""),
                    api("orders", "{\"use\": \"gold\"}").replace("\"id\"", "\"exemptFromGlobal\": true, \"id\""),
                    api("items", "{\"type\": \"headers\", \"request\": {\"remove\": [\"X-A\"]}}"),
                    basic("\"" + SECOND + "\"")));

            assertThat(call(gateway, "/orders")).isEqualTo(authorization(FIRST));
            assertThat(call(gateway, "/items")).isEqualTo(authorization(SECOND));
            String global = admin.get("/admin/v1/global").body();
            assertThat(global).contains("\"masked\"").doesNotContain("sealed");
            admin.call("PUT", "/global", global);
            assertThat(call(gateway, "/items")).isEqualTo(authorization(SECOND));
        }
        assertThat(everythingKept()).doesNotContain(FIRST).doesNotContain(SECOND);
    }

    @ParameterizedTest
    @EnumSource
    void rekey_seals_anew_what_definitions_hold_and_the_old_key_may_go_then(Store store) throws Exception {
        use(store);
        try (DefinedGateway gateway = gateway();
                AdminClient admin = gateway.admin()) {
            admin.call("PUT", "/apis/orders", api("orders", basic("\"" + FIRST + "\"")));
        }
        settings.put("GATEWAY_SECRETS_KEY", SECOND_KEY);
        settings.put("GATEWAY_SECRETS_KEY_PREVIOUS", FIRST_KEY);
        try (DefinedGateway gateway = gateway()) {
            assertThat(call(gateway, "/orders")).isEqualTo(authorization(FIRST));
            var environment = new HashMap<>(settings);
            environment.put(
                    "GATEWAY_ADMIN_LISTEN",
                    "127.0.0.1:" + gateway.admin().base().getPort());
            environment.put("GATEWAY_DATA", data.toString());

            assertThat(MainForTests.run(environment, "secrets", "rekey")).isEqualTo("1 of 1 secrets sealed anew\n");
            assertThat(MainForTests.run(environment, "secrets", "rekey")).isEqualTo("0 of 1 secrets sealed anew\n");
        }
        settings.remove("GATEWAY_SECRETS_KEY_PREVIOUS");
        try (DefinedGateway gateway = gateway();
                AdminClient admin = gateway.admin()) {
            assertThat(call(gateway, "/orders")).isEqualTo(authorization(FIRST));
            HttpResponse<String> back = admin.send("POST", "/admin/v1/revisions/1/rollback", "");
            assertThat(back.statusCode()).isEqualTo(422);
            assertThat(back.body()).contains("/policies/0/basic/password", "sealed with the key");
        }
        settings.put("GATEWAY_SECRETS_KEY", FIRST_KEY);
        try (DefinedGateway gateway = gateway();
                AdminClient admin = gateway.admin()) {
            assertThat(answer(gateway, "/orders").statusCode()).isEqualTo(503); // left out, and named
            assertThat(admin.get("/admin/v1/snapshot").body())
                    .contains("/apis/orders/policies/0/basic/password")
                    .contains("sealed with the key");
        }
    }

    @Test
    void on_redis_without_a_key_a_text_is_refused_where_it_stands_and_the_setting_is_named() throws Exception {
        use(Store.REDIS);
        settings.remove("GATEWAY_SECRETS_KEY");
        try (DefinedGateway gateway = gateway();
                AdminClient admin = gateway.admin()) {
            var refused = admin.send("PUT", "/admin/v1/apis/orders", api("orders", basic("\"" + FIRST + "\"")));

            assertThat(refused.statusCode()).isEqualTo(422);
            JsonNode error = Json.parse(refused.body()).at("/errors/0");
            assertThat(error.get("pointer").stringValue()).isEqualTo("/policies/0/basic/password");
            assertThat(error.get("message").stringValue()).contains("GATEWAY_SECRETS_KEY");
        }
        assertThat(everythingKept()).doesNotContain(FIRST);
    }

    @Test
    void on_redis_every_node_serves_what_one_was_told() throws Exception {
        use(Store.REDIS);
        try (DefinedGateway first = gateway();
                DefinedGateway second = gateway();
                AdminClient admin = first.admin();
                AdminClient other = second.admin()) {
            admin.call("PUT", "/apis/orders", api("orders", basic("\"" + FIRST + "\"")));
            until(() -> answer(second, "/orders").body().equals(authorization(FIRST)));

            String shown = other.get("/admin/v1/apis/orders").body();
            other.call("PUT", "/apis/orders", shown.replace("/orders\"", "/moved\""));
            until(() -> answer(first, "/moved").body().equals(authorization(FIRST)));
        }
    }

    @Test
    void without_a_key_a_store_in_memory_makes_one_and_keeps_it() throws Exception {
        try (DefinedGateway gateway = gateway();
                AdminClient admin = gateway.admin()) {
            admin.call("PUT", "/apis/orders", api("orders", basic("\"" + FIRST + "\"")));
        }
        try (DefinedGateway gateway = gateway()) {
            assertThat(call(gateway, "/orders")).isEqualTo(authorization(FIRST));
        }
        assertThat(Files.getPosixFilePermissions(data.resolve("secrets.key")))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(everythingKept()).doesNotContain(FIRST);
    }

    @Test
    void a_text_in_a_file_by_hand_is_served_told_once_and_goes_no_further_until_a_write_seals_it() throws Exception {
        Path file = Files.createDirectories(data.resolve("apis")).resolve("orders.json");
        Files.writeString(file, api("orders", basic("\"" + FIRST + "\"")));
        try (var log = new CapturedLog();
                DefinedGateway gateway = gateway();
                AdminClient admin = gateway.admin()) {
            assertThat(call(gateway, "/orders")).isEqualTo(authorization(FIRST));
            assertThat(admin.call("POST", "/reload", "").get("revision").intValue())
                    .isEqualTo(1);
            assertThat(admin.get("/admin/v1/revisions/0/diff").body()).doesNotContain(FIRST);
            assertThat(warnings(log)).hasSize(1);
            assertThat(Files.readString(file)).contains(FIRST); // it is the user's

            Files.writeString(file, api("orders", basic("\"" + SECOND + "\"")));
            admin.call("POST", "/reload", "");
            assertThat(call(gateway, "/orders")).isEqualTo(authorization(SECOND));
            JsonNode shown = Json.parse(admin.get("/admin/v1/apis/orders").body());
            admin.call("PUT", "/apis/orders", shown.toString().replace("\"id\":", "\"name\": \"Renamed\", \"id\":"));
            assertThat(call(gateway, "/orders")).isEqualTo(authorization(SECOND));
            assertThat(warnings(log)).hasSize(1);
        }
        assertThat(everythingKept()).doesNotContain(FIRST).doesNotContain(SECOND);
    }

    @Test
    void an_envelope_carried_into_another_file_opens_nothing_there_and_the_rest_serves() throws Exception {
        try (DefinedGateway gateway = gateway();
                AdminClient admin = gateway.admin()) {
            admin.call("PUT", "/apis/orders", api("orders", basic("\"" + FIRST + "\"")));
        }
        Path orders = data.resolve("apis/orders.json");
        Files.writeString(
                data.resolve("apis/thief.json"), Files.readString(orders).replace("orders", "thief"));
        try (DefinedGateway gateway = gateway();
                AdminClient admin = gateway.admin()) {
            assertThat(call(gateway, "/orders")).isEqualTo(authorization(FIRST));
            assertThat(answer(gateway, "/thief").statusCode()).isEqualTo(503);
            assertThat(admin.get("/admin/v1/snapshot").body())
                    .contains("/apis/thief/policies/0/basic/password")
                    .contains("sealed for another name");
        }
    }

    @Test
    void at_a_start_apis_whose_secret_files_cannot_be_had_are_left_out_where_they_name_them_and_the_rest_serves()
            throws Exception {
        Path open = Files.writeString(folder.resolve("open"), FIRST);
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw----rw-"));
        Files.setPosixFilePermissions(
                Files.writeString(folder.resolve("good"), SECOND), PosixFilePermissions.fromString("rw-------"));
        Files.createDirectory(folder.resolve("unreadable"));
        Path apis = Files.createDirectories(data.resolve("apis"));
        for (String id : List.of("open", "good", "missing", "unreadable")) {
            Files.writeString(apis.resolve(id + ".json"), api(id, basic("{\"file\": \"" + id + "\"}")));
        }
        settings.put("GATEWAY_SECRETS", folder.toString());
        try (DefinedGateway gateway = gateway();
                AdminClient admin = gateway.admin()) {
            assertThat(call(gateway, "/good")).isEqualTo(authorization(SECOND));
            for (String id : List.of("open", "missing", "unreadable")) {
                assertThat(answer(gateway, "/" + id).statusCode()).as(id).isEqualTo(503);
                HttpResponse<String> refused =
                        admin.send("PUT", "/admin/v1/apis/new", api("new", basic("{\"file\": \"" + id + "\"}")));
                assertThat(refused.statusCode()).as(id).isEqualTo(422);
                assertThat(Json.parse(refused.body()).at("/errors/0/pointer").stringValue())
                        .isEqualTo("/policies/0/basic/password");
            }
            JsonNode problems =
                    Json.parse(admin.get("/admin/v1/snapshot").body()).get("problems");
            assertThat(problems.valueStream().map(each -> each.get("pointer").stringValue()))
                    .containsExactly(
                            "/apis/missing/policies/0/basic/password",
                            "/apis/open/policies/0/basic/password",
                            "/apis/unreadable/policies/0/basic/password");

            Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-------"));
            Files.writeString(folder.resolve("missing"), FIRST);
            Files.delete(folder.resolve("unreadable"));
            Files.writeString(folder.resolve("unreadable"), FIRST);
            admin.call("POST", "/reload", "");
            assertThat(call(gateway, "/missing")).isEqualTo(authorization(FIRST));
        }
    }

    private static List<String> warnings(CapturedLog log) {
        return log.text()
                .lines()
                .filter(line -> line.contains("WARN  DefinitionSecrets"))
                .toList();
    }

    private static String basic(String password) {
        return "{\"type\": \"upstream-auth\", \"basic\": {\"user\": \"gateway\", \"password\": " + password + "}}";
    }

    private String api(String id, String policy) {
        return """
                {"id": "%s", "match": {"path": "/%s"}, "policies": [%s],
                 "upstream": {"targets": [{"url": "http://127.0.0.1:%d"}]}}""".formatted(id, id, policy, upstream.getAddress().getPort());
    }

    private static String authorization(String password) {
        return "Basic " + coded(password);
    }

    private static String coded(String password) {
        return Base64.getEncoder().encodeToString(("gateway:" + password).getBytes(StandardCharsets.UTF_8));
    }

    private DefinedGateway gateway() {
        return DefinedGateway.start(data, settings);
    }

    private String call(DefinedGateway gateway, String path) throws IOException, InterruptedException {
        return answer(gateway, path).body();
    }

    private HttpResponse<String> answer(DefinedGateway gateway, String path) throws IOException, InterruptedException {
        URI uri = gateway.uri(path);
        return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }

    /// Every file of the data folder, and of Redis all that it was told to keep.
    private String everythingKept() throws IOException {
        var all = new StringBuilder();
        for (Path root : List.of(data, folder)) {
            try (Stream<Path> files = Files.walk(root)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    all.append(Files.readString(file, StandardCharsets.ISO_8859_1));
                }
            }
        }
        return all.toString();
    }
}
