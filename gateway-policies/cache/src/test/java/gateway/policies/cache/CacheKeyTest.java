package gateway.policies.cache;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class CacheKeyTest {
    @Test
    void keys_of_one_hash_have_an_order() {
        var one = new CacheKey("Aa", "");
        var other = new CacheKey("BB", "");

        assertThat(one.hashCode()).isEqualTo(other.hashCode());
        assertThat(one).isLessThan(other);
        assertThat(new CacheKey("Aa", "b")).isGreaterThan(one).isEqualByComparingTo(new CacheKey("Aa", "b"));
    }

    @Test
    void half_of_a_surrogate_pair_is_no_question_mark_in_a_digest() {
        assertThat(new KeyText().add("a\ud800").digest())
                .isNotEqualTo(new KeyText().add("a?").digest())
                .isNotEqualTo(new KeyText().add("a\ufffd").digest());
    }
}
