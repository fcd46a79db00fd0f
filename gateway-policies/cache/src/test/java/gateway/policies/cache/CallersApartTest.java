package gateway.policies.cache;

import static gateway.policies.cache.CachedRoute.text;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Exchanges;
import gateway.http.NamedCaller;
import gateway.http.Response;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// No caller gets another's answer.
final class CallersApartTest {
    @ParameterizedTest
    @ValueSource(strings = {"Authorization", "Cookie", "X-Api-Key"})
    void an_answer_to_a_credential_is_kept_for_its_caller_only(String name) {
        CachedRoute route = CachedRoute.with("").counts("Cache-Control", "max-age=60");

        assertThat(text(route.send(Exchanges.get("/a").with(name, "one")))).isEqualTo("answer 1");
        assertThat(text(route.send(Exchanges.get("/a").with(name, "two")))).isEqualTo("answer 2");
        assertThat(text(route.get("/a"))).isEqualTo("answer 3");
        assertThat(text(route.send(Exchanges.get("/a").with(name, "one")))).isEqualTo("answer 1");
    }

    @Test
    void so_is_one_to_a_caller_whom_the_gateway_has_found() {
        CachedRoute route = CachedRoute.with("").counts("Cache-Control", "max-age=60");

        assertThat(text(route.send(Exchanges.get("/a").calledBy(new NamedCaller("one")))))
                .isEqualTo("answer 1");
        assertThat(text(route.send(Exchanges.get("/a").calledBy(new NamedCaller("two")))))
                .isEqualTo("answer 2");
        assertThat(text(route.send(Exchanges.get("/a").calledBy(new NamedCaller("one")))))
                .isEqualTo("answer 1");
    }

    @Test
    void a_caller_with_a_credential_is_not_given_what_came_for_one_without() {
        CachedRoute route = CachedRoute.with("").counts("Cache-Control", "max-age=60");
        route.get("/a");

        assertThat(text(route.send(Exchanges.get("/a").with("Cookie", "a=b")))).isEqualTo("answer 2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"public", "s-maxage=60", "must-revalidate"})
    void the_upstream_may_give_it_to_all(String directive) {
        CachedRoute route = CachedRoute.with("").counts("Cache-Control", "max-age=60, " + directive);
        route.send(Exchanges.get("/a").with("Authorization", "one"));

        assertThat(text(route.send(Exchanges.get("/a").with("Authorization", "two"))))
                .isEqualTo("answer 1");
        assertThat(text(route.get("/a"))).isEqualTo("answer 1");
    }

    @Test
    void so_may_the_operator() {
        CachedRoute route = CachedRoute.with(", \"sharedBetweenCallers\": true").counts("Cache-Control", "max-age=60");
        route.send(Exchanges.get("/a").with("Authorization", "one"));

        assertThat(text(route.send(Exchanges.get("/a").with("Authorization", "two"))))
                .isEqualTo("answer 1");
    }

    @Test
    void what_was_kept_for_all_is_for_nobody_once_the_operator_says_otherwise() {
        CachedRoute route = CachedRoute.with(", \"sharedBetweenCallers\": true").counts("Cache-Control", "max-age=60");
        route.send(Exchanges.get("/a").with("Authorization", "one"));

        CachedRoute changed = route.becomes("").counts("Cache-Control", "max-age=60");

        changed.get("/a");
        assertThat(changed.asked()).isEqualTo(1);
    }

    @Test
    void a_cookie_that_a_304_sets_is_for_its_caller_alone() {
        String[] fields = {"Cache-Control", "public, max-age=60", "ETag", "\"1\""};
        CachedRoute route = CachedRoute.with("").counts(fields);
        route.send(Exchanges.get("/a").with("Authorization", "one"));
        route.passes(Duration.ofSeconds(61));
        route.answers(_ -> Response.of(304).with("Set-Cookie", "sid=one"));

        Response renewed = route.send(Exchanges.get("/a").with("Authorization", "one"));
        Response later = route.counts(fields).get("/a");

        assertThat(renewed.headers().all("Set-Cookie")).containsExactly("sid=one");
        assertThat(text(later)).isEqualTo("answer 3");
        assertThat(later.headers().contains("Set-Cookie")).isFalse();
    }

    @Test
    void an_answer_that_the_upstream_gives_to_all_no_longer_is_its_callers_alone() {
        CachedRoute route = CachedRoute.with("").counts("Cache-Control", "public, max-age=60", "ETag", "\"1\"");
        route.send(Exchanges.get("/a").with("Authorization", "one"));
        route.passes(Duration.ofSeconds(61));
        route.answers(_ -> Response.of(304).with("Cache-Control", "max-age=600"));
        route.send(Exchanges.get("/a").with("Authorization", "one"));

        route.counts("Cache-Control", "max-age=60");

        assertThat(text(route.get("/a"))).isEqualTo("answer 3");
        assertThat(text(route.send(Exchanges.get("/a").with("Authorization", "one"))))
                .isEqualTo("answer 1");
    }

    @Test
    void by_key_even_public_answers_are_apart() {
        CachedRoute route =
                CachedRoute.with(", \"key\": {\"by\": \"key\"}").counts("Cache-Control", "public, max-age=60");
        route.send(Exchanges.get("/a").calledBy(new NamedCaller("one")));

        assertThat(text(route.send(Exchanges.get("/a").calledBy(new NamedCaller("two")))))
                .isEqualTo("answer 2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-Forwarded-Host", "X-Original-URL", "X-HTTP-Method-Override", "Host"})
    void what_steers_an_upstream_is_part_of_the_key(String name) {
        CachedRoute route = CachedRoute.with("").counts("Cache-Control", "public, max-age=60");
        route.send(Exchanges.get("/a").with(name, "evil"));

        assertThat(text(route.get("/a"))).isEqualTo("answer 2");
    }

    @Test
    void paths_that_are_written_otherwise_are_other_paths() {
        CachedRoute route = CachedRoute.with("").counts("Cache-Control", "public, max-age=60");
        route.get("/a%2f..%2fb");
        route.get("/b");
        route.get("/b;x");
        route.get("/b?");
        route.get("/b?x=1");

        assertThat(route.asked()).isEqualTo(4); // an empty query is none
    }
}
