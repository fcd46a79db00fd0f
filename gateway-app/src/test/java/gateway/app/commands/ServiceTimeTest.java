package gateway.app.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ServiceTimeTest {
    @Test
    void is_the_slope_of_cpu_over_rate() {
        var service = ServiceTime.of(List.of(point(1000, 0.06), point(2000, 0.11), point(4000, 0.21)));

        assertThat(service.micros()).isCloseTo(50, within(0.01));
        assertThat(service.idle()).isCloseTo(0.01, within(0.0001));
        assertThat(service.fit()).isCloseTo(1, within(0.0001));
    }

    @Test
    void tells_how_badly_a_line_fits() {
        var service = ServiceTime.of(List.of(point(1000, 0.5), point(2000, 0.1), point(4000, 0.4)));

        assertThat(service.fit()).isLessThan(0.5);
    }

    /// The example of a textbook, checked by hand: slope 50, residuals of 0.01, 0.02 and 0.01 CPUs about the line.
    @Test
    void tells_how_far_off_the_slope_may_be() {
        var service = ServiceTime.of(List.of(point(1000, 0.07), point(2000, 0.09), point(3000, 0.17)));

        assertThat(service.micros()).isCloseTo(50, within(0.01));
        assertThat(service.margin()).isCloseTo(12.706 * 17.3205, within(0.01));
        assertThat(service.cautious().micros()).isCloseTo(50 + service.margin(), within(0.01));
    }

    @Test
    void tells_no_interval_from_two_points() {
        var service = ServiceTime.of(List.of(point(1000, 0.07), point(2000, 0.09)));

        assertThat(service.margin()).isInfinite();
        assertThat(service.cautious()).isEqualTo(service);
    }

    @Test
    void needs_two_rates() {
        assertThatThrownBy(() -> ServiceTime.of(List.of(point(1000, 0.5), point(1000, 0.6))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void carries_what_its_cpus_have_time_for() {
        var service = new ServiceTime(50, 0, 0.05, 1);

        assertThat(service.capacity(2, 0.65)).isCloseTo(25_000, within(0.01));
        assertThat(service.capacity(0.01, 0.65)).isZero();
    }

    static RateResult point(double rate, double cpus) {
        var latency = new Latencies(1, 1, 2, 2, 2, 1, 0, 0);
        Duration used = Duration.ofNanos((long) (cpus * 1e9));
        return new RateResult(
                rate, rate, (long) rate, 0, 0, 0, 0, 0, latency, Duration.ZERO, used, Duration.ofSeconds(1));
    }
}
