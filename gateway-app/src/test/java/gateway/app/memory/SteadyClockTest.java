package gateway.app.memory;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.service.ManualClock;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

final class SteadyClockTest {
    private static final long SECOND = 1_000_000_000L;

    private final ManualClock wall = ManualClock.create();
    private final long begin = wall.nanos();
    private long ticks = -5 * SECOND;
    private final SteadyClock clock = new SteadyClock(wall, () -> ticks);

    private void pass(Duration time) {
        ticks += time.toNanos();
        wall.advance(time);
    }

    @Test
    void follows_the_wall() {
        assertThat(clock.nanos()).isEqualTo(begin);

        pass(Duration.ofMillis(1_500));

        assertThat(clock.nanos()).isEqualTo(begin + 1_500_000_000L);
    }

    @Test
    void goes_on_when_the_wall_is_set_back_and_loses_one_percent_until_both_agree() {
        clock.nanos();
        wall.advance(Duration.ofMillis(-30));

        pass(Duration.ofSeconds(1));
        assertThat(clock.nanos()).isEqualTo(begin + SECOND - 10_000_000);
        for (int i = 0; i < 5; i++) {
            pass(Duration.ofSeconds(1));
            clock.nanos();
        }

        assertThat(clock.nanos()).isEqualTo(wall.nanos());
    }

    @Test
    void jumps_to_a_wall_that_is_ahead() {
        clock.nanos();
        wall.advance(Duration.ofHours(1));

        pass(Duration.ofSeconds(1));

        assertThat(clock.nanos()).isEqualTo(wall.nanos());
    }

    @Test
    void only_the_system_clock_is_read_through_it() {
        assertThat(EpochClock.of(InstantSource.system())).isInstanceOf(SteadyClock.class);
        assertThat(EpochClock.of(wall)).isNotInstanceOf(SteadyClock.class);
    }
}
