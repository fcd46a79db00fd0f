package gateway.app.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class RatioTest {
    private static final int TRACES = 20_000;

    @Test
    void the_share_of_traces_is_the_ratio() {
        assertThat(held(0)).isZero();
        assertThat(held(0.25)).isBetween(TRACES / 4 - 400, TRACES / 4 + 400);
        assertThat(held(1)).isEqualTo(TRACES);
    }

    @Test
    void a_trace_is_decided_by_its_id_alone_and_kept_by_every_larger_ratio() {
        var random = new Random(7);
        for (int i = 0; i < 1000; i++) {
            String trace = trace(random);
            if (new Ratio(0.1).holds(trace))
                assertThat(new Ratio(0.3).holds(trace)).isTrue();
        }
    }

    private static int held(double share) {
        var ratio = new Ratio(share);
        var random = new Random(42);
        int held = 0;
        for (int i = 0; i < TRACES; i++) {
            if (ratio.holds(trace(random))) held++;
        }
        return held;
    }

    private static String trace(Random random) {
        return HexFormat.of().toHexDigits(random.nextLong()) + HexFormat.of().toHexDigits(random.nextLong());
    }
}
