package gateway.wire.memory;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.Settings;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class HeapSharesTest {
    private static final long MEBIBYTE = 1 << 20;

    @Test
    void a_small_heap_holds_what_its_shares_take() {
        assertThat(HeapShares.counters(160 * MEBIBYTE)).isEqualTo(58_254);
        assertThat(HeapShares.keys(160 * MEBIBYTE)).isEqualTo(6_990);
        assertThat(HeapShares.instructions(160 * MEBIBYTE)).isEqualTo(209_715);
    }

    @Test
    void no_heap_is_too_small_for_some() {
        assertThat(HeapShares.counters(MEBIBYTE)).isEqualTo(10_000);
        assertThat(HeapShares.keys(MEBIBYTE)).isEqualTo(5_000);
        assertThat(HeapShares.instructions(MEBIBYTE)).isEqualTo(100_000);
    }

    @Test
    void a_large_heap_holds_a_million_counters() {
        assertThat(HeapShares.counters(Long.MAX_VALUE)).isEqualTo(1_000_000);
        assertThat(HeapShares.keys(Long.MAX_VALUE)).isEqualTo(100_000);
    }

    @Test
    void a_setting_says_otherwise() {
        Settings derived = Settings.read(Optional.empty(), Map.of());
        Settings set = Settings.read(Optional.empty(), Map.of("GATEWAY_COUNTERS", "2000000"));

        assertThat(derived.counters())
                .isEqualTo(HeapShares.counters(Runtime.getRuntime().maxMemory()));
        assertThat(set.counters()).isEqualTo(2_000_000);
    }
}
