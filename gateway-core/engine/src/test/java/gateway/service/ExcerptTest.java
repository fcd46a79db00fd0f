package gateway.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ExcerptTest {
    private static final int MOST = 8192;

    @Test
    void keeps_a_text_of_8_KiB_as_it_is() {
        String text = "a".repeat(MOST);

        assertThat(Excerpt.of(text)).isSameAs(text);
        assertThat(Excerpt.of(text + "b")).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "é", "€", "😀", "aé€😀"})
    void ends_before_the_character_that_is_over_8_KiB(String piece) {
        String text = piece.repeat(MOST);

        String kept = Excerpt.of(text);

        int width = piece.getBytes(StandardCharsets.UTF_8).length;
        assertThat(kept.getBytes(StandardCharsets.UTF_8).length).isBetween(MOST - width, MOST);
        assertThat(text).startsWith(kept);
        assertThat(Character.isHighSurrogate(kept.charAt(kept.length() - 1))).isFalse();
    }

    @Test
    void cuts_each_of_several() {
        String big = "v".repeat(3 * MOST);

        assertThat(Excerpt.ofEach(List.of("accept", "*/*", "x", big)))
                .containsExactly("accept", "*/*", "x", big.substring(0, MOST));
    }
}
