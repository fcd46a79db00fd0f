package gateway.app.component;

import static gateway.Eventually.until;
import static gateway.app.cache.CountingUpstream.answer;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.cache.CachedGateway;
import gateway.app.cache.CountingUpstream;
import gateway.app.redis.RedisProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Two whole gateways with one store, whose caches share what they keep in the cache component.
@Timeout(300)
final class SharedComponentTest {
    private static final String FRESH = "Cache-Control: max-age=600\nETag: \"1\"\nCache-Tag: item-7";
    private static final Duration BOUND = Duration.ofSeconds(2);

    private final CountingUpstream upstream = CountingUpstream.start(number -> answer(FRESH, "answer " + number));

    @TempDir
    private Path data;

    private int paths;
    private RedisProcess redis;
    private OwnComponent component;
    private CachedGateway first;
    private CachedGateway second;

    @BeforeEach
    void start() throws Exception {
        redis = RedisProcess.start();
        component = OwnComponent.start(data, InstantSource.system());
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
        component.close();
        redis.close();
        upstream.close();
    }

    @Test
    void what_one_node_has_fetched_the_other_gives_and_nothing_of_it_lies_in_redis() throws IOException {
        String path = shared();

        assertThat(second.get(path, "Authorization: Bearer other\r\n")).contains("fwd=miss");
        assertThat(redis.cli("KEYS", "gw:entry:*").strip()).isEmpty();
    }

    @Test
    void a_purge_through_one_node_is_heard_of_by_the_other_within_two_seconds() throws Exception {
        String path = shared();
        String old = body(second.get(path));

        first.admin().call("POST", "/cache/purge", "{\"tag\": \"item-7\"}");
        long told = System.nanoTime();
        until(() -> !body(second.get(path)).equals(old));

        assertThat(Duration.ofNanos(System.nanoTime() - told)).isLessThan(BOUND);
        assertThat(body(first.get(path))).isNotEqualTo(old);
    }

    @Test
    void a_change_through_one_node_is_seen_through_the_other() throws IOException {
        String path = shared();
        String old = body(second.get(path));

        first.send("DELETE " + path + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");

        until(() -> !body(second.get(path)).equals(old));
        assertThat(body(first.get(path))).isNotEqualTo(old);
    }

    @Test
    void while_it_is_away_answers_go_on_and_none_outlasts_its_bound() throws IOException {
        String path = shared();
        component.close();

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
    }

    /// A path whose answer the second node has from the first.
    private String shared() throws IOException {
        while (true) {
            String path = "/a?n=" + ++paths;
            first.get(path);
            int asked = upstream.asked();
            String given = second.get(path);
            if (upstream.asked() == asked && given.contains("hit; ttl=")) return path;
        }
    }

    private static String body(String answer) {
        return answer.substring(answer.indexOf("\r\n\r\n"));
    }

    private CachedGateway gateway(String node) {
        return CachedGateway.start(
                data.resolve(node),
                Map.of(
                        "GATEWAY_STORE",
                        redis.uri(),
                        "GATEWAY_NODE",
                        node,
                        "GATEWAY_REDIS_DEADLINE",
                        "200ms",
                        "GATEWAY_CACHE_COMPONENT",
                        "http://127.0.0.1:" + component.address().getPort(),
                        "GATEWAY_CACHE_COMPONENT_TOKEN",
                        OwnComponent.TOKEN,
                        "GATEWAY_CACHE_COMPONENT_DEADLINE",
                        "500ms"));
    }
}
