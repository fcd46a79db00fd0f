package gateway.policies.cache;

import static gateway.policies.cache.CachedRoute.answer;
import static gateway.policies.cache.CachedRoute.text;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Exchanges;
import gateway.http.Response;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a change names is forgotten, by the path of clients as by that of the upstream, which gets no prefix here.
final class InvalidationTest {
    private final CachedRoute route = CachedRoute.with("");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/shop/b?x=1",
                "/b?x=1",
                "http://api.example.com/shop/b?x=1",
                "http://API.example.com:8080/b?x=1",
                "b?x=1",
                "../shop/./b?x=1",
            })
    void what_a_change_names_is_forgotten(String place) {
        assertThat(afterChange("Location", place)).isEqualTo("answer 3");
        assertThat(afterChange("Content-Location", place)).isEqualTo("answer 7");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/shops/b?x=1",
                "/shop/b",
                "/shop/%2e%2e/b?x=1",
                "http://other.example.com/shop/b?x=1",
                "mailto:a@b",
                "?",
                "%"
            })
    void what_it_does_not_name_is_not(String place) {
        assertThat(afterChange("Location", place)).isEqualTo("answer 1");
    }

    private String afterChange(String field, String place) {
        route.counts("Cache-Control", "max-age=60");
        get("GET", "/shop/b?x=1");
        route.answers(_ -> answer(201, "made", field, place));
        get("POST", "/shop/a");
        route.counts("Cache-Control", "max-age=60");
        String after = text(get("GET", "/shop/b?x=1"));
        get("DELETE", "/shop/b?x=1");
        return after;
    }

    private Response get(String method, String target) {
        return route.send(Exchanges.of(method, target).stripping("/shop"));
    }
}
