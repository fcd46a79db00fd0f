package gateway.app.steering;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.config.HealthCheckDefinition;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class TargetHealthTest {
    private final TargetHealth health = new TargetHealth(
            new HealthCheckDefinition(
                    HealthCheckDefinition.Type.HTTP, "/", Duration.ofSeconds(5), Duration.ofSeconds(1), 2, 3, Set.of()),
            new TargetState(new Ticks()));

    private void checks(boolean... results) {
        for (boolean good : results) health.checked(good);
    }

    @Test
    void is_healthy_before_the_first_check() {
        assertThat(health.isHealthy()).isTrue();
    }

    @Test
    void the_first_check_alone_takes_it_out() {
        checks(false);

        assertThat(health.isHealthy()).isFalse();
    }

    @Test
    void later_it_takes_as_many_in_a_row_as_the_threshold_says() {
        checks(true, false, false, true, false, false);
        boolean before = health.isHealthy();
        checks(false);

        assertThat(before).isTrue();
        assertThat(health.isHealthy()).isFalse();
    }

    @Test
    void it_comes_back_after_good_checks_in_a_row() {
        checks(false, true, false, true);
        boolean before = health.isHealthy();
        checks(true);

        assertThat(before).isFalse();
        assertThat(health.isHealthy()).isTrue();
    }
}
