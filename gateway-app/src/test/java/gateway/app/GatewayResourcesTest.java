package gateway.app;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.redis.RedisProcess;
import gateway.json.Json;
import gateway.service.ResourceDocument;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Resources on whole gateways: what is served is what was stored last, and nothing that is named is lost.
@Timeout(120)
final class GatewayResourcesTest {
    private static final String API = """
            {"match": {"path": "/"}, "upstream": {"targets": [{"url": "http://127.0.0.1:9"}]},
             "policies": [{"type": "mock-response", "status": 503, "body": {"resource": "sorry.html"}}]}""";

    @TempDir
    private Path data;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @AfterEach
    void stop() {
        client.close();
    }

    @Test
    void a_change_of_content_is_served_at_once_and_a_rollback_brings_the_old_one_back() throws Exception {
        try (Gateway gateway = gateway(Map.of());
                AdminClient admin = admin(gateway)) {
            assertThat(put(admin, "sorry.html", "text/html", "one").statusCode())
                    .isEqualTo(201);
            admin.call("PUT", "/apis/orders", API);
            assertThat(served(gateway)).isEqualTo("text/html one");
            String before = Long.toString(revision(admin));

            HttpResponse<String> replaced = put(admin, "sorry.html", "text/html; charset=utf-8", "two");
            assertThat(replaced.statusCode()).isEqualTo(200);
            assertThat(Json.parse(replaced.body()).get("sha256").stringValue())
                    .isEqualTo(ResourceDocument.digest("two".getBytes(StandardCharsets.UTF_8)));
            assertThat(served(gateway)).isEqualTo("text/html; charset=utf-8 two");

            admin.call("POST", "/revisions/" + before + "/rollback", "");
            assertThat(served(gateway)).isEqualTo("text/html one");
            assertThat(admin.get("/admin/v1/resources/sorry.html").body()).isEqualTo("one");
        }
    }

