package gateway.policies.message.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

final class LiteralIndexTest {
    @Property(tries = 500)
    void finds_what_a_search_for_each_finds(
            @ForAll @Size(min = 1, max = 8)
                    List<@StringLength(min = 1, max = 4) @CharRange(from = 'a', to = 'c') String> literals,
            @ForAll @StringLength(max = 60) @CharRange(from = 'a', to = 'd') String text) {
        var index = LiteralIndex.of(literals.stream().map(List::of).toList());
        var found = new BitSet();

        index.search(text.toUpperCase(Locale.ROOT), found);

        for (int i = 0; i < literals.size(); i++) assertThat(found.get(i)).isEqualTo(text.contains(literals.get(i)));
        assertThat(index.occursIn(text)).isEqualTo(!found.isEmpty());
    }

    @Test
    void knows_the_two_letters_that_equal_one_of_ascii() {
        var index = LiteralIndex.of(List.of(List.of("sk")));
        var found = new BitSet();

        index.search("\u017f\u212a", found);

        assertThat(found.get(0)).isTrue();
    }

    @Test
    void is_not_led_astray_by_what_is_beyond_ascii() {
        var index = LiteralIndex.of(List.of(List.of("ab"), List.of("b")));
        var found = new BitSet();

        index.search("aéb\uffff😀", found);

        assertThat(found).isEqualTo(BitSet.valueOf(new long[] {0b10}));
    }
}
