package gateway.json;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class TextCutTest {
    private static final String FACE = "\uD83D\uDE00";

    @Test
    void short_texts_stay_as_they_are() {
        assertThat(TextCut.of("abcd", 4)).isEqualTo("abcd");
        assertThat(TextCut.told("abcd", 4)).isEqualTo("abcd");
        assertThat(TextCut.ends("abcd", 2)).isEqualTo("abcd");
    }

    @Test
    void of_long_ones_the_beginning_or_both_ends_are_kept() {
        assertThat(TextCut.of("abcde", 4)).isEqualTo("abcd");
        assertThat(TextCut.told("abcde", 4)).isEqualTo("abcd…");
        assertThat(TextCut.ends("abcde", 2)).isEqualTo("ab…de");
    }

    @Test
    void no_character_is_cut_in_two() {
        assertThat(TextCut.of("abc" + FACE, 4)).isEqualTo("abc");
        assertThat(TextCut.of("ab" + FACE + "c", 4)).isEqualTo("ab" + FACE);
        assertThat(TextCut.told("abc" + FACE, 4)).isEqualTo("abc…");
        assertThat(TextCut.ends("a" + FACE + "bc" + FACE + "d", 2)).isEqualTo("a…d");
    }

    @Test
    void problems_told_again_are_the_same() {
        var once = new ConfigProblem("", "a".repeat(999) + FACE + "b".repeat(5_000) + FACE + "c".repeat(999));

        assertThat(once.message()).isEqualTo("a".repeat(999) + "…" + "c".repeat(999));
        assertThat(new ConfigProblem("/a", once.message()).message()).isEqualTo(once.message());
    }
}
