package gateway.app.redis;

import static gateway.Eventually.until;
import static gateway.app.cache.CountingUpstream.answer;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.ProcessSignal;
import gateway.app.cache.CachedGateway;
import gateway.app.cache.CountingUpstream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Two whole gateways on one Redis, whose caches share what they keep.
@Timeout(300)
final class SharedCacheTest {
    private static final String FRESH = "Cache-Control: max-age=600\nETag: \"1\"\nCache-Tag: item-7";
    private static final int LOOKS = 100;
    private static final Duration BOUND = Duration.ofSeconds(2);

    /// As many changes as are remembered.
    private static final String OTHERS = """
            for i = 1, 10000 do
              local number = redis.call('INCR', KEYS[1])
              redis.call('ZADD', KEYS[2], number, number .. '-other target ' .. i)
              redis.call('ZREMRANGEBYRANK', KEYS[2], 0, -10001)
            end
            """;

    private final CountingUpstream upstream = CountingUpstream.start(number -> answer(FRESH, "answer " + number));

    @TempDir
    private Path data;

    private int paths;
    private RedisProcess redis;
    private TcpProxy relay; // between the second and Redis
    private CachedGateway first;
    private CachedGateway second;

    @BeforeEach
    void start() throws Exception {
        redis = RedisProcess.start();
        relay = TcpProxy.to(redis.port());
        first = gateway("first", redis.uri());
        second = gateway("second", "redis://127.0.0.1:" + relay.port());
        first.admin()
                .call(
                        "POST",
                        "/apis",
                        CachedGateway.definition("orders", "/", ", \"shared\": \"store\"", upstream.port()));
        until(() -> second.get("/ready").contains(" 200 "));
    }

    @AfterEach
    void stop() throws IOException {
        second.close();
        first.close();
        relay.close();
        redis.close();
        upstream.close();
    }

    @Test
    void what_one_node_has_fetched_the_other_gives() throws IOException {
        String path = shared("");
        int asked = upstream.asked();

        assertThat(second.get(path)).contains("hit; ttl=");
        assertThat(upstream.asked()).isEqualTo(asked);
        assertThat(second.get(path, "Authorization: Bearer other\r\n")).contains("fwd=miss");
    }

    @Test
    void answers_that_vary_are_found_by_the_fields_that_tell_them_apart() throws IOException {
        upstream.answers(number -> answer(FRESH + "\nVary: Accept-Language", "x".repeat(5000) + number));
        String german = "Accept-Language: de\r\n";

        until(
                () -> { // that it varies may have come to Redis, and the answer not yet
                    String given = second.get(shared(german), german);
                    return given.contains("hit; ttl=") && given.contains("x".repeat(5000));
                });
        assertThat(second.get(shared(german), "Accept-Language: fr\r\n")).contains("fwd=miss");
    }

    /// Attack 39.
    @Test
    void a_purge_through_one_node_is_heard_of_by_the_other_within_two_seconds() throws Exception {
        String path = shared("");
        String old = body(second.get(path));

        first.admin().call("POST", "/cache/purge", "{\"tag\": \"item-7\"}");
        long told = System.nanoTime();
        until(() -> !body(second.get(path)).equals(old));

        assertThat(Duration.ofNanos(System.nanoTime() - told)).isLessThan(BOUND);
        assertThat(body(first.get(path))).isNotEqualTo(old);
    }

    @Test
    void a_change_through_one_node_is_seen_through_the_other() throws IOException {
        String path = shared("");
        String old = body(second.get(path));

        change(first, path);

        until(() -> !body(second.get(path)).equals(old));
        assertThat(body(first.get(path))).isNotEqualTo(old);
    }

    @Test
    void a_change_through_one_node_is_seen_through_the_other_though_that_heard_no_message() throws IOException {
        String path = shared("");
        String old = body(second.get(path));
        redis.cli("CLIENT", "KILL", "TYPE", "pubsub");

        change(first, path);
        long changed = System.nanoTime();

        until(() -> !body(second.get(path)).equals(old));
        assertThat(Duration.ofNanos(System.nanoTime() - changed)).isLessThan(BOUND);
    }

    @Test
    void a_change_while_a_node_was_cut_off_from_redis_is_seen_through_it_afterwards() throws Exception {
        String path = shared("");
        String old = body(second.get(path));
        relay.swallow();
        until(() -> !isAvailable(second));
        change(first, path);
        assertThat(body(second.get(path))).isEqualTo(old);

        relay.pass();
        until(() -> isAvailable(second));
        long back = System.nanoTime();

        until(() -> !body(second.get(path)).equals(old));
        assertThat(Duration.ofNanos(System.nanoTime() - back)).isLessThan(BOUND);
    }

