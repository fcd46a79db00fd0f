package gateway.app.redis;

import static gateway.Eventually.until;
import static gateway.app.cache.CountingUpstream.answer;
import static org.assertj.core.api.Assertions.assertThat;

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
    private static final Duration BOUND = Duration.ofSeconds(2);

    private final CountingUpstream upstream = CountingUpstream.start(number -> answer(FRESH, "answer " + number));

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
        first.admin()
                .call(
                        "POST",
                        "/apis",
                        CachedGateway.definition("orders", "/", ", \"shared\": \"store\"", upstream.port()));
        until(() -> second.get("/ready").contains(" 200 "));
    }

    @AfterEach
    void stop() {
        second.close();
        first.close();
        redis.close();
        upstream.close();
    }

    @Test
    void what_one_node_has_fetched_the_other_gives() throws IOException {
        int before = upstream.asked();
        bring("/a", "");
        int asked = upstream.asked() - before;

        String given = second.get("/a");

        assertThat(given).contains("hit; ttl=");
        assertThat(upstream.asked() - before).isEqualTo(asked);
        assertThat(second.get("/a", "Authorization: Bearer other\r\n")).contains("fwd=miss");
    }

    @Test
    void answers_that_vary_are_found_by_the_fields_that_tell_them_apart() throws IOException {
        upstream.answers(number -> answer(FRESH + "\nVary: Accept-Language", "x".repeat(5000) + number));
        bring("/a", "Accept-Language: de\r\n");

        assertThat(second.get("/a", "Accept-Language: de\r\n")).contains("hit; ttl=").contains("x".repeat(5000));
        assertThat(second.get("/a", "Accept-Language: fr\r\n")).contains("fwd=miss");
    }

    /// Attack 39.
    @Test
    void a_purge_through_one_node_is_heard_of_by_the_other_within_two_seconds() throws Exception {
        bring("/a", "");
        String old = body(second.get("/a"));

        first.admin().call("POST", "/cache/purge", "{\"tag\": \"item-7\"}");
        long told = System.nanoTime();
        until(() -> !body(second.get("/a")).equals(old));

        assertThat(Duration.ofNanos(System.nanoTime() - told)).isLessThan(BOUND);
        assertThat(body(first.get("/a"))).isNotEqualTo(old);
    }

    @Test
    void a_change_through_one_node_is_seen_through_the_other() throws IOException {
        bring("/a", "");
        String old = body(second.get("/a"));

        first.send("DELETE /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");

        until(() -> !body(second.get("/a")).equals(old));
        assertThat(body(first.get("/a"))).isNotEqualTo(old);
    }

    @Test
    void while_redis_is_dead_answers_go_on_and_none_outlasts_its_bound() throws IOException {
        bring("/a", "");
        redis.kill();

        goesOn();

        redis.restart();
        bring("/c", "");
        assertThat(second.get("/c")).contains("hit; ttl=");
    }

    @Test
    void while_redis_is_frozen_answers_go_on_and_none_outlasts_its_bound() throws Exception {
        bring("/a", "");
        signal("STOP");

        goesOn();

        signal("CONT");
        bring("/c", "");
        assertThat(second.get("/c")).contains("hit; ttl=");
    }

    @Test
    void what_is_changed_while_redis_is_away_is_not_found_when_it_is_back() throws IOException {
        bring("/a", "");
        String old = body(second.get("/a"));
        redis.kill();
        second.send("DELETE /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        redis.restart();

        until(() -> !body(first.get("/a")).equals(old));
        assertThat(body(second.get("/a"))).isNotEqualTo(old);
    }

    /// From memory, and from the upstream what is not there or not fresh any more.
    private void goesOn() throws IOException {
        assertThat(first.get("/a")).startsWith("HTTP/1.1 200").contains("hit; ttl=");
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

    /// Has the first node fetch and share it: once in a while a busy Redis takes longer than a request waits for it, and
    /// then nothing is shared.
    private void bring(String path, String fields) throws IOException {
        until(() -> {
            first.get(path, fields);
            if (redis.cli("KEYS", "gw:entry:*").contains("gw:entry:")) return second.get(path, fields).contains("hit; ttl=");
            first.send("DELETE " + path + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            return false;
        });
    }

    private void signal(String name) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, "" + redis.pid()).start().waitFor())
                .isZero();
    }

    private static String body(String answer) {
        return answer.substring(answer.indexOf("\r\n\r\n"));
    }

    private CachedGateway gateway(String node) {
        return CachedGateway.start(
                data.resolve(node), Map.of("GATEWAY_STORE", redis.uri(), "GATEWAY_NODE", node, "GATEWAY_REDIS_DEADLINE", "200ms"));
    }
}