    @Test
    void what_is_used_is_not_deleted_and_what_is_not_there_is_not_used() throws Exception {
        try (Gateway gateway = gateway(Map.of());
                AdminClient admin = admin(gateway)) {
            HttpResponse<String> refused = admin.send("PUT", "/admin/v1/apis/orders", API);
            assertThat(refused.statusCode()).isEqualTo(422);
            assertThat(refused.body()).contains("\"/policies/0/body\"", "unknown resource \\\"sorry.html\\\"");

            put(admin, "sorry.html", "text/html", "one");
            admin.call("PUT", "/apis/orders", API);
            HttpResponse<String> kept = admin.send("DELETE", "/admin/v1/resources/sorry.html", "");
            assertThat(kept.statusCode()).isEqualTo(409);
            assertThat(kept.body()).contains("/apis/orders", "uses resources/sorry.html");

            admin.delete("/apis/orders");
            admin.delete("/resources/sorry.html");
            assertThat(admin.get("/admin/v1/resources/sorry.html").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void files_of_the_data_folder_are_resources_and_a_start_without_one_leaves_its_api_out_alone() throws Exception {
        Files.writeString(Files.createDirectories(data.resolve("apis")).resolve("orders.json"), API);
        Files.writeString(
                data.resolve("apis/other.json"),
                API.replace("\"/\"", "\"/other\"").replace("sorry", "here"));
        Path resources = Files.createDirectories(data.resolve("resources"));
        Files.writeString(resources.resolve("here.html"), "here");
        try (Gateway gateway = gateway(Map.of());
                AdminClient admin = admin(gateway)) {
            assertThat(call(gateway, "/other").body()).isEqualTo("here");
            assertThat(call(gateway, "/").body()).contains("not-configured");
            assertThat(admin.get("/admin/v1/snapshot").body()).contains("/apis/orders/policies/0/body");

            Files.writeString(resources.resolve("sorry.html"), "by hand");
            admin.call("POST", "/reload", "");

            assertThat(served(gateway)).isEqualTo("text/html; charset=utf-8 by hand");
        }
    }

    @Test
    void contents_outlast_a_restart_each_once_and_what_no_revision_names_goes() throws Exception {
        try (Gateway gateway = gateway(Map.of());
                AdminClient admin = admin(gateway)) {
            for (int i = 0; i < 100; i++) put(admin, "page-" + i % 10, "text/plain", "content " + i % 5);
            put(admin, "sorry.html", "text/html", "kept");
            admin.call("PUT", "/apis/orders", API);
            HttpResponse<String> stale = admin.client()
                    .send(
                            HttpRequest.newBuilder(admin.base().resolve("/admin/v1/resources/sorry.html"))
                                    .header("Authorization", "Bearer " + admin.token())
                                    .header("If-Match", "\"stale\"")
                                    .PUT(BodyPublishers.ofString("never named"))
                                    .build(),
                            BodyHandlers.ofString());
            assertThat(stale.statusCode()).isEqualTo(412);
            assertThat(contents()).hasSize(7);
        }
        try (Gateway gateway = gateway(Map.of())) {
            assertThat(served(gateway)).isEqualTo("text/html kept");
            assertThat(contents()).hasSize(6);
        }
    }

    @Test
    void one_that_is_too_large_is_refused_and_so_is_more_than_all_may_have() throws Exception {
        try (Gateway gateway = gateway(Map.of());
                AdminClient admin = admin(gateway)) {
            assertThat(put(admin, "a.txt", "text/plain", "x".repeat((4 << 20) + 1))
                            .statusCode())
                    .isEqualTo(413);
            String large = "x".repeat(4 << 20);
            for (int i = 0; i < 16; i++) {
                assertThat(put(admin, "large-" + (char) ('a' + i), "text/plain", large)
                                .statusCode())
                        .isEqualTo(201);
            }

            HttpResponse<String> refused = put(admin, "one-more", "text/plain", "x");

            assertThat(refused.statusCode()).isEqualTo(422);
            assertThat(refused.body()).contains("64 MiB");
        }
    }

    @Test
    void nodes_on_one_redis_share_them_and_an_outage_keeps_what_is_served() throws Exception {
        RedisProcess redis = RedisProcess.start();
        boolean running = true;
        Map<String, String> store = Map.of("GATEWAY_STORE", redis.uri());
        try (Gateway first = gateway(store);
                Gateway second = gateway(store);
                AdminClient admin = admin(first)) {
            put(admin, "sorry.html", "text/html", "shared");
            admin.call("PUT", "/apis/orders", API);
            until(() -> call(second, "/").statusCode() == 503);
            assertThat(served(second)).isEqualTo("text/html shared");

            redis.close();
            running = false;
            assertThat(put(admin, "sorry.html", "text/html", "lost").statusCode())
                    .isEqualTo(503);
            assertThat(admin.get("/admin/v1/resources/sorry.html").statusCode()).isEqualTo(503);
            assertThat(served(first)).isEqualTo("text/html shared");
        } finally {
            if (running) redis.close();
        }
    }

    private List<Path> contents() throws Exception {
        try (Stream<Path> files = Files.list(data.resolve("contents"))) {
            return files.toList();
        }
    }

    private static long revision(AdminClient admin) throws Exception {
        return admin.call("GET", "/snapshot", "").get("revision").longValue();
    }

    private HttpResponse<String> put(AdminClient admin, String id, String type, String content) throws Exception {
        var request = HttpRequest.newBuilder(admin.base().resolve("/admin/v1/resources/" + id))
                .header("Authorization", "Bearer " + admin.token())
                .header("Content-Type", type)
                .PUT(BodyPublishers.ofString(content));
        return admin.client().send(request.build(), BodyHandlers.ofString());
    }

    private String served(Gateway gateway) throws Exception {
        HttpResponse<String> answer = call(gateway, "/");
        return answer.headers().firstValue("Content-Type").orElse("") + ' ' + answer.body();
    }

    private HttpResponse<String> call(Gateway gateway, String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + gateway.address().getPort() + path);
        return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }

    private static AdminClient admin(Gateway gateway) {
        return AdminClient.of(
                URI.create("http://127.0.0.1:" + gateway.adminAddress().getPort()),
                gateway.adminToken().reveal());
    }

    private Gateway gateway(Map<String, String> settings) {
        var environment = new HashMap<>(Map.of(
                "GATEWAY_LISTEN", "127.0.0.1:0",
                "GATEWAY_ADMIN_LISTEN", "127.0.0.1:0",
                "GATEWAY_DATA", data.toString(),
                "GATEWAY_DRAIN_TIMEOUT", "1s"));
        environment.putAll(settings);
        return Gateway.start(Settings.read(Optional.empty(), environment));
    }
}
