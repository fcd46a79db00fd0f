package gateway.app.steering;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.config.BulkheadDefinition;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class BulkheadTest {
    private static Bulkhead bulkhead(int requests, int queue, Duration maxWait) {
        return new Bulkhead(new BulkheadDefinition(requests, queue, maxWait));
    }

    @Test
    void refuses_at_once_what_is_over_the_bound() {
        Bulkhead bulkhead = bulkhead(2, 0, Duration.ofHours(1));

        boolean first = bulkhead.enter();
        boolean second = bulkhead.enter();
        boolean third = bulkhead.enter();
        bulkhead.leave();

        assertThat(first && second).isTrue();
        assertThat(third).isFalse();
        assertThat(bulkhead.enter()).isTrue();
        assertThat(bulkhead.refused()).isEqualTo(1);
    }

    @Test
    void one_that_waits_gets_the_place_that_becomes_free() {
        Bulkhead bulkhead = bulkhead(1, 1, Duration.ofSeconds(50));
        bulkhead.enter();
        var waiting = CompletableFuture.supplyAsync(bulkhead::enter);
        while (bulkhead.waiting() == 0) Thread.onSpinWait();

        boolean third = bulkhead.enter();
        bulkhead.leave();

        assertThat(third).isFalse();
        assertThat(waiting.join()).isTrue();
        assertThat(bulkhead.inFlight()).isEqualTo(1);
        assertThat(bulkhead.waiting()).isZero();
    }

    @Test
    void one_that_has_waited_long_enough_is_refused() {
        Bulkhead bulkhead = bulkhead(1, 1, Duration.ofMillis(5));
        bulkhead.enter();

        assertThat(bulkhead.enter()).isFalse();
        assertThat(bulkhead.waiting()).isZero();
    }
}
