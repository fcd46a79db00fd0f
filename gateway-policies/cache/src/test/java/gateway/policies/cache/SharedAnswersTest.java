package gateway.policies.cache;

import static gateway.policies.cache.CachedRoute.answer;
import static gateway.policies.cache.CachedRoute.status;
import static gateway.policies.cache.CachedRoute.text;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.service.CachePurge;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Answers that two nodes share.
final class SharedAnswersTest {
    private static final String SHARED = ", \"shared\": \"store\"";

    private final CachedRoute first = CachedRoute.with(SHARED);
    private final CachedRoute second = first.beside();

    @ParameterizedTest
    @ValueSource(ints = {0, 10, 5000, 300_000})
    void what_one_node_has_fetched_another_gives_with_its_age(int size) {
        first.answers(_ -> answer(200, "x".repeat(size), "Cache-Control", "max-age=60", "X-Field", "\u00e4"));
        first.get("/a?x=1");
        first.passes(Duration.ofSeconds(20));

        Response given = second.get("/a?x=1");

        assertThat(second.asked()).isZero();
        assertThat(text(given)).isEqualTo("x".repeat(size));
        assertThat(status(given)).isEqualTo("gateway; hit; ttl=40");
        assertThat(given.headers().first("Age")).contains("20");
        assertThat(given.headers().first("X-Field")).contains("\u00e4");
    }

    @Test
    void what_is_larger_than_the_store_takes_stays_in_the_memory_of_its_node() {
        first.answers(_ -> answer(200, "x".repeat(300_000), "Cache-Control", "max-age=60", "Content-Encoding", "br"));
        first.get("/a");
        second.counts("Cache-Control", "max-age=60");

        assertThat(text(second.get("/a"))).isEqualTo("answer 1");
        assertThat(status(first.get("/a"))).startsWith("gateway; hit");
    }

    @Test
    void each_callers_answer_is_found_by_him_alone_and_what_is_for_all_by_all() {
        first.answers(each -> answer(
                200, "of one", "Cache-Control", each.path().equals("/all") ? "public, max-age=60" : "max-age=60"));
        for (String path : new String[] {"/all", "/a"})
            first.send(Exchanges.get(path).with("Authorization", "Bearer one"));
        second.counts("Cache-Control", "max-age=60");

        assertThat(text(second.send(Exchanges.get("/a").with("Authorization", "Bearer two"))))
                .isEqualTo("answer 1");
        assertThat(text(second.get("/a"))).isEqualTo("answer 2");
        assertThat(text(second.send(Exchanges.get("/all").with("Authorization", "Bearer two"))))
                .isEqualTo("of one");
        assertThat(text(second.send(Exchanges.get("/a").with("Authorization", "Bearer one"))))
                .isEqualTo("of one");
    }

    @Test
    void answers_that_vary_are_found_by_the_fields_that_tell_them_apart() {
        first.answers(each -> answer(
                200,
                "for " + each.headers().first("Accept-Language").orElse("nobody"),
                "Cache-Control",
                "max-age=60",
                "Vary",
                "Accept-Language"));
        for (String each : List.of("de", "fr")) first.send(Exchanges.get("/a").with("Accept-Language", each));
        second.counts("Cache-Control", "max-age=60");

        assertThat(text(second.send(Exchanges.get("/a").with("Accept-Language", "de"))))
                .isEqualTo("for de");
        assertThat(text(second.send(Exchanges.get("/a").with("Accept-Language", "fr"))))
                .isEqualTo("for fr");
        assertThat(text(second.get("/a"))).isEqualTo("answer 1");
    }

    @Test
    void a_change_through_one_node_has_the_other_ask_anew() {
        first.counts("Cache-Control", "max-age=60");
        first.get("/a");
        first.send(Exchanges.of("DELETE", "/a"));
        second.counts("Cache-Control", "max-age=60");

        assertThat(text(second.get("/a"))).isEqualTo("answer 1");
        assertThat(second.asked()).isEqualTo(1);
    }

    @Test
    void what_another_node_has_and_is_purged_is_not_given() {
        first.counts("Cache-Control", "max-age=60", "Cache-Tag", "item-7");
        first.get("/a");
        first.purges(new CachePurge("", "", "", "item-7", false));
        second.counts("Cache-Control", "max-age=60");

        assertThat(second.get("/a").headers().contains("Cache-Tag")).isFalse();
        assertThat(second.asked()).isEqualTo(1);
    }

    @Test
    void a_stale_answer_of_another_node_is_asked_about_with_its_validator() {
        CachedRoute one = CachedRoute.with(SHARED + ", \"staleIfError\": \"10m\"");
        CachedRoute other = one.beside();
        one.counts("Cache-Control", "max-age=60", "ETag", "\"1\"");
        one.get("/a");
        one.passes(Duration.ofSeconds(90));
        other.answers(_ -> Response.of(304).with("Cache-Control", "max-age=60"));

        assertThat(text(other.get("/a"))).isEqualTo("answer 1");
        assertThat(other.last().headers().first("If-None-Match")).contains("\"1\"");

        one.answers(_ -> answer(503, "away"));
        assertThat(status(one.get("/a"))).as("renewed by the other").isEqualTo("gateway; hit; ttl=60");
    }

    @Test
    void while_the_store_is_away_each_node_goes_on_with_its_own() {
        first.counts("Cache-Control", "max-age=60");
        second.counts("Cache-Control", "max-age=60");
        first.get("/a");
        first.entries().goAway();

        assertThat(status(first.get("/a"))).startsWith("gateway; hit");
        assertThat(text(second.get("/a"))).isEqualTo("answer 1");
        assertThat(text(second.get("/b"))).isEqualTo("answer 2");
        assertThat(status(second.get("/b"))).startsWith("gateway; hit");

        first.entries().comeBack();
        assertThat(text(first.get("/b"))).isEqualTo("answer 2");
    }

    @Test
    void answers_of_a_policy_that_shares_nothing_stay_where_they_are() {
        CachedRoute one = CachedRoute.with("").counts("Cache-Control", "max-age=60");
        one.get("/a");
        CachedRoute other = one.beside().counts("Cache-Control", "max-age=60");

        assertThat(text(other.get("/a"))).isEqualTo("answer 1");
        assertThat(other.asked()).isEqualTo(1);
    }
}
