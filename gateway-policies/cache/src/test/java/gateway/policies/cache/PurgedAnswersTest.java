package gateway.policies.cache;

import static gateway.policies.cache.CachedRoute.answer;
import static gateway.policies.cache.CachedRoute.status;
import static gateway.policies.cache.CachedRoute.text;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Response;
import gateway.service.CachePurge;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What is purged while it is on its way, and what tags do to answers.
final class PurgedAnswersTest {
    private static final CachePurge OF_TAG = new CachePurge("", "", "", "item-7", false);

    @ParameterizedTest
    @CsvSource({"item-7, 2", "item-8, 1"})
    void what_is_purged_while_the_upstream_is_asked_is_not_kept(String tag, String given) {
        CachedRoute route = CachedRoute.with("");
        route.answers(_ -> {
            Response answer = answer(200, "answer " + route.asked(), "Cache-Control", "max-age=60", "Cache-Tag", tag);
            if (route.asked() == 1) route.purges(OF_TAG);
            return answer;
        });
        route.get("/a");

        assertThat(text(route.get("/a"))).isEqualTo("answer " + given);
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 304})
    void a_soft_purge_leaves_what_stands_in_although_another_is_on_its_way(int status) {
        CachedRoute route = CachedRoute.with(", \"staleIfError\": \"10m\"")
                .counts("Cache-Control", "max-age=60", "ETag", "\"1\"", "Cache-Tag", "item-7");
        route.get("/a");
        route.passes(Duration.ofSeconds(61));
        route.answers(_ -> {
            route.purges(new CachePurge("", "", "", "item-7", true));
            String[] fields = {"Cache-Control", "max-age=60", "Cache-Tag", "item-7"};
            return status == 304 ? answer(304, "", fields) : answer(200, "new", fields);
        });
        route.get("/a");

        assertThat(text(route.answers(_ -> Response.of(503)).get("/a"))).isEqualTo("answer 1");
    }

    @Test
    void what_was_kept_under_another_field_of_tags_is_given_no_more() {
        CachedRoute route = CachedRoute.with("").counts("Cache-Control", "max-age=60", "X-Tags", "item-7");
        assertThat(route.get("/a").headers().first("X-Tags")).contains("item-7");

        CachedRoute changed =
                route.becomes(", \"tags\": \"X-Tags\"").counts("Cache-Control", "max-age=60", "X-Tags", "item-7");

        assertThat(changed.get("/a").headers().contains("X-Tags")).isFalse();
        assertThat(changed.asked()).isEqualTo(1);
    }

    @Test
    void a_304_gives_an_answer_other_tags() {
        CachedRoute route = CachedRoute.with("");
        route.answers(each -> each.headers().contains("If-None-Match")
                ? Response.of(304).with("Cache-Tag", "item-8").with("Cache-Control", "max-age=60")
                : answer(200, "x", "Cache-Control", "max-age=0", "ETag", "\"1\"", "Cache-Tag", "item-7"));
        route.get("/a");
        Response renewed = route.get("/a");

        assertThat(status(renewed)).isEqualTo("gateway; fwd=stale; fwd-status=304");
        assertThat(renewed.headers().contains("Cache-Tag")).isFalse();
        assertThat(status(route.get("/a"))).startsWith("gateway; hit");
    }

    @Test
    void what_could_not_be_purged_by_all_its_tags_is_not_kept() {
        CachedRoute route = CachedRoute.with("").counts("Cache-Control", "max-age=60", "Cache-Tag", "x".repeat(129));
        Response first = route.get("/a");

        assertThat(first.headers().contains("Cache-Tag")).isFalse();
        assertThat(text(route.get("/a"))).isEqualTo("answer 2");
    }

    @Test
    void another_field_may_carry_the_tags() {
        CachedRoute route = CachedRoute.with(", \"tags\": \"Surrogate-Key\"")
                .counts("Cache-Control", "max-age=60", "Surrogate-Key", "a b", "Cache-Tag", "c");

        Response first = route.get("/a");
        Response second = route.get("/a");

        assertThat(first.headers().contains("Surrogate-Key")).isFalse();
        assertThat(second.headers().contains("Surrogate-Key")).isFalse();
        assertThat(second.headers().first("Cache-Tag")).contains("c");
    }
}
