package gateway.app.secrets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.service.SecretUnavailableException;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

final class SealingKeysTest {
    private static final String NAME = "secrets/token";

    private final SealingKeys first = SealingKeys.of(List.of(key(1)));
    private final SealingKeys second = SealingKeys.of(List.of(key(2)));
    private final SealingKeys rotating = SealingKeys.of(List.of(key(2), key(1)));

    @Property(tries = 200)
    void opens_what_it_sealed(@ForAll @StringLength(max = 100) String plain) {
        String text = new String(
                plain.getBytes(java.nio.charset.StandardCharsets.UTF_8), java.nio.charset.StandardCharsets.UTF_8);

        assertThat(first.open(NAME, first.seal(NAME, text))).isEqualTo(text);
    }

    @Property(tries = 200)
    void opens_nothing_that_was_changed_anywhere(@ForAll @IntRange(max = 10_000) int place) {
        String envelope = first.seal(NAME, "a secret");
        int at = place % envelope.length();
        char other = envelope.charAt(at) == 'A' ? 'B' : 'A';
        String changed = envelope.substring(0, at) + other + envelope.substring(at + 1);

        if (isLastBitsOfBase64(at, envelope)) return;
        assertThatThrownBy(() -> first.open(NAME, changed)).isInstanceOf(SecretUnavailableException.class);
    }

    @Property(tries = 200)
    void opens_what_it_sealed_afresh_and_makes_another_envelope_each_time(
            @ForAll @StringLength(max = 100) String plain) {
        String text = new String(
                plain.getBytes(java.nio.charset.StandardCharsets.UTF_8), java.nio.charset.StandardCharsets.UTF_8);

        String envelope = first.sealAfresh(NAME, text);

        assertThat(first.open(NAME, envelope)).isEqualTo(text);
        assertThat(SealingKeys.isEnvelope(envelope)).isTrue();
        assertThat(SealingKeys.isEnvelope(first.seal(NAME, text))).isTrue();
        assertThat(first.sealAfresh(NAME, text)).isNotEqualTo(envelope);
    }

    @Test
    void opens_nothing_in_the_place_of_another() {
        String envelope = first.seal(NAME, "a secret");

        assertThatThrownBy(() -> first.open("secrets/other", envelope)).hasMessageContaining("for another name");
    }

    @Test
    void names_the_key_that_is_missing() {
        String envelope = first.seal(NAME, "a secret");
        String id = envelope.split("\\.", -1)[1];

        assertThatThrownBy(() -> second.open(NAME, envelope))
                .hasMessage("sealed with the key " + id + ", which is not here");
    }

    @Test
    void a_previous_key_opens_and_does_not_seal() {
        String before = first.seal(NAME, "a secret");

        assertThat(rotating.open(NAME, before)).isEqualTo("a secret");
        assertThat(rotating.isCurrent(before)).isFalse();
        assertThat(rotating.seal(NAME, "a secret")).isEqualTo(second.seal(NAME, "a secret"));
        assertThat(rotating.isCurrent(rotating.seal(NAME, "a secret"))).isTrue();
    }

    @Test
    void the_same_secret_makes_the_same_envelope_and_another_a_nonce_of_its_own() {
        assertThat(first.seal(NAME, "one")).isEqualTo(first.seal(NAME, "one"));
        assertThat(nonce(first.seal(NAME, "one"))).isNotEqualTo(nonce(first.seal(NAME, "two")));
        assertThat(nonce(first.seal(NAME, "one"))).isNotEqualTo(nonce(first.seal("secrets/other", "one")));
        assertThat(nonce(first.seal("a", "bc"))).isNotEqualTo(nonce(first.seal("ab", "c")));
    }

    @Test
    void without_a_key_nothing_is_sealed() {
        assertThatThrownBy(() -> SealingKeys.of(List.of()).seal(NAME, "a secret"))
                .isInstanceOf(SecretUnavailableException.class);
    }

    private static String nonce(String envelope) {
        return envelope.split("\\.", -1)[2].substring(0, 16);
    }

    /// The last letter of base64 without padding has bits that stand for nothing.
    private static boolean isLastBitsOfBase64(int at, String envelope) {
        return at == envelope.length() - 1;
    }

    private static byte[] key(int seed) {
        var octets = new byte[SealingKeys.BYTES];
        Arrays.fill(octets, (byte) seed);
        return octets;
    }
}
