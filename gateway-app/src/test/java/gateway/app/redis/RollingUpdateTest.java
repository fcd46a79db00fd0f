package gateway.app.redis;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import gateway.app.AdminClient;
import gateway.app.GatewayProcess;
import gateway.app.SampleService;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A real node of version 0.1 (commit e0027d0) and one of this version on one Redis, as they stand side by side during
/// a rolling update.
@Timeout(180)
final class RollingUpdateTest {
    private static final int LIMIT = 20;
    private static final String COUNTED =
            "[{\"type\": \"key-auth\"}, {\"type\": \"quota\", \"requests\": " + LIMIT + ", \"per\": \"30d\"}]";
    private static final String KEYED = "[{\"type\": \"key-auth\"}]";
    private static final String GOLD = "{\"policies\": [{\"type\": \"ip-filter\", \"deny\": [\"192.0.2.0/24\"]}]}";

    @TempDir
    private Path folder;

    private final HttpClient client = HttpClient.newHttpClient();
    private RedisProcess redis;
    private SampleService service;
    private GatewayProcess older;
    private GatewayProcess newer;
    private AdminClient ofOlder;
    private AdminClient ofNewer;

    @BeforeEach
    void start() throws IOException {
        Path jar = jarOf01();
        redis = RedisProcess.start();
        service = SampleService.start();
        older = GatewayProcess.launch(jar, folder.resolve("older"), settings()).ready();
        newer = GatewayProcess.start(folder.resolve("newer"), settings());
        ofOlder = AdminClient.of(older.admin("/"), older.token());
        ofNewer = AdminClient.of(newer.admin("/"), newer.token());
    }

    @AfterEach
    void stop() {
        client.close();
        if (redis == null) return; // nothing was started
        ofOlder.close();
        ofNewer.close();
        older.close();
        newer.close();
        service.close();
        redis.close();
    }

    private static Path jarOf01() {
        Optional<Path> jar =
                Optional.ofNullable(System.getProperty("gateway.jar.of01")).map(Path::of);
        assumeTrue(
                jar.filter(Files::isRegularFile).isPresent(),
                "-Dgateway.jar.of01 names no jar of version 0.1; .ci/jar-of-0.1 builds one and prints where it lies");
        return jar.orElseThrow();
    }

    private Map<String, String> settings() {
        return Map.of("GATEWAY_STORE", redis.uri(), "GATEWAY_REDIS_DEADLINE", "5s");
    }

    @Test
    void both_serve_what_either_was_told_and_open_to_keys_that_either_has_issued() throws Exception {
        ofOlder.call("POST", "/apis", service.definition("orders", "Orders", KEYED));
        ofNewer.call("POST", "/apis", service.definition("stock", "Stock", KEYED));
        String first = ofOlder.issue("alice", "orders");
        String second = ofNewer.issue("bob", "stock");

        for (GatewayProcess node : new GatewayProcess[] {older, newer}) {
            until(() -> status(node, "orders", first) == 200 && status(node, "stock", second) == 200);
            assertThat(status(node, "orders", second)).isEqualTo(403);
            assertThat(status(node, "stock", "nobodys")).isEqualTo(401);
        }
        ofOlder.call("PUT", "/apis/stock", service.definition("stock", "All stock", KEYED));
        until(() -> ofNewer.get("/admin/v1/apis/stock").body().contains("All stock"));
        ofNewer.delete("/apis/orders");
        until(() -> status(older, "orders", first) == 404);
    }

    @Test
    void a_quota_is_exact_over_both() throws Exception {
        ofOlder.call("POST", "/apis", service.definition("orders", "Orders", COUNTED));
        String secret = ofOlder.issue("alice", "orders");
        until(() -> ofNewer.get("/admin/v1/apis/orders").statusCode() == 200);

        int admitted = 0;
        for (int i = 0; i < 2 * LIMIT; i++) {
            if (status(i % 2 == 0 ? older : newer, "orders", secret) == 200) admitted++;
        }

        assertThat(admitted).isEqualTo(LIMIT);
        for (AdminClient each : new AdminClient[] {ofOlder, ofNewer}) {
            assertThat(each.call("GET", "/keys/alice/usage", "")
                            .at("/limits/0/remaining")
                            .asInt(-1))
                    .isZero();
        }
    }

    @Test
    void another_kind_of_document_is_refused_until_the_older_node_has_left_which_does_not_start_again()
            throws Exception {
        ofOlder.call("POST", "/apis", service.definition("orders", "Orders", COUNTED));
        String secret = ofOlder.issue("alice", "orders");
        until(() -> ofNewer.get("/admin/v1/apis/orders").statusCode() == 200);
        for (int i = 0; i < LIMIT; i++)
            assertThat(status(older, "orders", secret)).isEqualTo(200);

        HttpResponse<String> refused = ofNewer.send("PUT", "/admin/v1/policy-sets/gold", GOLD);
        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(refused.body()).contains("nodes of version 0.1 are connected");
        assertThat(status(older, "orders", secret)).isEqualTo(429);

        older.terminate();
        assertThat(older.exitCode()).isZero();
        until(() -> ofNewer.send("PUT", "/admin/v1/policy-sets/gold", GOLD).statusCode() == 201);

        ofNewer.call(
                "PUT",
                "/apis/orders",
                service.definition("orders", "Orders", COUNTED.replace("[", "[{\"use\": \"gold\"}, ")));
        assertThat(status(newer, "orders", secret)).isEqualTo(429);

        try (var late = GatewayProcess.launch(jarOf01(), folder.resolve("late"), settings())) {
            assertThat(late.exitCode()).isNotZero();
            assertThat(late.lines()).noneMatch(line -> line.contains("ready: data plane"));
        }

        assertThat(status(newer, "orders", secret)).as("what is spent stays so").isEqualTo(429);
        assertThat(ofNewer.get("/admin/v1/policy-sets/gold").statusCode()).isEqualTo(200);
        ofNewer.call("PUT", "/apis/orders", service.definition("orders", "Orders", KEYED));
        assertThat(status(newer, "orders", secret)).isEqualTo(200);
    }

    private int status(GatewayProcess node, String api, String secret) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + node.address().getPort() + "/" + api);
        var request = HttpRequest.newBuilder(uri).header("Authorization", "Bearer " + secret);
        return client.send(request.build(), BodyHandlers.discarding()).statusCode();
    }
}
