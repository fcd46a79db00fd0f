package gateway.policies.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class SeededHashTest {
    @Test
    void texts_of_one_hash_code_have_hashes_of_their_own() {
        var hash = new SeededHash();
        Set<Long> hashes = new HashSet<>();
        Set<Integer> codes = new HashSet<>();
        for (int i = 0; i < 4096; i++) {
            var text = new StringBuilder();
            for (int bit = 0; bit < 12; bit++) text.append((i >> bit & 1) == 0 ? "Aa" : "BB");
            codes.add(text.toString().hashCode());
            hashes.add(hash.of(text.toString()));
        }

        assertThat(codes).hasSize(1);
        assertThat(hashes).hasSize(4096);
    }

    @Test
    void another_process_has_others() {
        assertThat(new SeededHash().of("text")).isNotEqualTo(new SeededHash().of("text"));
    }

    @Test
    void it_is_the_polynomial_that_it_says() {
        BigInteger prime = BigInteger.ONE.shiftLeft(61).subtract(BigInteger.ONE);
        long place = 1_234_567_890_123_456_789L;
        BigInteger expected = BigInteger.valueOf(3);
        for (char each : "a\uffff\0".toCharArray())
            expected = expected.multiply(BigInteger.valueOf(place))
                    .add(BigInteger.valueOf(each + 1L))
                    .mod(prime);
        expected = expected.multiply(BigInteger.valueOf(place)).mod(prime);

        assertThat(new SeededHash(place).of("a\uffff\0")).isEqualTo(expected.longValueExact());
    }

    @Test
    void where_a_text_ends_counts() {
        var hash = new SeededHash();

        assertThat(hash.of(hash.of("ab"), "c")).isNotEqualTo(hash.of(hash.of("a"), "bc"));
    }
}
