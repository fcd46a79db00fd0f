package gateway.policies.cache;

import static gateway.policies.cache.CachedRoute.answer;
import static gateway.policies.cache.CachedRoute.status;
import static gateway.policies.cache.CachedRoute.text;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Exchanges;
import gateway.http.Response;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// An answer to `HEAD` tells of what is kept for `GET`.
final class HeadWordTest {
    private static final String[] FIELDS = {"Cache-Control", "max-age=60", "ETag", "\"1\"", "X-Field", "old"};

    private final CachedRoute route = CachedRoute.with("").counts(FIELDS);

    @Test
    void one_of_the_same_content_makes_it_fresh_and_brings_new_fields() {
        route.get("/a");
        route.passes(Duration.ofSeconds(61));

        Response head = head("max-age=90", "ETag", "\"1\"", "X-Field", "new", "Content-Length", "8");
        route.passes(Duration.ofSeconds(80));
        Response got = route.get("/a");

        assertThat(status(head)).isEqualTo("gateway; fwd=stale; fwd-status=200");
        assertThat(text(got)).isEqualTo("answer 1");
        assertThat(status(got)).isEqualTo("gateway; hit; ttl=10");
        assertThat(got.headers().all("X-Field")).containsExactly("new");
        assertThat(route.asked()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({"ETag, \"2\"", "Content-Length, 9", "Last-Modified, 'Sun, 31 May 2026 00:00:00 GMT'"})
    void one_of_other_content_makes_it_stale(String name, String value) {
        route.get("/a");

        head("max-age=60", name, value);

        assertThat(status(route.counts(FIELDS).get("/a"))).startsWith("gateway; fwd=stale; fwd-status=200");
    }

    @ParameterizedTest
    @ValueSource(ints = {404, 410})
    void what_is_gone_for_head_is_stale(int status) {
        route.get("/a");
        route.answers(_ -> answer(status, ""));
        route.send(head());

        assertThat(status(route.counts(FIELDS).get("/a"))).startsWith("gateway; fwd=stale; fwd-status=200");
    }

    @ParameterizedTest
    @ValueSource(ints = {304, 401, 403, 405, 429, 500, 503})
    void what_is_no_answer_to_the_question_says_nothing(int status) {
        route.get("/a");
        route.answers(_ -> answer(status, "", "ETag", "\"2\""));
        route.send(head());

        assertThat(status(route.get("/a"))).isEqualTo("gateway; hit; ttl=60");
    }

    @Test
    void the_same_length_is_no_proof() {
        route.counts("Cache-Control", "max-age=60").get("/a");
        route.passes(Duration.ofSeconds(61));

        head("max-age=60", "Content-Length", "8");

        assertThat(text(route.counts("Cache-Control", "max-age=60").get("/a"))).isEqualTo("answer 3");
    }

    @Test
    void where_nodes_share_no_other_gives_what_is_stale() {
        CachedRoute first = CachedRoute.with(", \"shared\": \"store\"").counts(FIELDS);
        CachedRoute second = first.beside();
        first.get("/a");
        first.answers(_ -> answer(200, "", "ETag", "\"2\""));

        first.send(head());

        second.counts(FIELDS).get("/a");
        assertThat(second.asked()).isEqualTo(1);
    }

    private Response head(String control, String... fields) {
        route.answers(_ -> answer(200, "", fields).with("Cache-Control", control));
        return route.send(head());
    }

    private static Exchanges head() {
        return Exchanges.of("HEAD", "/a").with("Cache-Control", "no-cache");
    }
}
