package gateway.service;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ShortTermNameTest {
    private static ShortTermName name(String place, String name) {
        return ShortTermName.of(ShortTermUse.REPLAY, place, name);
    }

    @Test
    void the_same_name_in_the_same_place_is_the_same() {
        assertThat(name("orders/jwt", "a")).isEqualTo(name("orders/jwt", "a"));
        assertThat(name("orders/jwt", "a").digest()).matches("[A-Za-z0-9_-]{43}");
    }

    @Test
    void no_place_and_name_run_into_others() {
        assertThat(name("orders", "1")).isNotEqualTo(name("order", "s1"));
        assertThat(name("1", ":a")).isNotEqualTo(name("1:", "a"));
    }

    /// UTF-8 has none of them, so that each would be the same question mark.
    @Test
    void halves_of_surrogate_pairs_are_names_of_their_own() {
        assertThat(name("orders", "\ud800"))
                .isNotEqualTo(name("orders", "\ud801"))
                .isNotEqualTo(name("orders", "?"))
                .isNotEqualTo(name("orders", "\ufffd"));
    }
}
