package gateway.app.component;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.app.CacheNode;
import gateway.app.Settings;
import gateway.app.settings.StartException;
import gateway.service.ManualClock;
import java.lang.management.ManagementFactory;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A member of the cache component, asked over sockets.
final class CacheNodeTest {
    private static final byte[] NOTHING = new byte[0];
    private static final String HOUR = "max-age=3600";

    @TempDir
    private static Path data;

    private static final ManualClock clock = ManualClock.create();
    private static OwnComponent component;

    @BeforeAll
    static void start() {
        component = OwnComponent.start(data, clock);
    }

    @AfterAll
    static void stop() {
        component.close();
    }

    @Test
    void what_is_put_is_got_with_its_type_and_its_time(TestInfo test) {
        String path = path(test, "k");

        HttpResponse<byte[]> put = put(path, "text", "Cache-Control", HOUR, "Content-Type", "text/plain");
        HttpResponse<byte[]> got = component.get(path);

        assertThat(put.statusCode()).isEqualTo(204);
        assertThat(got.statusCode()).isEqualTo(200);
        assertThat(got.body()).isEqualTo("text".getBytes(UTF_8));
        assertThat(got.headers().firstValue("Content-Type")).contains("text/plain");
        assertThat(got.headers().firstValue("Cache-Control")).contains(HOUR);
    }

