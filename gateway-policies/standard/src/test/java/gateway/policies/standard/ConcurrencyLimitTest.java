package gateway.policies.standard;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.http.Outcome;
import gateway.http.Outcome.Ending;
import gateway.http.Response;
import gateway.policy.Followup;
import gateway.policy.Verdict;
import gateway.service.DependencyException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ConcurrencyLimitTest {
    private static final Duration LONG = Duration.ofSeconds(10);

    private final Reading reading = new Reading(new ConcurrencyLimit.Type());

    @ParameterizedTest
    @EnumSource
    void a_slot_is_free_again_once_the_exchange_is_over_however_it_ended(Ending ending) {
        var policy = reading.policy("{'requests': 1, 'by': 'ip'}");
        Followup first = held(policy.policy().apply(from("192.0.2.1")));

        Response stop = policy.stop(from("192.0.2.1")).orElseThrow();
        assertThat(stop.status()).isEqualTo(429);
        assertThat(Reading.problem(stop)).isEqualTo("too-many-at-once");
        assertThat(stop.headers().first("Retry-After")).contains("1");
        assertThat(policy.stop(from("192.0.2.2"))).isEmpty();

        first.onEnd(new Outcome(200, ending, 0, 0));

        assertThat(policy.stop(from("192.0.2.1"))).isEmpty();
    }

    @Test
    void those_under_way_count_after_a_reload_with_other_numbers() {
        var before = reading.policy("{'requests': 3, 'by': 'api'}");
        List<Followup> held = new ArrayList<>();
        for (int i = 0; i < 3; i++) held.add(held(before.policy().apply(from("192.0.2.1"))));

        var after = reading.policy("{'requests': 2, 'by': 'api'}");

        assertThat(after.stop(from("192.0.2.1"))).isPresent();
        end(held.removeFirst());
        assertThat(after.stop(from("192.0.2.1"))).isPresent();
        end(held.removeFirst());
        assertThat(after.stop(from("192.0.2.1"))).isEmpty();
    }

    @Test
    void who_needs_no_credential_is_counted_by_no_key() {
        var policy = reading.policy("{'requests': 1}");
        for (int i = 0; i < 3; i++) {
            Exchange open = from("192.0.2.1");
            open.waiveAuthentication();
            assertThat(policy.stop(open)).isEmpty();
        }
    }

    @Test
    void who_waits_is_served_in_the_order_of_coming_and_no_newcomer_before() throws Exception {
        var slots = new CallerSlots();
        assertThat(slots.take("a", 2, Duration.ZERO)).isTrue();
        assertThat(slots.take("a", 2, Duration.ZERO)).isTrue();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Boolean> first = waiting(threads, () -> slots.take("a", 2, LONG));
            Future<Boolean> second = waiting(threads, () -> slots.take("a", 2, LONG));
            assertThat(slots.take("a", 2, LONG)).isFalse(); // as many wait as may

            slots.give("a");
            assertThat(first.get()).isTrue();
            assertThat(slots.take("a", 2, Duration.ZERO)).isFalse();
            assertThat(second.isDone()).isFalse();
            slots.give("a");
            assertThat(second.get()).isTrue();
        }
        slots.give("a");
        slots.give("a");

        assertThat(slots.size()).isZero();
    }

    @Test
    void who_waits_since_before_a_lower_limit_gets_no_slot_above_it() throws Exception {
        var slots = new CallerSlots();
        for (int i = 0; i < 3; i++)
            assertThat(slots.take("a", 3, Duration.ZERO)).isTrue();
        var answers = new ArrayList<Boolean>();
        Thread waiter = Thread.ofVirtual().start(() -> answers.add(slots.take("a", 3, LONG)));
        until(() -> waiter.getState() == Thread.State.TIMED_WAITING);
        assertThat(slots.take("a", 2, Duration.ZERO)).isFalse();

        slots.give("a");
        waiter.interrupt();
        waiter.join();

        assertThat(answers).containsExactly(false);
    }

    @Test
    void who_waits_since_before_a_lower_limit_gets_a_slot_below_it() throws Exception {
        var slots = new CallerSlots();
        for (int i = 0; i < 3; i++)
            assertThat(slots.take("a", 3, Duration.ZERO)).isTrue();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Boolean> waiter = waiting(threads, () -> slots.take("a", 3, LONG));
            assertThat(slots.take("a", 2, Duration.ZERO)).isFalse();

            slots.give("a");
            slots.give("a");

            assertThat(waiter.get()).isTrue();
        }
    }

    @Test
    void who_has_waited_in_vain_takes_no_turn() {
        var slots = new CallerSlots();
        assertThat(slots.take("a", 1, Duration.ZERO)).isTrue();

        assertThat(slots.take("a", 1, Duration.ofMillis(5))).isFalse();
        slots.give("a");

        assertThat(slots.take("a", 1, Duration.ZERO)).isTrue();
    }

    @Test
    void a_thread_that_is_interrupted_while_it_waits_has_no_slot_and_keeps_none() throws Exception {
        var slots = new CallerSlots();
        assertThat(slots.take("a", 1, Duration.ZERO)).isTrue();
        var answers = new ArrayList<Boolean>();
        Thread waiter = Thread.ofVirtual().start(() -> answers.add(slots.take("a", 1, LONG)));
        until(() -> waiter.getState() == Thread.State.TIMED_WAITING);

        waiter.interrupt();
        waiter.join();
        slots.give("a");

        assertThat(answers).containsExactly(false);
        assertThat(slots.size()).isZero();
    }

    @Test
    void many_at_once_never_have_more_than_the_most_and_leave_none_taken() throws Exception {
        var slots = new CallerSlots();
        var now = new AtomicInteger();
        var most = new AtomicInteger();
        Callable<Void> call = () -> {
            for (int i = 0; i < 500; i++) {
                if (!slots.take("a", 3, Duration.ofNanos(i % 3 * 20_000L))) continue;
                most.accumulateAndGet(now.incrementAndGet(), Math::max);
                Thread.onSpinWait();
                now.decrementAndGet();
                slots.give("a");
            }
            return null;
        };
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Void> each : threads.invokeAll(Collections.nCopies(12, call))) each.get();
        }

        assertThat(most.get()).isBetween(1, 3);
        assertThat(slots.size()).isZero();
    }

    @Test
    void refuses_numbers_out_of_bounds() {
        assertThat(reading.problems("{'requests': 1}")).isEmpty();
        assertThat(reading.problems("{'requests': 100000, 'wait': '10s'}")).isEmpty();
        assertThat(reading.problems("{'requests': 0, 'wait': '11s', 'by': 'nobody'}"))
                .hasSize(3);
        assertThat(reading.problems("{}")).hasSize(1);
    }

    @Test
    void slots_of_all_nodes_are_taken_from_the_store_and_given_back_to_it() {
        var here = reading.policy("{'requests': 1, 'by': 'ip', 'counting': 'shared'}");
        var there = new Reading(new ConcurrencyLimit.Type(), reading.services().beside())
                .policy("{'requests': 1, 'by': 'ip', 'counting': 'shared'}");
        Followup first = held(here.policy().apply(from("192.0.2.1")));

        Response stop = there.stop(from("192.0.2.1")).orElseThrow();
        assertThat(stop.status()).isEqualTo(429);
        assertThat(Reading.problem(stop)).isEqualTo("too-many-at-once");
        assertThat(there.stop(from("192.0.2.2"))).isEmpty();

        end(first);

        assertThat(there.stop(from("192.0.2.1"))).isEmpty();
    }

    @Test
    void a_store_that_is_away_is_an_outage_and_a_node_that_is_too_slow_counts_by_itself() {
        var policy = reading.policy("{'requests': 1, 'by': 'ip', 'counting': 'shared'}");
        reading.services().slots().goAway();
        assertThatThrownBy(() -> policy.policy().apply(from("192.0.2.1"))).isInstanceOf(DependencyException.class);
        reading.services().slots().comeBack();

        reading.services().slots().starve();
        Followup first = held(policy.policy().apply(from("192.0.2.1")));
        assertThat(policy.stop(from("192.0.2.1"))).isPresent();

        end(first);
        assertThat(policy.stop(from("192.0.2.1"))).isEmpty();
    }

    @Test
    void nobody_waits_for_other_nodes() {
        assertThat(reading.problems("{'requests': 1, 'counting': 'shared', 'wait': '1s'}"))
                .hasSize(1);
        assertThat(reading.problems("{'requests': 1, 'counting': 'all'}")).hasSize(1);
        assertThat(reading.problems("{'requests': 1, 'counting': 'shared'}")).isEmpty();
    }

    private static Future<Boolean> waiting(ExecutorService threads, Callable<Boolean> call) {
        var thread = new Thread[1];
        Future<Boolean> future = threads.submit(() -> {
            thread[0] = Thread.currentThread();
            return call.call();
        });
        until(() -> thread[0] != null && thread[0].getState() == Thread.State.TIMED_WAITING);
        return future;
    }

    private static Followup held(Verdict verdict) {
        return ((Verdict.Proceed) verdict).followup();
    }

    private static void end(Followup followup) {
        followup.onEnd(new Outcome(200, Ending.COMPLETE, 0, 0));
    }

    private static Exchange from(String address) {
        return Exchanges.get("/").from(address).make();
    }
}
