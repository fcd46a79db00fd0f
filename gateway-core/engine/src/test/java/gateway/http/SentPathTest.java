package gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

final class SentPathTest {
    private static final String[] PIECES = {
        "a", "/b", "%20", "%2f", "%5C", "%c3%bc", "%E2%82%AC", "%f0%9f%99%82", "%3F", ";c=1", "%61", "~"
    };

    @Test
    void a_part_of_the_canonical_form_is_told_as_it_was_sent() {
        SentPath path = SentPath.of("/%61/%c3%bc%f0%9f%99%82x/b%2fc");

        assertThat(path.canonical()).isEqualTo("/a/ü🙂x/b%2Fc");
        assertThat(path.sent(1, 2)).isEqualTo("%61");
        assertThat(path.sent(3, 4)).isEqualTo("%c3%bc");
        assertThat(path.sent(4, 6)).isEqualTo("%f0%9f%99%82");
        assertThat(path.sent(8, 13)).isEqualTo("b%2fc");
        assertThat(path.sent(0, path.canonical().length())).isEqualTo(path.raw());
        assertThat(path.sent(2, 2)).isEmpty();
    }

    /// Wherever it is cut between two characters, both parts make the whole again, and each is the canonical form of
    /// its own.
    @Property
    void two_parts_make_the_whole(@ForAll @Size(max = 20) int[] pieces, @ForAll @Size(max = 20) int[] more) {
        String first = joined(pieces);
        String second = joined(more);
        if (!(CanonicalPath.of("/x" + first + "/y" + second) instanceof CanonicalPath.Canonical whole)) return;
        SentPath path = SentPath.of("/x" + first + "/y" + second);
        int cut = SentPath.of("/x" + first).canonical().length();

        assertThat(path.canonical()).isEqualTo(whole.path());
        assertThat(path.sent(0, cut)).isEqualTo("/x" + first);
        assertThat(path.sent(cut, path.canonical().length())).isEqualTo("/y" + second);
    }

    private static String joined(int[] pieces) {
        var path = new StringBuilder();
        for (int each : pieces) path.append(PIECES[Math.floorMod(each, PIECES.length)]);
        return path.toString();
    }
}
