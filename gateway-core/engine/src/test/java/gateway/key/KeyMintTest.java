package gateway.key;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import org.junit.jupiter.api.Test;

final class KeyMintTest {
    private static KeyMint at(String time) {
        return new KeyMint(InstantSource.fixed(Instant.parse(time)), new SecureRandom());
    }

    @Test
    void ids_are_ulids_that_sort_by_time() {
        String earlier = at("2026-01-01T00:00:00Z").id();
        String later = at("2026-01-01T00:00:00.001Z").id();

        assertThat(earlier).matches("key_[0-9A-HJKMNP-TV-Z]{26}").startsWith("key_01KDVDNA00");
        assertThat(later).isGreaterThan(earlier);
    }

    @Test
    void secrets_carry_160_random_bits_or_more_and_are_never_the_same() {
        var mint = at("2026-01-01T00:00:00Z");
        var seen = new HashSet<String>();

        for (int i = 0; i < 1_000; i++) seen.add(mint.secret().reveal());

        assertThat(seen).hasSize(1_000).allMatch(secret -> secret.matches("gw_[0-9A-Za-z]{28}"));
    }
}
