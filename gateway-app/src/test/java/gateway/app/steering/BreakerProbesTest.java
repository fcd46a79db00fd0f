package gateway.app.steering;

import static gateway.app.steering.CircuitBreaker.Phase.CLOSED;
import static gateway.app.steering.CircuitBreaker.Phase.HALF_OPEN;
import static gateway.app.steering.CircuitBreaker.Phase.OPEN;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.config.CircuitBreakerDefinition;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The few that try while a breaker is half-open, where their answers stream.
final class BreakerProbesTest {
    private static final long QUICK = Duration.ofMillis(1).toNanos();
    private static final long SLOW = Duration.ofSeconds(3).toNanos();

    private final Ticks ticks = new Ticks();
    private final CircuitBreaker breaker = new CircuitBreaker(
            new CircuitBreakerDefinition(
                    50, Optional.of(Duration.ofSeconds(2)), 80, Duration.ofSeconds(30), 1, Duration.ofSeconds(5), 2),
            ticks);

    private long first;
    private long second;

    @BeforeEach
    void try_again() {
        breaker.ended(breaker.enter(), true, QUICK);
        ticks.pass(Duration.ofSeconds(5));
        first = breaker.enter();
        second = breaker.enter();
    }

    @Test
    void heads_alone_close_nothing() {
        breaker.began(first, QUICK);
        breaker.began(second, QUICK);

        assertThat(breaker.phase()).isEqualTo(HALF_OPEN);
        assertThat(breaker.enter()).isEqualTo(CircuitBreaker.SHUT);
    }

    @Test
    void an_answer_that_begins_long_after_the_trying_did_closes_nothing_at_once() {
        breaker.ended(first, false, QUICK);
        ticks.pass(Duration.ofHours(1));
        breaker.began(second, QUICK);

        assertThat(breaker.enter()).isEqualTo(CircuitBreaker.SHUT);
        ticks.pass(Duration.ofSeconds(5));
        assertThat(breaker.enter()).isNotEqualTo(CircuitBreaker.SHUT);
    }

    @Test
    void answers_that_came_whole_close_it() {
        breaker.began(first, QUICK);
        breaker.began(second, QUICK);

        breaker.completed(first);
        assertThat(breaker.phase()).isEqualTo(HALF_OPEN);
        breaker.completed(second);

        assertThat(breaker.phase()).isEqualTo(CLOSED);
    }

    @Test
    void one_whose_content_breaks_off_opens_it_again() {
        breaker.began(first, QUICK);
        breaker.began(second, QUICK);
        breaker.completed(second);

        breaker.brokeOff(first);

        assertThat(breaker.phase()).isEqualTo(OPEN);
        assertThat(breaker.enter()).isEqualTo(CircuitBreaker.SHUT);
    }

    @Test
    void a_head_that_comes_slowly_opens_it_again() {
        breaker.began(first, SLOW);

        assertThat(breaker.phase()).isEqualTo(OPEN);
    }

    @Test
    void answers_that_go_on_for_longer_than_it_was_open_close_it() {
        breaker.began(first, QUICK);
        breaker.completed(first);
        breaker.began(second, QUICK);
        ticks.pass(Duration.ofSeconds(4));
        assertThat(breaker.enter()).isEqualTo(CircuitBreaker.SHUT);

        ticks.pass(Duration.ofSeconds(1));

        assertThat(breaker.enter()).isNotEqualTo(CircuitBreaker.SHUT);
        assertThat(breaker.phase()).isEqualTo(CLOSED);
        breaker.brokeOff(second);
        assertThat(breaker.phase()).isEqualTo(CLOSED);
    }

    @Test
    void one_that_awaits_its_answer_keeps_it_half_open_however_long() {
        breaker.began(first, QUICK);
        ticks.pass(Duration.ofSeconds(60));

        assertThat(breaker.enter()).isEqualTo(CircuitBreaker.SHUT);
        breaker.ended(second, false, QUICK);
        assertThat(breaker.enter()).isNotEqualTo(CircuitBreaker.SHUT);
    }

    @Test
    void one_that_is_withdrawn_before_its_answer_is_given_to_another() {
        breaker.began(first, QUICK);
        breaker.withdrawn(second);

        long third = breaker.enter();
        breaker.began(third, QUICK);
        breaker.completed(third);
        breaker.completed(first);

        assertThat(breaker.phase()).isEqualTo(CLOSED);
    }

    @Test
    void what_comes_after_the_phase_counts_for_nothing() {
        breaker.began(first, QUICK);
        breaker.ended(second, true, QUICK);
        ticks.pass(Duration.ofSeconds(5));
        breaker.enter();

        breaker.brokeOff(first);
        breaker.completed(first);

        assertThat(breaker.phase()).isEqualTo(HALF_OPEN);
    }
}