    @Test
    void a_head_tells_what_a_get_would_without_content(TestInfo test) {
        String path = path(test, "k");
        put(path, "text", "Cache-Control", HOUR);

        HttpResponse<byte[]> head = component.send("HEAD", path, NOTHING);

        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.headers().firstValue("Content-Length")).contains("4");
        assertThat(head.body()).isEmpty();
    }

    @Test
    void who_has_it_already_is_told_so(TestInfo test) {
        String path = path(test, "k");
        put(path, "text", "Cache-Control", HOUR);
        String tag = component.get(path).headers().firstValue("ETag").orElseThrow();

        assertThat(component.send("GET", path, NOTHING, "If-None-Match", tag).statusCode())
                .isEqualTo(304);
        put(path, "other", "Cache-Control", HOUR);
        assertThat(component.send("GET", path, NOTHING, "If-None-Match", tag).body())
                .isEqualTo("other".getBytes(UTF_8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"TAG", "W/TAG", "\"other\", TAG", "*"})
    void who_has_it_says_so_in_each_way_that_there_is(String known, TestInfo test) {
        String path = path(test, "k");
        put(path, "text", "Cache-Control", HOUR);
        String tag = component.get(path).headers().firstValue("ETag").orElseThrow();

        assertThat(component
                        .send("GET", path, NOTHING, "If-None-Match", known.replace("TAG", tag))
                        .statusCode())
                .isEqualTo(304);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "PUT", "DELETE"})
    void parameters_are_refused_and_change_nothing(String method, TestInfo test) {
        String path = path(test, "k");
        put(path, "text", "Cache-Control", HOUR);

        assertThat(component
                        .send(method, path + "?tag=t1", NOTHING, "Cache-Control", HOUR)
                        .statusCode())
                .isEqualTo(400);
        assertThat(component.get(path).body()).isEqualTo("text".getBytes(UTF_8));
    }

    /// With one or two CPUs Hazelcast starts one for what waits for each operation.
    @Test
    void no_thread_is_started_for_a_request(TestInfo test) {
        String path = path(test, "k");
        var threads = ManagementFactory.getThreadMXBean();
        put(path, "text", "Cache-Control", HOUR);
        long before = threads.getTotalStartedThreadCount();

        for (int i = 0; i < 200; i++) component.get(path);

        assertThat(threads.getTotalStartedThreadCount() - before).isLessThan(100);
    }

    @Test
    void an_entry_ends(TestInfo test) {
        String path = path(test, "k");
        put(path, "text", "Cache-Control", "max-age=60");

        clock.advance(Duration.ofSeconds(59));
        assertThat(component.get(path).statusCode()).isEqualTo(200);
        clock.advance(Duration.ofSeconds(1));

        assertThat(component.get(path).statusCode()).isEqualTo(404);
    }

    @Test
    void what_is_deleted_is_gone_and_its_neighbour_stays(TestInfo test) {
        put(path(test, "a"), "a", "Cache-Control", HOUR);
        put(path(test, "b"), "b", "Cache-Control", HOUR);

        assertThat(component.send("DELETE", path(test, "a"), NOTHING).statusCode())
                .isEqualTo(204);

        assertThat(component.get(path(test, "a")).statusCode()).isEqualTo(404);
        assertThat(component.get(path(test, "b")).statusCode()).isEqualTo(200);
    }

    @Test
    void a_group_goes_as_a_whole_and_what_was_asked_for_before_is_not_kept(TestInfo test) {
        String path = path(test, "k");
        put(path, "old", "Cache-Control", HOUR);
        String before = component.get(path).headers().firstValue("Cache-State").orElseThrow();

        component.send("DELETE", path.substring(0, path.lastIndexOf('/')), NOTHING);

        assertThat(component.get(path).statusCode()).isEqualTo(404);
        assertThat(put(path, "old", "Cache-Control", HOUR, "Cache-State", before)
                        .statusCode())
                .isEqualTo(412);
        String now = component.get(path).headers().firstValue("Cache-State").orElseThrow();
        assertThat(put(path, "new", "Cache-Control", HOUR, "Cache-State", now).statusCode())
                .isEqualTo(204);
        assertThat(component.get(path).body()).isEqualTo("new".getBytes(UTF_8));
    }

    @Test
    void of_two_who_are_the_first_in_a_group_one_keeps_its_entry(TestInfo test) {
        String one = component
                .get(path(test, "k"))
                .headers()
                .firstValue("Cache-State")
                .orElseThrow();
        String other = component
                .get(path(test, "k"))
                .headers()
                .firstValue("Cache-State")
                .orElseThrow();

        int first = put(path(test, "a"), "a", "Cache-Control", HOUR, "Cache-State", one)
                .statusCode();
        int second = put(path(test, "b"), "b", "Cache-Control", HOUR, "Cache-State", other)
                .statusCode();

        assertThat(first).isEqualTo(204);
        assertThat(second).isEqualTo(412);
    }

    @Test
    void four_mebibytes_come_back_as_they_were_and_one_more_byte_is_refused(TestInfo test) {
        byte[] all = new byte[4 << 20];
        for (int i = 0; i < all.length; i++) all[i] = (byte) (i * 31);
        String path = path(test, "k");

        assertThat(component.send("PUT", path, all, "Cache-Control", HOUR).statusCode())
                .isEqualTo(204);

        assertThat(component.get(path).body()).isEqualTo(all);
        assertThat(component
                        .send("PUT", path, new byte[(4 << 20) + 1], "Cache-Control", HOUR)
                        .statusCode())
                .isEqualTo(413);
    }

    @Test
    void a_key_of_a_kibibyte_is_one_and_a_longer_one_is_none() {
        String path = "/cache/" + "g".repeat(128) + '/' + "k".repeat(1024);

        assertThat(put(path, "text", "Cache-Control", HOUR).statusCode()).isEqualTo(204);

        assertThat(component.get(path).body()).isEqualTo("text".getBytes(UTF_8));
        assertThat(put(path + "k", "text", "Cache-Control", HOUR).statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Bearer ", "Bearer another-token-0123456789-0123456789", "Basic " + OwnComponent.TOKEN})
    void who_has_no_token_learns_nothing(String authorization, TestInfo test) {
        put("/cache/secrets/k", "text", "Cache-Control", HOUR);

        for (String method : new String[] {"GET", "PUT", "DELETE"}) {
            HttpResponse<byte[]> answer =
                    component.send(method, "/cache/secrets/k", NOTHING, "Authorization", authorization);

            assertThat(answer.statusCode()).isEqualTo(401);
            assertThat(answer.headers().firstValue("WWW-Authenticate")).contains("Bearer");
        }
        assertThat(component.get("/cache/secrets/k").statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /cache/a%2Fb/c, 400",
        "GET, /cache/a/b/c, 404",
        "GET, /cache/a/b@c, 404",
        "GET, /cache/a//b, 400",
        "GET, /cache, 404",
        "GET, /elsewhere, 404",
        "PUT, /cache/a, 405",
        "POST, /cache/a/b, 405",
        "PATCH, /cache/a/b, 405",
        "PUT, /cache/a/b, 400"
    })
    void what_is_no_entry_is_refused(String method, String path, int status) {
        assertThat(component.send(method, path, NOTHING).statusCode()).isEqualTo(status);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "max-age=0",
                "max-age=-1",
                "max-age=2592001",
                "max-age=60, public",
                "no-store",
                "max-age=9999999999"
            })
    void a_time_that_is_none_is_refused(String control, TestInfo test) {
        assertThat(put(path(test, "k"), "text", "Cache-Control", control).statusCode())
                .isEqualTo(400);
        assertThat(component.get(path(test, "k")).statusCode()).isEqualTo(404);
    }

    @Test
    void it_is_ready_and_tells_its_meters() {
        try (var client = HttpClient.newHttpClient()) {
            HttpResponse<byte[]> ready =
                    OwnComponent.send(client, component.adminAddress(), "GET", "/health/ready", NOTHING);
            HttpResponse<byte[]> metrics =
                    OwnComponent.send(client, component.adminAddress(), "GET", "/metrics", NOTHING);

            assertThat(ready.statusCode()).isEqualTo(200);
            assertThat(new String(metrics.body(), UTF_8))
                    .contains("gateway_component_members 1.0")
                    .contains("gateway_component_entries", "gateway_component_bytes")
                    .contains("gateway_component_evictions_total")
                    .contains("gateway_requests_total{api=\"cache\"");
        }
    }

    @Test
    void it_tells_what_process_it_is() {
        try (var client = HttpClient.newHttpClient()) {
            HttpResponse<byte[]> runtime = OwnComponent.send(
                    client,
                    component.adminAddress(),
                    "GET",
                    "/admin/v1/runtime",
                    NOTHING,
                    "Authorization",
                    "Bearer " + OwnComponent.ADMIN_TOKEN);
            HttpResponse<byte[]> nobody =
                    OwnComponent.send(client, component.adminAddress(), "GET", "/admin/v1/runtime", NOTHING);

            assertThat(runtime.statusCode()).isEqualTo(200);
            assertThat(new String(runtime.body(), UTF_8)).contains("\"heap\"", "\"collectors\"");
            assertThat(nobody.statusCode()).isEqualTo(401);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GATEWAY_CACHE_MEMBER_LISTEN, 0.0.0.0:5701",
        "GATEWAY_CACHE_MEMBER_LISTEN, 8.8.8.8:5701",
        "GATEWAY_CACHE_MEMBER_SECRET, short",
        "GATEWAY_CACHE_TOKENS, short",
        "GATEWAY_CACHE_CLIENTS, CN=gateway"
    })
    void it_does_not_start_open_to_everybody(String variable, String value) {
        Map<String, String> settings = OwnComponent.settings(data, 5701, "");
        settings.put(variable, value);
        Settings read = Settings.read(Optional.empty(), settings);

        assertThatThrownBy(() -> CacheNode.start(read))
                .isInstanceOf(StartException.class)
                .hasMessageContaining(variable);
    }

    private static HttpResponse<byte[]> put(String path, String text, String... fields) {
        return component.send("PUT", path, text.getBytes(UTF_8), fields);
    }

    /// In a group of the test's own.
    private static String path(TestInfo test, String key) {
        String group = test.getTestMethod().orElseThrow().getName()
                + '-'
                + Integer.toHexString(test.getDisplayName().hashCode());
        return "/cache/" + group + '/' + key;
    }
}
