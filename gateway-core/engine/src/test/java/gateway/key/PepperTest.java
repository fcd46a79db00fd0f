package gateway.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

final class PepperTest {
    @Property(tries = 300)
    void digests_are_hmac_sha_256(@ForAll @Size(32) byte[] bytes, @ForAll @StringLength(max = 256) String secret)
            throws GeneralSecurityException {
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(bytes, "HmacSHA256"));

        var digest = Pepper.of(bytes).digest(secret);

        assertThat(digest.hex())
                .isEqualTo(HexFormat.of().formatHex(mac.doFinal(secret.getBytes(StandardCharsets.UTF_8))));
    }

    @Test
    void digests_survive_their_hexadecimal_form() {
        var digest = Pepper.of(new byte[32]).digest("gw_a");

        assertThat(SecretDigest.parse(digest.hex())).isEqualTo(digest);
    }

    @Test
    void another_secret_or_another_pepper_gives_another_digest() {
        byte[] other = new byte[32];
        other[31] = 1;

        assertThat(Pepper.of(new byte[32]).digest("gw_a"))
                .isNotEqualTo(Pepper.of(new byte[32]).digest("gw_b"))
                .isNotEqualTo(Pepper.of(other).digest("gw_a"));
    }

    @Test
    void refuses_a_pepper_of_another_length() {
        assertThatThrownBy(() -> Pepper.of(new byte[31])).hasMessage("expected 32 bytes, got 31");
    }

    @Test
    void prints_nothing_of_itself() {
        assertThat(Pepper.of(new byte[32])).hasToString("***");
    }
}
