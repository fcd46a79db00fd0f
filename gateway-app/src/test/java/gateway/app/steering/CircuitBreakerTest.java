package gateway.app.steering;

import static gateway.app.steering.CircuitBreaker.Phase.CLOSED;
import static gateway.app.steering.CircuitBreaker.Phase.HALF_OPEN;
import static gateway.app.steering.CircuitBreaker.Phase.OPEN;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.config.CircuitBreakerDefinition;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class CircuitBreakerTest {
    private static final long QUICK = Duration.ofMillis(1).toNanos();
    private static final long SLOW = Duration.ofSeconds(3).toNanos();

    private final Ticks ticks = new Ticks();
    private final CircuitBreaker breaker = new CircuitBreaker(
            new CircuitBreakerDefinition(
                    50, Optional.of(Duration.ofSeconds(2)), 80, Duration.ofSeconds(30), 10, Duration.ofSeconds(5), 2),
            ticks);

    private void requests(int count, boolean failed, long took) {
        for (int i = 0; i < count; i++) breaker.ended(breaker.enter(), failed, took);
    }

    private void open() {
        requests(10, true, QUICK);
    }

    @Test
    void stays_closed_below_the_failure_rate() {
        requests(6, false, QUICK);
        requests(5, true, QUICK);

        assertThat(breaker.phase()).isEqualTo(CLOSED);
    }

    @Test
    void stays_closed_while_there_are_too_few_requests() {
        requests(9, true, QUICK);

        assertThat(breaker.phase()).isEqualTo(CLOSED);
    }

    @Test
    void opens_at_the_failure_rate_and_lets_nothing_pass() {
        requests(5, false, QUICK);
        requests(5, true, QUICK);

        assertThat(breaker.phase()).isEqualTo(OPEN);
        assertThat(breaker.enter()).isEqualTo(CircuitBreaker.SHUT);
        assertThat(breaker.refused()).isEqualTo(1);
    }

    @Test
    void opens_when_too_many_are_slow() {
        requests(2, false, QUICK);
        requests(8, false, SLOW);

        assertThat(breaker.phase()).isEqualTo(OPEN);
    }

    @Test
    void forgets_what_lies_before_the_window() {
        requests(9, true, QUICK);
        ticks.pass(Duration.ofSeconds(31));
        requests(9, true, QUICK);

        assertThat(breaker.phase()).isEqualTo(CLOSED);
    }

    @Test
    void lets_a_few_try_once_it_has_been_open_long_enough() {
        open();
        ticks.pass(Duration.ofSeconds(5));

        long first = breaker.enter();
        long second = breaker.enter();
        long third = breaker.enter();

        assertThat(first).isNotEqualTo(CircuitBreaker.SHUT);
        assertThat(second).isEqualTo(first);
        assertThat(third).isEqualTo(CircuitBreaker.SHUT);
        assertThat(breaker.phase()).isEqualTo(HALF_OPEN);
    }

    @Test
    void closes_when_all_that_try_succeed() {
        open();
        ticks.pass(Duration.ofSeconds(5));

        requests(2, false, QUICK);

        assertThat(breaker.phase()).isEqualTo(CLOSED);
        assertThat(breaker.enter()).isNotEqualTo(CircuitBreaker.SHUT);
    }

    @Test
    void opens_again_when_one_that_tries_fails() {
        open();
        ticks.pass(Duration.ofSeconds(5));

        requests(1, false, QUICK);
        requests(1, true, QUICK);
        ticks.pass(Duration.ofSeconds(4));

        assertThat(breaker.phase()).isEqualTo(OPEN);
        assertThat(breaker.enter()).isEqualTo(CircuitBreaker.SHUT);
    }

    @Test
    void a_try_whose_client_went_away_is_given_to_another() {
        open();
        ticks.pass(Duration.ofSeconds(5));
        long first = breaker.enter();
        breaker.enter();

        breaker.withdrawn(first);

        assertThat(breaker.enter()).isEqualTo(first);
    }

    @Test
    void an_answer_that_comes_after_the_phase_counts_for_nothing() {
        long old = breaker.enter();
        open();
        ticks.pass(Duration.ofSeconds(5));
        requests(1, false, QUICK);

        breaker.ended(old, true, QUICK);

        assertThat(breaker.phase()).isEqualTo(HALF_OPEN);
    }

    @Test
    void answers_that_break_off_count_as_failed() {
        for (int i = 0; i < 10; i++) {
            long ticket = breaker.enter();
            breaker.ended(ticket, false, QUICK);
            if (i % 2 == 0) breaker.brokeOff(ticket);
        }

        assertThat(breaker.phase()).isEqualTo(CLOSED);
        long last = breaker.enter();
        breaker.ended(last, false, QUICK);
        breaker.brokeOff(last);
        assertThat(breaker.phase()).isEqualTo(OPEN);
    }

    @Test
    void opens_again_when_the_answer_to_one_that_tries_breaks_off() {
        open();
        ticks.pass(Duration.ofSeconds(5));
        long ticket = breaker.enter();
        breaker.ended(ticket, false, QUICK);

        breaker.brokeOff(ticket);

        assertThat(breaker.phase()).isEqualTo(OPEN);
    }

    @Test
    void an_answer_that_breaks_off_after_the_phase_counts_for_nothing() {
        long old = breaker.enter();
        breaker.ended(old, false, QUICK);
        open();
        ticks.pass(Duration.ofSeconds(5));
        breaker.enter();

        breaker.brokeOff(old);

        assertThat(breaker.phase()).isEqualTo(HALF_OPEN);
    }
}
