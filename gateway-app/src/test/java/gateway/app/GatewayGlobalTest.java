package gateway.app;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.redis.RedisProcess;
import gateway.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Global policies on whole gateways, over HTTP.
@Timeout(60)
final class GatewayGlobalTest {
    private static final String TEAPOT = "{\"before\": [{\"type\": \"mock-response\", \"status\": 418}]}";

    @TempDir
    private Path data;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @AfterEach
    void stop() {
        client.shutdownNow();
    }

    @Test
    void hold_for_every_api_from_the_answer_on_and_lie_in_a_file_of_their_own() throws Exception {
        try (Gateway gateway = gateway(Map.of());
                AdminClient admin = admin(gateway)) {
            define(admin, "orders", "");
            define(admin, "exempt", "\"exemptFromGlobal\": true,");
            assertThat(status(gateway, "orders")).isEqualTo(502); // nobody listens there

            admin.call("PUT", "/global", TEAPOT);

            assertThat(status(gateway, "orders")).isEqualTo(418);
            assertThat(status(gateway, "exempt")).isEqualTo(502);
            assertThat(status(gateway, "nowhere")).isEqualTo(404);
            assertThat(admin.call("GET", "/audit", "").toString())
                    .contains("PUT global")
                    .contains("PUT apis/exempt, exempt from global policies");
        }
        assertThat(Json.parse(Files.readString(data.resolve("global.json")))
                        .get("before")
                        .size())
                .isOne();
        try (Gateway gateway = gateway(Map.of());
                AdminClient admin = admin(gateway)) {
            assertThat(status(gateway, "orders")).isEqualTo(418);
            Files.writeString(data.resolve("global.json"), TEAPOT.replace("418", "410"));
            admin.call("POST", "/reload", "");
            assertThat(status(gateway, "orders")).isEqualTo(410);
            admin.call("POST", "/revisions/2/rollback", "");
            assertThat(status(gateway, "orders")).isEqualTo(502);
            assertThat(data.resolve("global.json")).doesNotExist();
        }
    }

    @Test
    void a_write_that_an_api_could_not_carry_is_refused_under_that_api() throws Exception {
        try (Gateway gateway = gateway(Map.of());
                AdminClient admin = admin(gateway)) {
            define(admin, "orders", "");

            HttpResponse<String> unknown =
                    admin.send("PUT", "/admin/v1/global", "{\"after\": [{\"type\": \"mock-respones\"}]}");
            HttpResponse<String> unready = admin.send("PUT", "/admin/v1/global", """
                    {"before": [{"type": "headers", "request": {"set": {"X": {"secret": "unknown"}}}}]}""");

            assertThat(unknown.statusCode()).isEqualTo(422);
            assertThat(unknown.body()).contains("/after/0/type").contains("did you mean");
            assertThat(unready.statusCode()).isEqualTo(422);
            assertThat(unready.body())
                    .contains("\"/before/0/request/set/X\"")
                    .contains("\"/apis/orders/global/before/0\"")
                    .contains("there is no secret");
            assertThat(status(gateway, "orders")).isEqualTo(502);
        }
    }

    @Test
    void broken_ones_are_told_at_the_start_and_by_every_api_that_would_carry_them() throws Exception {
        Files.writeString(data.resolve("global.json"), """
                {"before": [{"type": "headers", "request": {"set": {"X": {"secret": "unknown"}}}}]}""");
        try (Gateway gateway = gateway(Map.of());
                AdminClient admin = admin(gateway)) {
            define(admin, "exempt", "\"exemptFromGlobal\": true,");

            HttpResponse<String> refused = admin.send("PUT", "/admin/v1/apis/orders", """
                    {"match": {"path": "/orders"}, "upstream": {"targets": [{"url": "http://127.0.0.1:9"}]}}""");

            assertThat(admin.get("/admin/v1/snapshot").body()).contains("\"/global/before/0/request/set/X\"");
            assertThat(refused.statusCode()).isEqualTo(422);
            assertThat(refused.body()).contains("\"/global/before/0\"").contains("there is no secret");
            assertThat(status(gateway, "exempt")).isEqualTo(502);
        }
    }

    @Test
    void a_set_that_they_use_is_not_deleted_and_changes_take_both_at_once() throws Exception {
        try (Gateway gateway = gateway(Map.of());
                AdminClient admin = admin(gateway)) {
            define(admin, "orders", "");
            admin.call("POST", "/changes", """
                    {"put": [{"kind": "policy-sets", "document": {"id": "tea", "policies": [{"type": "mock-response", "status": 418}]}},
                             {"kind": "global", "document": {"before": [{"use": "tea"}]}}]}""");
            assertThat(status(gateway, "orders")).isEqualTo(418);

            HttpResponse<String> refused = admin.send("DELETE", "/admin/v1/policy-sets/tea", "");

            assertThat(refused.statusCode()).isEqualTo(409);
            assertThat(refused.body()).contains("/global").contains("uses policy-sets/tea");
            admin.call("POST", "/changes", """
                    {"delete": [{"kind": "policy-sets", "id": "tea"}, {"kind": "global", "id": "global"}]}""");
            assertThat(status(gateway, "orders")).isEqualTo(502);
        }
    }

    @Test
    void every_node_of_a_redis_has_them() throws Exception {
        try (RedisProcess redis = RedisProcess.start();
                Gateway first = gateway(Map.of("GATEWAY_STORE", redis.uri()));
                Gateway second = gateway(Map.of("GATEWAY_STORE", redis.uri()));
                AdminClient admin = admin(first)) {
            define(admin, "global", ""); // an API may be called so
            admin.call("PUT", "/global", TEAPOT);

            assertThat(status(first, "global")).isEqualTo(418);
            until(() -> status(second, "global") == 418); // each look is a request
            assertThat(admin.call("GET", "/apis", "").toString()).contains("\"id\":\"global\"");
        }
    }

    private static void define(AdminClient admin, String id, String fields) throws IOException, InterruptedException {
        admin.call(
                "PUT",
                "/apis/" + id,
                "{\"match\": {\"path\": \"/%s\"}, %s \"upstream\": {\"targets\": [{\"url\": \"http://127.0.0.1:9\"}]}}"
                        .formatted(id, fields));
    }

    private Gateway gateway(Map<String, String> settings) {
        var environment = new HashMap<>(Map.of(
                "GATEWAY_LISTEN", "127.0.0.1:0",
                "GATEWAY_ADMIN_LISTEN", "127.0.0.1:0",
                "GATEWAY_DATA", data.toString()));
        environment.putAll(settings);
        return Gateway.start(Settings.read(Optional.empty(), environment));
    }

    private static AdminClient admin(Gateway gateway) {
        return AdminClient.of(
                URI.create("http://127.0.0.1:" + gateway.adminAddress().getPort()),
                gateway.adminToken().reveal());
    }

    private int status(Gateway gateway, String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + gateway.address().getPort() + "/" + path);
        return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                .statusCode();
    }
}
