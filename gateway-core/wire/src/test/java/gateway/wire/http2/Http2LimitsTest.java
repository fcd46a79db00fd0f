package gateway.wire.http2;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.wire.http1.HeadCost;
import gateway.wire.http1.WireLimits;
import org.junit.jupiter.api.Test;

final class Http2LimitsTest {
    private static final long MIB = 1024 * 1024;

    @Test
    void a_connection_holds_a_part_of_the_memory_for_heads() {
        assertThat(Http2Limits.shareOfHeads(32 * MIB, 20 * MIB, WireLimits.DEFAULT))
                .isEqualTo(MIB);
        assertThat(Http2Limits.shareOfHeads(1024 * MIB, 640 * MIB, WireLimits.DEFAULT))
                .isEqualTo(4 * MIB);
    }

    @Test
    void which_shrinks_with_what_is_left_of_it() {
        assertThat(Http2Limits.shareOfHeads(32 * MIB, 8 * MIB, WireLimits.DEFAULT))
                .isEqualTo(MIB / 2);
        assertThat(Http2Limits.shareOfHeads(32 * MIB, 0, WireLimits.DEFAULT)).isEqualTo(Http2Limits.LEAST_HEADS);
    }

    @Test
    void and_always_finds_room_for_one_of_the_largest() {
        WireLimits large = new WireLimits(512 * 1024, 16 * 1024, 1000);

        assertThat(Http2Limits.shareOfHeads(MIB, 1, large)).isGreaterThan(HeadCost.of(512 * 1024, 1000));
    }
}
