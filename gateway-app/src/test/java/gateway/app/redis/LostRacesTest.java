package gateway.app.redis;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.AdminClient;
import gateway.app.Gateway;
import gateway.app.Settings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Writers at two gateways on one Redis that have read the same. Answers of Redis take so long that both have looked
/// before either has written.
@Timeout(120)
final class LostRacesTest {
    private static final Duration SLOW = Duration.ofMillis(200);

    @TempDir
    private Path data;

    private RedisProcess redis;
    private TcpProxy proxy;
    private Gateway first;
    private Gateway second;
    private AdminClient ann;
    private AdminClient bob;

    @BeforeEach
    void start() {
        redis = RedisProcess.start();
        proxy = TcpProxy.to(redis.port());
        first = gateway("first");
        second = gateway("second");
        ann = admin(first);
        bob = admin(second);
    }

    @AfterEach
    void stop() throws IOException {
        bob.close();
        ann.close();
        second.close();
        first.close();
        proxy.close();
        redis.close();
    }

    @ParameterizedTest
    @CsvSource({"/keys, key-1", "/apis, api-1"})
    void of_two_who_expect_the_same_one_writes_and_the_other_is_told_that_its_precondition_failed(
            String path, String id) throws Exception {
        String place = "/admin/v1" + path + "/" + id;
        ann.call("POST", path, body(path, "before").replaceFirst("\\{", "{\"id\": \"" + id + "\", "));
        until(() -> bob.get(place).statusCode() == 200);
        String tag = ann.get(place).headers().firstValue("ETag").orElseThrow();
        proxy.delay(SLOW);

        var one = write(ann, "PUT", place, body(path, "Ann's"), tag);
        var other = write(bob, "PUT", place, body(path, "Bob's"), tag);

        assertThat(List.of(one.join(), other.join())).containsExactlyInAnyOrder(200, 412);
    }

    @ParameterizedTest
    @CsvSource({"/keys, key-1", "/apis, api-1"})
    void a_deletion_and_a_write_that_expect_the_same_are_never_both_done(String path, String id) throws Exception {
        String place = "/admin/v1" + path + "/" + id;
        ann.call("POST", path, body(path, "before").replaceFirst("\\{", "{\"id\": \"" + id + "\", "));
        until(() -> bob.get(place).statusCode() == 200);
        String tag = ann.get(place).headers().firstValue("ETag").orElseThrow();
        proxy.delay(SLOW);

        var written = write(ann, "PUT", place, body(path, "Ann's"), tag);
        var deleted = write(bob, "DELETE", place, "", tag);

        assertThat(List.of(written.join(), deleted.join()))
                .isIn(List.of(200, 412), List.of(404, 204), List.of(412, 204));
    }

    private static String body(String path, String name) {
        if (path.equals("/keys")) return "{\"name\": \"" + name + "\"}";
        return """
            {"name": "%s", "match": {"path": "/a"}, "upstream": {"targets": [{"url": "http://127.0.0.1:1"}]}}""".formatted(name);
    }

    private static CompletableFuture<Integer> write(
            AdminClient admin, String method, String path, String body, String tag) {
        var request = HttpRequest.newBuilder(admin.base().resolve(path))
                .header("Authorization", "Bearer " + admin.token())
                .header("Content-Type", "application/json")
                .header("If-Match", tag)
                .method(method, BodyPublishers.ofString(body))
                .build();
        return admin.client().sendAsync(request, BodyHandlers.ofString()).thenApply(HttpResponse::statusCode);
    }

    private static AdminClient admin(Gateway gateway) {
        URI base = URI.create("http://127.0.0.1:" + gateway.adminAddress().getPort());
        return AdminClient.of(base, gateway.adminToken().reveal());
    }

    private Gateway gateway(String node) {
        return Gateway.start(Settings.read(
                Optional.empty(),
                Map.of(
                        "GATEWAY_LISTEN", "127.0.0.1:0",
                        "GATEWAY_ADMIN_LISTEN", "127.0.0.1:0",
                        "GATEWAY_DATA", data.resolve(node).toString(),
                        "GATEWAY_DRAIN_TIMEOUT", "1s",
                        "GATEWAY_NODE", node,
                        "GATEWAY_REDIS_DEADLINE", "5s",
                        "GATEWAY_STORE", "redis://127.0.0.1:" + proxy.port())));
    }
}