    @Test
    void a_node_that_cannot_know_what_has_changed_meanwhile_gives_nothing_that_it_has_kept() throws Exception {
        String path = shared("");
        String other = shared("");
        String old = body(second.get(other));
        second.get(path);
        relay.swallow();
        until(() -> !isAvailable(second));
        change(first, other);
        until(() -> redis.cli("EXISTS", "{gw:entries}:last").startsWith("1"));
        redis.cli("EVAL", OTHERS, "2", "{gw:entries}:number", "{gw:entries}:last");

        relay.pass();

        until(() -> !body(second.get(other)).equals(old));
        assertThat(second.get(path)).contains("hit; ttl="); // which Redis has still
    }

    @Test
    void an_api_that_is_deleted_and_made_again_has_none_of_its_answers_on_any_node() throws Exception {
        String path = shared("");
        String old = body(second.get(path));
        String definition = CachedGateway.definition("orders", "/", ", \"shared\": \"store\"", upstream.port());
        first.admin().call("POST", "/apis", CachedGateway.definition("sales", "/sales", ", \"shared\": \"store\"", 1));
        until(() -> second.get("/sales").contains(" 502 "));

        first.admin().send("DELETE", "/admin/v1/apis/orders", "");
        until(() -> second.get(path).contains(" 404 "));
        first.admin().call("POST", "/apis", definition);
        until(() -> second.get(path).contains(" 200 "));

        assertThat(body(second.get(path))).isNotEqualTo(old);
        assertThat(body(first.get(path))).isNotEqualTo(old);
    }

    @Test
    void while_redis_is_dead_answers_go_on_and_none_outlasts_its_bound() throws IOException {
        String path = shared("");
        redis.kill();

        goesOn(path);

        redis.restart();
        until(() -> second.get(shared("")).contains("hit; ttl="));
    }

    @Test
    void while_redis_is_frozen_answers_go_on_and_none_outlasts_its_bound() throws Exception {
        String path = shared("");
        ProcessSignal.send("STOP", redis.pid());

        goesOn(path);

        ProcessSignal.send("CONT", redis.pid());
        until(() -> second.get(shared("")).contains("hit; ttl="));
    }

    @Test
    void what_a_node_has_changed_while_redis_was_frozen_it_does_not_find_afterwards() throws Exception {
        String path = shared("");
        String old = body(second.get(path));
        ProcessSignal.send("STOP", redis.pid());
        change(second, path);
        upstream.answers(number -> answer("Cache-Control: no-store", "answer " + number));
        assertThat(body(second.get(path))).isNotEqualTo(old);

        ProcessSignal.send("CONT", redis.pid());

        upstream.answers(number -> answer(FRESH, "answer " + number));
        shared("");
        assertThat(body(second.get(path))).isNotEqualTo(old);
    }

    /// From memory, and from the upstream what is not there or not fresh any more.
    private void goesOn(String path) throws IOException {
        assertThat(first.get(path)).startsWith("HTTP/1.1 200").contains("hit; ttl=");
        upstream.answers(number -> answer("Cache-Control: max-age=1", "answer " + number));
        String brief = first.get("/b");
        assertThat(brief).startsWith("HTTP/1.1 200").contains("fwd=miss");
        until(() -> {
            String next = first.get("/b");
            assertThat(next).startsWith("HTTP/1.1 200");
            return !body(next).equals(body(brief));
        });
        assertThat(second.get("/b")).startsWith("HTTP/1.1 200");
        upstream.answers(number -> answer(FRESH, "answer " + number));
    }

    /// What the first node has fetched and Redis keeps: once in a while a busy one takes longer than a request waits,
    /// and then nothing is shared.
    private String shared(String fields) throws IOException {
        while (true) {
            String path = "/a?n=" + ++paths;
            String before = entries();
            first.get(path, fields);
            for (int look = 0; look < LOOKS; look++) if (!entries().equals(before)) return path;
        }
    }

    private String entries() {
        return redis.cli("KEYS", "gw:entry:*");
    }

    private static void change(CachedGateway gateway, String path) throws IOException {
        gateway.send("DELETE " + path + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    }

    private static String body(String answer) {
        return answer.substring(answer.indexOf("\r\n\r\n"));
    }

    private static boolean isAvailable(CachedGateway gateway) throws Exception {
        return gateway.admin().get("/metrics").body().contains("\ngateway_store_available 1");
    }

    private CachedGateway gateway(String node, String store) {
        return CachedGateway.start(
                data.resolve(node),
                Map.of("GATEWAY_STORE", store, "GATEWAY_NODE", node, "GATEWAY_REDIS_DEADLINE", "200ms"));
    }
}
