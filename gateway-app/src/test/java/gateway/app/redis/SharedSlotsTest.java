package gateway.app.redis;

import static gateway.Eventually.until;
import static gateway.app.cache.CountingUpstream.answer;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.cache.CachedGateway;
import gateway.app.cache.CountingUpstream;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Two whole gateways on one Redis that let each address have two requests at once together.
@Timeout(120)
final class SharedSlotsTest {
    private final CountingUpstream upstream = CountingUpstream.start(_ -> answer("", "ok"));
    private final CountDownLatch answers = new CountDownLatch(1);
    private final ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();

    @TempDir
    private Path data;

    private RedisProcess redis;
    private CachedGateway first;
    private CachedGateway second;

    @BeforeEach
    void start() throws Exception {
        redis = RedisProcess.start();
        first = gateway("first");
        second = gateway("second");
        define("deny");
        until(() -> first.get("/orders").startsWith("HTTP/1.1 200 "));
        until(() -> second.get("/orders").startsWith("HTTP/1.1 200 "));
        until(() -> redis.cli("KEYS", "gw:*:slots:*").isEmpty());
    }

    private CachedGateway gateway(String name) {
        return CachedGateway.start(
                data.resolve(name), Map.of("GATEWAY_STORE", redis.uri(), "GATEWAY_REDIS_DEADLINE", "500ms"));
    }

    private void define(String onOutage) throws Exception {
        first.admin().call("PUT", "/apis/orders", """
                {"match": {"path": "/orders"}, "upstream": {"targets": [{"url": "http://127.0.0.1:%d"}]},
                 "policies": [{"type": "concurrency-limit", "requests": 2, "by": "ip", "counting": "shared",
                               "onOutage": "%s"}]}""".formatted(upstream.port(), onOutage));
    }

    @AfterEach
    void stop() {
        answers.countDown();
        clients.close();
        second.close();
        first.close();
        redis.close();
        upstream.close();
    }

    @Test
    void the_third_at_once_is_refused_by_either_node_until_one_is_answered() throws Exception {
        upstream.awaits(answers);
        int before = upstream.asked();
        Future<String> one = clients.submit(() -> first.get("/orders"));
        Future<String> two = clients.submit(() -> second.get("/orders"));
        until(() -> upstream.asked() == before + 2);

        assertThat(first.get("/orders")).startsWith("HTTP/1.1 429 ").contains("too-many-at-once");
        assertThat(second.get("/orders")).startsWith("HTTP/1.1 429 ");

        answers.countDown();
        assertThat(one.get()).startsWith("HTTP/1.1 200 ");
        assertThat(two.get()).startsWith("HTTP/1.1 200 ");
        until(() -> first.get("/orders").startsWith("HTTP/1.1 200 "));
        until(() -> second.get("/orders").startsWith("HTTP/1.1 200 "));
    }

    @Test
    void while_redis_is_dead_nobody_passes_unless_the_definition_says_so() throws Exception {
        redis.kill();
        until(() -> second.get("/orders").startsWith("HTTP/1.1 503 "));
        assertThat(second.get("/orders")).contains("Retry-After: ");

        redis.restart();
        until(() -> second.get("/orders").startsWith("HTTP/1.1 200 "));
        until(() -> first.get("/orders").startsWith("HTTP/1.1 200 ")); // each finds Redis again in its own time
        define("allow");
        redis.kill();

        assertThat(first.get("/orders")).startsWith("HTTP/1.1 200 ");
        redis.restart();
    }
}
