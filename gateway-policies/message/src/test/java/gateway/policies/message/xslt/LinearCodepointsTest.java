package gateway.policies.message.xslt;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.sf.saxon.expr.sort.CodepointCollator;
import net.sf.saxon.str.StringView;
import net.sf.saxon.str.UnicodeString;

/// Texts of few letters, so that what is looked for is often there, or nearly.
final class LinearCodepointsTest {
    private static final CodepointCollator USUAL = CodepointCollator.getInstance();
    private static final String[] LETTERS = {"a", "b", "😀"};

    @Property(tries = 2_000)
    void finds_what_a_look_at_each_place_finds(@ForAll long seed) {
        var random = new Random(seed);
        UnicodeString text = letters(random, 400);
        UnicodeString part = part(text, random);
        var linear = new LinearCodepoints();

        assertThat(linear.contains(text, part)).isEqualTo(USUAL.contains(text, part));
        assertThat(linear.substringBefore(text, part)).isEqualTo(USUAL.substringBefore(text, part));
        assertThat(linear.substringAfter(text, part)).isEqualTo(USUAL.substringAfter(text, part));
    }

    /// What stands somewhere in it, and may have another letter.
    private static UnicodeString part(UnicodeString text, Random random) {
        long from = random.nextLong(text.length() + 1);
        long to = from + random.nextLong(text.length() - from + 1);
        UnicodeString part = text.substring(from, to);
        if (part.isEmpty() || random.nextBoolean()) return part;
        long at = random.nextLong(part.length());
        return part.prefix(at).concat(letters(random, 2)).concat(part.substring(at + 1));
    }

    /// In blocks that come again and again.
    private static UnicodeString letters(Random random, int most) {
        var block = new StringBuilder();
        for (int left = random.nextInt(5); left >= 0; left--) block.append(LETTERS[random.nextInt(LETTERS.length)]);
        int length = random.nextInt(most);
        return StringView.of(block.toString().repeat(length / 5 + 1)).tidy();
    }
}
