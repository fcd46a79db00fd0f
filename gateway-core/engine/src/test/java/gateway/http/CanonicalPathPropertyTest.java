package gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.CanonicalPath.Canonical;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

final class CanonicalPathPropertyTest {
    private static final String[] PIECES = {
        "/", "/", "/", ".", "..", "a", "B", "1", ";", "%", "%2e", "%2E", "%2f", "%5c", "\\", "%25", "%00", "%61",
        "%c3%a9", "%c0", "%ae", "%", "2", "f", "admin", "%3b", "é", " ", "%20", "?", "~"
    };

    @Property(tries = 5_000)
    void no_canonical_path_holds_a_dot_or_empty_segment(@ForAll("paths") String raw) {
        if (!(CanonicalPath.of(raw) instanceof Canonical(String path, boolean _))) return;

        assertThat(path).startsWith("/").doesNotContain("//", "\\");
        assertThat(path.chars()).noneMatch(Character::isISOControl);
        for (String segment : path.split("/|%2F|%5C", -1))
            assertThat(segment.replaceAll(";.*", "")).isNotIn(".", "..");
    }

    @Property(tries = 5_000)
    void the_raw_path_has_the_segments_of_the_canonical_one(@ForAll("paths") String raw) {
        if (!(CanonicalPath.of(raw) instanceof Canonical(String path, boolean _))) return;

        assertThat(path.split("/", -1)).hasSameSizeAs(raw.split("/", -1));
    }

    @Property(tries = 5_000)
    void what_is_decoded_agrees_with_a_naive_decoder(@ForAll("paths") String raw) {
        if (!(CanonicalPath.of(raw) instanceof Canonical(String path, boolean separators))) return;
        String expected = naivelyDecoded(raw);

        assertThat(path.replace("%2F", "/").replace("%5C", "\\")).isEqualTo(expected);
        assertThat(separators).isEqualTo(raw.matches("(?i).*%(2f|5c).*"));
    }

    @Property(tries = 5_000)
    void a_canonical_path_holds_no_further_escape_and_is_its_own_canonical_form(@ForAll("paths") String raw) {
        if (!(CanonicalPath.of(raw) instanceof Canonical canonical)) return;

        assertThat(canonical.path().replaceAll("%2F|%5C", "/")).doesNotContainPattern("%[0-9a-fA-F]{2}");
        assertThat(CanonicalPath.of(encoded(canonical.path()))).isEqualTo(canonical);
    }

    @Property(tries = 5_000)
    void a_plain_path_is_what_the_decoder_would_answer(@ForAll("paths") String raw) {
        if (!CanonicalPath.isPlain(raw)) return;

        assertThat(new PathDecoder(raw).decode()).isEqualTo(new Canonical(raw, false));
    }

    @Property(tries = 2_000)
    void any_text_gets_an_answer(@ForAll String raw) {
        assertThat(CanonicalPath.of("/" + raw)).isNotNull();
    }

    @Property(tries = 2_000)
    void every_well_formed_text_can_be_written_as_a_segment(@ForAll("segments") String segment) {
        var found = CanonicalPath.of("/x/" + encoded(segment));

        assertThat(found).isEqualTo(new Canonical("/x/" + segment, false));
    }

    @Provide
    Arbitrary<String> paths() {
        return Arbitraries.of(PIECES).list().ofMaxSize(9).map(pieces -> "/" + String.join("", pieces));
    }

    @Provide
    Arbitrary<String> segments() {
        return Arbitraries.strings()
                .withCharRange('!', '~')
                .withChars("äßé日本 ")
                .excludeChars('%', '/', '\\', ';', '.')
                .ofMinLength(1)
                .ofMaxLength(12);
    }

    private static String naivelyDecoded(String raw) {
        var octets = new ByteArrayOutputStream();
        for (int i = 0; i < raw.length(); i++) {
            if (raw.charAt(i) == '%') {
                octets.write(Integer.parseInt(raw, i + 1, i + 3, 16));
                i += 2;
            } else octets.write(raw.charAt(i));
        }
        return octets.toString(StandardCharsets.UTF_8);
    }

    /// Every octet escaped but letters, digits and `/`; the separators that stay text are left as they are.
    private static String encoded(String path) {
        var text = new StringBuilder();
        for (byte octet : path.getBytes(StandardCharsets.UTF_8)) {
            boolean plain = octet == '/' || (octet > 0 && Character.isLetterOrDigit(octet));
            text.append(plain ? "" + (char) octet : String.format("%%%02X", octet));
        }
        return text.toString().replace("%252F", "%2F").replace("%255C", "%5C");
    }
}
