package gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PathPatternTest {
    @ParameterizedTest
    @CsvSource({
        "/orders, /orders, true",
        "/orders, /orders/, true",
        "/orders, /orders/7, true",
        "/orders, /ordersx, false",
        "/orders, /Orders, false",
        "/, /, true",
        "/, /x, true",
        "/users/{id}, /users/7, true",
        "/users/{id}, /users/7/cart, true",
        "/users/{id}, /users, false",
        "/users/{id}, /users/, false",
        "/a/{x}/c, /a/b/c/d, true",
        "/a/{x}/c, /a/b, false",
        "/a/b, /a, false"
    })
    void covers_paths_on_segment_borders(String pattern, String path, boolean covered) {
        assertThat(PathPattern.of(pattern).covers(path)).isEqualTo(covered);
    }

    @ParameterizedTest
    @CsvSource({"/a, /a, true", "/a, /a/, false", "/a, /a/b, false", "/, /, true", "/, /a, false", "/{x}, /a, true"})
    void equals_a_path_of_the_same_segments_only(String pattern, String path, boolean equal) {
        assertThat(PathPattern.of(pattern).equalsPath(path)).isEqualTo(equal);
    }

    @Test
    void tells_what_a_parameter_bound() {
        var pattern = PathPattern.of("/users/{id}/carts/{cart}");

        assertThat(pattern.parameter("id", "/users/7/carts/8/items")).contains("7");
        assertThat(pattern.parameter("cart", "/users/7/carts/8/items")).contains("8");
        assertThat(pattern.parameter("carts", "/users/7/carts/8")).isEmpty();
        assertThat(pattern.matchedLength("/users/7/carts/8/items")).isEqualTo("/users/7/carts/8".length());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "orders",
                "/a/",
                "//a",
                "/a//b",
                "/../a",
                "/a/.",
                "/{}",
                "/{a}/{a}",
                "/a{b}",
                "/a?b",
                "/a b",
                "/%41",
                "/{1x}"
            })
    void has_a_flaw_when_it_could_never_match_or_is_ambiguous(String text) {
        assertThat(PathPattern.flaw(text)).isPresent();
    }
}
