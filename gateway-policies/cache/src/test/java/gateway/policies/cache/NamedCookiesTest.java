package gateway.policies.cache;

import static gateway.policies.cache.CachedRoute.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.json.InvalidConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Cookies that tell answers apart.
final class NamedCookiesTest {
    private static final String NAMED = ", \"key\": {\"cookies\": [\"currency\", \"lang\"]}";

    private final CachedRoute route = CachedRoute.with(NAMED).counts("Cache-Control", "max-age=60");

    @Test
    void all_who_send_the_same_value_get_the_same_answer() {
        get(route, "currency=EUR; lang=de");

        assertThat(text(get(route, "currency=EUR; lang=de"))).isEqualTo("answer 1");
        assertThat(text(get(route, "currency=EUR;lang=de"))).isEqualTo("answer 1");
        assertThat(text(get(route, "currency=USD; lang=de"))).isEqualTo("answer 2");
        assertThat(text(get(route, "currency=EUR"))).isEqualTo("answer 3");
        assertThat(text(route.get("/a"))).isEqualTo("answer 4");
    }

    @Test
    void any_other_cookie_shows_who_calls_and_reaches_the_upstream() {
        get(route, "currency=EUR; sid=one");

        assertThat(route.last().headers().all("Cookie")).containsExactly("currency=EUR; sid=one");
        assertThat(text(get(route, "currency=EUR; sid=two"))).isEqualTo("answer 2");
        assertThat(text(get(route, "currency=EUR"))).isEqualTo("answer 3");
        assertThat(text(get(route, "sid=one; currency=EUR"))).isEqualTo("answer 1");
        assertThat(text(get(route, "sid=one; currency=USD"))).isEqualTo("answer 4");
    }

    @Test
    void answers_for_all_are_told_apart_as_well() {
        route.counts("Cache-Control", "public, max-age=60");
        get(route, "currency=EUR; sid=one");

        assertThat(text(get(route, "currency=EUR; sid=two"))).isEqualTo("answer 1");
        assertThat(text(get(route, "currency=USD; sid=two"))).isEqualTo("answer 2");
    }

    /// Servers differ in quotes, spaces, case and which of two they take.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "currency=USD",
                "Currency=USD",
                "currency =USD",
                " currency=USD",
                "x=\"; currency=USD; y=\"",
                "currency=EUR; currency=USD",
                "currency=USD; currency=EUR",
                "x=1, currency=USD",
                "x; currency=USD",
                "x=1;",
            })
    void no_other_way_to_read_cookies_makes_an_answer_for_those_who_send_none_or_another(String cookies) {
        route.counts("Cache-Control", "public, max-age=60");
        get(route, cookies);

        assertThat(text(route.get("/a"))).isEqualTo("answer 2");
        assertThat(text(get(route, "currency=EUR"))).isEqualTo("answer 3");
    }

    @Test
    void several_lines_are_one_list() {
        route.send(Exchanges.get("/a").with("Cookie", "currency=EUR").with("Cookie", "lang=de"));

        assertThat(text(get(route, "currency=EUR; lang=de"))).isEqualTo("answer 1");
    }

    @Test
    void names_that_no_cookie_has_are_refused() {
        assertThatThrownBy(() -> CachedRoute.with(", \"key\": {\"cookies\": [\"a b\"]}"))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("/policies/0/key/cookies/0: expected a cookie's name, got \"a b\"");
    }

    private static Response get(CachedRoute route, String cookies) {
        return route.send(Exchanges.get("/a").with("Cookie", cookies));
    }
}
