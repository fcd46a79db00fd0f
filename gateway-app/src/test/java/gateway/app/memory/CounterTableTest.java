package gateway.app.memory;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.service.Charge;
import gateway.service.Counting;
import gateway.service.ManualClock;
import gateway.service.Permit;
import gateway.service.Rule;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

final class CounterTableTest {
    private static final Rule MINUTE =
            new Rule.FixedWindow(10, Duration.ofMinutes(1).toNanos());

    private final ManualClock clock = ManualClock.create();
    private final CounterTable counters = new CounterTable(100);
    private final MemoryLimitStore store = new MemoryLimitStore(clock::nanos, counters);

    @Test
    void a_flood_of_new_counters_neither_grows_the_table_nor_resets_a_spent_one() {
        spend(charge("spent", false), 10);

        for (int i = 0; i < 10_000; i++) spend(charge("flood" + i, false), 1);

        assertThat(counters.size()).isEqualTo(100);
        assertThat(counters.displaced()).isEqualTo(9_901);
        assertThat(store.acquire(List.of(charge("spent", false))).getFirst()).isInstanceOf(Permit.Denied.class);
    }

    @Test
    void counters_that_are_not_durable_make_room_first() {
        for (int i = 0; i < 60; i++) spend(charge("quota" + i, true), 1);

        for (int i = 0; i < 1_000; i++) spend(charge("flood" + i, false), 10);

        for (int i = 0; i < 60; i++) {
            assertThat(store.peek(List.of(charge("quota" + i, true))).getFirst().remaining())
                    .isEqualTo(9);
        }
    }

    @Test
    void a_counter_like_new_makes_room_before_any_other() {
        for (int i = 0; i < 50; i++) spend(charge("old" + i, false), 10);
        clock.advance(Duration.ofMinutes(1));
        for (int i = 0; i < 50; i++) spend(charge("new" + i, false), 1);

        for (int i = 0; i < 50; i++) spend(charge("newer" + i, false), 1);

        assertThat(counters.displaced()).isZero();
    }

    @Test
    void a_sweep_drops_what_equals_a_fresh_counter() {
        for (int i = 0; i < 50; i++) spend(charge("old" + i, false), 10);
        clock.advance(Duration.ofMinutes(1));
        for (int i = 0; i < 20; i++) spend(charge("new" + i, false), 1);

        counters.sweep(clock.nanos(), 200);

        assertThat(counters.size()).isEqualTo(20);
        assertThat(counters.displaced()).isZero();
    }

    @Test
    void peeking_makes_no_counter() {
        store.peek(List.of(charge("never", false)));

        assertThat(counters.size()).isZero();
    }

    @Test
    void counters_dropped_while_requests_use_them_admit_no_more_than_the_limit() throws Exception {
        var rule = new Rule.RollingPeriod(1_000, Duration.ofDays(1).toNanos());
        var charge = new Charge("contended", "key_1", rule, Counting.EXACT, false);
        try (var pool = Executors.newFixedThreadPool(3)) {
            var one = pool.submit(() -> granted(charge));
            var other = pool.submit(() -> granted(charge));
            var sweeps = pool.submit(() -> {
                for (int i = 0; i < 2_000; i++) {
                    counters.sweep(clock.nanos(), 10);
                    store.acquire(List.of(charge("passing" + i, false)));
                }
            });
            sweeps.get();

            assertThat(one.get() + other.get()).isEqualTo(1_000);
        }
    }

    private int granted(Charge charge) {
        int granted = 0;
        for (int i = 0; i < 1_000; i++) {
            if (store.acquire(List.of(charge, charge("with" + i, false))).getFirst() instanceof Permit.Granted)
                granted++;
        }
        return granted;
    }

    private void spend(Charge charge, int times) {
        for (int i = 0; i < times; i++) store.acquire(List.of(charge));
    }

    private static Charge charge(String counter, boolean durable) {
        return new Charge(counter, "key_1", MINUTE, Counting.EXACT, durable);
    }
}
