package gateway.service;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class TextDigestTest {
    /// Of Python: `base64.urlsafe_b64encode(hashlib.sha256(text.encode("utf-16-be")).digest())`.
    @Test
    void is_the_sha_256_of_the_characters_in_base64url() {
        assertThat(TextDigest.of("orders/jwt")).isEqualTo("VEIXggnlkoAHFqKO64WgbAwwrIQVrGynKAYPQ7VuVeo");
        assertThat(TextDigest.of("Zoë\u20ac")).isEqualTo("ITG5NNk1p0Wa2-45YkZPnKYjI800JaZ4JBiKkeZDOFM");
    }

    @Test
    void halves_of_characters_that_no_charset_knows_make_texts_of_their_own() {
        assertThat(TextDigest.of("\ud800"))
                .isEqualTo("bmU10pvnv6wpcdwIU2INc53UOmLEFAnSHTnMubKeIks")
                .isNotEqualTo(TextDigest.of("\ud801"))
                .isNotEqualTo(TextDigest.of("?"));
    }
}
