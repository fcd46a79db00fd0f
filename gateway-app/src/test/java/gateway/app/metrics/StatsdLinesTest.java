package gateway.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.metrics.StatsdReceiver.Dialect;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class StatsdLinesTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final StatsdLines lines = new StatsdLines(Dialect.DATADOG);

    @Test
    void forgets_meters_that_are_gone_and_counts_one_that_comes_back_from_0() {
        registry.counter("requests", "api", "orders").increment(5);
        registry.counter("requests", "api", "users").increment(2);
        assertThat(told()).containsExactlyInAnyOrder("requests:5|c|#api:orders", "requests:2|c|#api:users");

        registry.remove(registry.counter("requests", "api", "orders"));
        assertThat(told()).isEmpty();
        assertThat(lines.remembered()).isEqualTo(1);

        registry.counter("requests", "api", "orders").increment(3);
        registry.counter("requests", "api", "users").increment(1);
        assertThat(told()).containsExactlyInAnyOrder("requests:3|c|#api:orders", "requests:1|c|#api:users");
        assertThat(lines.remembered()).isEqualTo(2);
    }

    private List<String> told() {
        var told = new ArrayList<String>();
        for (Meter meter : registry.getMeters()) told.addAll(lines.of(meter));
        lines.forgetGone();
        return told;
    }
}
