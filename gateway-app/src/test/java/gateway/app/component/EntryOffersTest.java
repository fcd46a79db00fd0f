package gateway.app.component;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.service.ManualClock;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a `PUT` may say of an entry, asked of a member over sockets.
final class EntryOffersTest {
    private static final String HOUR = "max-age=3600";

    @TempDir
    private static Path data;

    private static final ManualClock clock = ManualClock.create();
    private static OwnComponent component;
    private static int paths;

    private final String path = "/cache/offers/" + ++paths;

    @BeforeAll
    static void start() {
        component = OwnComponent.start(data, clock);
    }

    @AfterAll
    static void stop() {
        component.close();
    }

    @Test
    void x_ttl_sets_the_end_alone() {
        assertThat(component.put(path, "text", "X-TTL", "60").statusCode()).isEqualTo(204);

        clock.advance(Duration.ofSeconds(59));
        assertThat(component.get(path).headers().firstValue("Cache-Control")).contains("max-age=1");
        clock.advance(Duration.ofSeconds(1));

        assertThat(component.get(path).statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {HOUR, "max-age=1", "public, max-age=5", "no-store"})
    void x_ttl_counts_before_cache_control(String control) {
        component.put(path, "text", "X-TTL", "60", "Cache-Control", control);

        assertThat(component.get(path).headers().firstValue("Cache-Control")).contains("max-age=60");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "1.5", "60s", " ", "2592001", "9999999999", "0x10", "60, 60"})
    void an_x_ttl_that_is_none_is_refused_and_says_what_was_expected(String seconds) {
        HttpResponse<byte[]> answer = component.put(path, "text", "X-TTL", seconds, "Cache-Control", HOUR);

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(new String(answer.body(), UTF_8)).contains("expected X-TTL: 1 to 2592000 seconds");
        assertThat(component.get(path).statusCode()).isEqualTo(404);
    }

    @Test
    void two_of_them_are_refused() {
        assertThat(component.put(path, "text", "X-TTL", "60", "X-TTL", "60").statusCode())
                .isEqualTo(400);
    }

    @Test
    void fields_of_the_content_and_those_named_for_it_are_given_back() {
        component.put(
                path,
                "text",
                "Cache-Control",
                HOUR,
                "Content-Language",
                "tr",
                "Content-Disposition",
                "attachment; filename=\"a.txt\"",
                "Entry-Status",
                "200",
                "entry-vary",
                "Accept",
                "Entry-Link",
                "a",
                "Entry-Link",
                "b");

        for (String method : List.of("GET", "HEAD")) {
            var fields = component.send(method, path, new byte[0]).headers();
            assertThat(fields.firstValue("Content-Language")).contains("tr");
            assertThat(fields.firstValue("Content-Disposition")).contains("attachment; filename=\"a.txt\"");
            assertThat(fields.firstValue("Entry-Status")).contains("200");
            assertThat(fields.firstValue("Entry-Vary")).contains("Accept");
            assertThat(fields.allValues("Entry-Link")).containsExactly("a", "b");
        }
    }

    @Test
    void no_other_field_is_kept() {
        component.put(
                path,
                "text",
                "Cache-Control",
                HOUR,
                "Cookie",
                "session=secret",
                "Set-Cookie",
                "session=secret",
                "X-Api-Key",
                "secret",
                "Location",
                "http://elsewhere.example/",
                "X-Forwarded-For",
                "10.0.0.1",
                "Cache-Tag",
                "secret-tag");

        HttpResponse<byte[]> got = component.get(path);

        assertThat(got.headers().map())
                .doesNotContainKeys("cookie", "set-cookie", "x-api-key", "location", "cache-tag");
        assertThat(got.headers().map().toString())
                .doesNotContain("secret", "elsewhere", "10.0.0.1", OwnComponent.TOKEN);
    }

    @Test
    void sixteen_fields_are_kept_and_one_more_is_refused() {
        assertThat(component.put(path, "text", numbered(16)).statusCode()).isEqualTo(204);
        assertThat(component.get(path).headers().firstValue("Entry-15")).contains("15");

        HttpResponse<byte[]> more = component.put(path, "other", numbered(17));

        assertThat(more.statusCode()).isEqualTo(400);
        assertThat(new String(more.body(), UTF_8)).contains("expected 16 fields");
        assertThat(component.get(path).body()).isEqualTo("text".getBytes(UTF_8));
    }

    @Test
    void fields_that_are_larger_than_eight_kibibytes_together_are_refused() {
        assertThat(component
                        .put(path, "text", "X-TTL", "60", "Entry-A", "a".repeat(4000), "Entry-B", "b".repeat(4000))
                        .statusCode())
                .isEqualTo(204);
        assertThat(component
                        .put(path, "text", "X-TTL", "60", "Entry-A", "a".repeat(4096), "Entry-B", "b".repeat(4096))
                        .statusCode())
                .isEqualTo(400);
    }

    private static String[] numbered(int fields) {
        var all = new ArrayList<>(List.of("Cache-Control", HOUR));
        for (int i = 0; i < fields; i++) all.addAll(List.of("Entry-" + i, "" + i));
        return all.toArray(String[]::new);
    }
}
