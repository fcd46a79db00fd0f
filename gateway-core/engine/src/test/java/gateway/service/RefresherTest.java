package gateway.service;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class RefresherTest {
    private static final Duration SOON = Duration.ofMillis(5);
    private static final Duration NEVER = Duration.ofHours(1);
    private static final Duration PATIENT = Duration.ofSeconds(30);

    @AutoClose
    private final Refresher refresher = new Refresher();

    private final AtomicInteger loads = new AtomicInteger();

    @Test
    void loads_nothing_before_it_is_served_and_again_and_again_from_then_on() {
        Refreshed<Integer> keys = refresher.every("keys", SOON, Duration.ZERO, loads::incrementAndGet);
        assertThat(keys.current()).isEmpty();
        assertThat(loads).hasValue(0);

        keys.served();

        until(() -> keys.current().orElse(0) >= 3);
        keys.retired();
    }

    @Test
    void what_is_retired_has_no_time_set_any_more() {
        Refreshed<Integer> keys = refresher.every("keys", NEVER, Duration.ZERO, loads::incrementAndGet);
        keys.served();
        until(() -> refresher.waiting() == 1 && keys.current().isPresent());

        keys.retired();

        assertThat(refresher.waiting()).isZero();
        assertThat(loads).hasValue(1);
    }

    @Test
    void the_last_good_one_stays_while_none_can_be_had() {
        var away = new AtomicBoolean();
        Refreshed<String> keys = refresher.every("keys", SOON, Duration.ZERO, () -> {
            loads.incrementAndGet();
            if (away.get()) throw new IllegalStateException("away");
            return "good";
        });
        keys.served();
        until(() -> keys.current().isPresent());

        away.set(true);
        int before = loads.get();
        until(() -> loads.get() > before + 2);

        assertThat(keys.current()).contains("good");
        keys.retired();
    }

    @Test
    void an_error_is_counted_and_ends_nothing() {
        Refreshed<String> keys = refresher.every("keys", SOON, Duration.ZERO, () -> {
            if (loads.incrementAndGet() == 1) throw new StackOverflowError("deep");
            return "good";
        });

        keys.served();
        until(() -> keys.current().isPresent());
        keys.retired();

        assertThat(refresher.failures()).isOne();
    }

    @Test
    void loads_no_more_once_it_is_retired_and_anew_when_it_is_served_again() {
        Refreshed<Integer> keys = refresher.every("keys", NEVER, Duration.ZERO, loads::incrementAndGet);
        keys.served();
        until(() -> keys.current().isPresent());
        keys.retired();

        keys.ask();
        keys.served();
        until(() -> keys.current().orElse(0) == 2);

        assertThat(loads).hasValue(2);
        keys.retired();
    }

    @Test
    void what_is_served_again_during_a_load_is_loaded_right_after_it() {
        var over = new CountDownLatch(1);
        Refreshed<Integer> keys = refresher.every("keys", NEVER, Duration.ZERO, () -> {
            int number = loads.incrementAndGet();
            if (number == 1) over.await();
            return number;
        });
        keys.served();
        until(() -> loads.get() == 1);
        keys.retired();

        keys.served();
        over.countDown();

        until(() -> keys.current().orElse(0) == 2);
        keys.retired();
    }

    @Test
    void whoever_misses_something_may_ask_early() {
        Refreshed<Integer> keys = refresher.every("keys", NEVER, Duration.ZERO, loads::incrementAndGet);
        keys.served();
        until(() -> keys.current().isPresent());

        keys.ask();

        until(() -> keys.current().orElse(0) == 2);
        keys.retired();
    }

    @Test
    void a_thousand_that_ask_at_once_make_one_load_more() {
        var over = new CountDownLatch(1);
        Refreshed<Integer> keys = refresher.every("keys", NEVER, NEVER, () -> {
            int number = loads.incrementAndGet();
            if (number == 1) over.await();
            return number;
        });
        keys.served();
        until(() -> loads.get() == 1);

        for (int i = 0; i < 1_000; i++) keys.ask();
        over.countDown();

        until(() -> keys.current().isPresent());
        assertThat(loads).hasValue(1); // the one more is an hour away
        keys.retired();
    }

    @Test
    void those_who_need_a_newer_one_wait_for_one_load_together() throws Exception {
        var over = new CountDownLatch(1);
        Refreshed<Integer> keys = refresher.every("keys", NEVER, Duration.ofSeconds(30), () -> {
            over.await();
            return loads.incrementAndGet();
        });
        keys.served();
        var found = new ConcurrentLinkedQueue<Refreshed.Renewal>();
        var waiting = new ArrayList<Thread>();
        for (int i = 0; i < 100; i++) {
            waiting.add(Thread.startVirtualThread(() -> found.add(keys.renew(PATIENT))));
        }

        over.countDown();
        for (Thread each : waiting) each.join();

        assertThat(found).hasSize(100).doesNotContain(Refreshed.Renewal.FAILED);
        assertThat(loads).hasValue(1);
        keys.retired();
    }

    @Test
    void nobody_waits_for_a_load_that_may_not_begin_yet() {
        Refreshed<Integer> keys = refresher.every("keys", NEVER, NEVER, loads::incrementAndGet);
        keys.served();
        until(() -> keys.current().isPresent());
        until(() -> keys.renew(PATIENT) == Refreshed.Renewal.TOO_EARLY); // else the first one is not quite over

        assertThat(loads).hasValue(1);
        keys.retired();
    }

    @Test
    void after_a_failure_it_is_loaded_for_those_who_need_it_long_before_it_would_be_otherwise() {
        var away = new AtomicBoolean(true);
        Refreshed<Integer> keys = refresher.every("keys", NEVER, NEVER, () -> {
            loads.incrementAndGet();
            if (away.get()) throw new IllegalStateException("away");
            return 1;
        });
        keys.served();
        until(() -> loads.get() > 0);
        assertThat(keys.renew(PATIENT)).isEqualTo(Refreshed.Renewal.FAILED);

        away.set(false);

        until(() -> keys.renew(PATIENT) != Refreshed.Renewal.FAILED);
        assertThat(keys.current()).contains(1);
        keys.retired();
    }

    @Test
    void what_nobody_serves_is_not_waited_for() {
        Refreshed<Integer> keys = refresher.every("keys", NEVER, Duration.ZERO, loads::incrementAndGet);

        assertThat(keys.renew(PATIENT)).isEqualTo(Refreshed.Renewal.FAILED);
        assertThat(loads).hasValue(0);
    }
}
