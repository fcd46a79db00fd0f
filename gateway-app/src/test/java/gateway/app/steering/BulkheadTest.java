package gateway.app.steering;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.steering.Waiter.Outcome;
import gateway.config.BulkheadDefinition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class BulkheadTest {
    private static Bulkhead bulkhead(int requests, int queue, Duration maxWait) {
        return new Bulkhead(new BulkheadDefinition(requests, queue, maxWait));
    }

    /// Whether it has a place in the end.
    private static boolean enters(Bulkhead bulkhead) {
        if (bulkhead.enter()) return true;
        Waiter waiter = bulkhead.join(Runnable::run);
        return waiter != null && waiter.await() == Outcome.ADMITTED;
    }

    @Test
    void refuses_at_once_what_is_over_the_bound() {
        Bulkhead bulkhead = bulkhead(2, 0, Duration.ofHours(1));

        boolean first = enters(bulkhead);
        boolean second = enters(bulkhead);
        boolean third = enters(bulkhead);
        bulkhead.leave();

        assertThat(first && second).isTrue();
        assertThat(third).isFalse();
        assertThat(enters(bulkhead)).isTrue();
        assertThat(bulkhead.refused()).isEqualTo(1);
    }

    @Test
    void one_that_waits_gets_the_place_that_becomes_free() {
        Bulkhead bulkhead = bulkhead(1, 1, Duration.ofSeconds(50));
        enters(bulkhead);
        var waiting = CompletableFuture.supplyAsync(() -> enters(bulkhead));
        until(() -> bulkhead.waiting() > 0);

        boolean third = enters(bulkhead);
        bulkhead.leave();

        assertThat(third).isFalse();
        assertThat(waiting.join()).isTrue();
        assertThat(bulkhead.inFlight()).isEqualTo(1);
        assertThat(bulkhead.waiting()).isZero();
    }

    @Test
    void one_that_has_waited_long_enough_is_refused() {
        Bulkhead bulkhead = bulkhead(1, 1, Duration.ofMillis(5));
        enters(bulkhead);

        assertThat(enters(bulkhead)).isFalse();
        assertThat(bulkhead.waiting()).isZero();
    }

    @Test
    void one_that_leaves_while_it_waits_makes_room_and_is_not_counted_as_refused() {
        Bulkhead bulkhead = bulkhead(1, 1, Duration.ofHours(1));
        enters(bulkhead);
        Waiter leaving = Objects.requireNonNull(bulkhead.join(Runnable::run));
        assertThat(bulkhead.waiting()).isEqualTo(1);

        leaving.leave();

        assertThat(leaving.await()).isEqualTo(Outcome.LEFT);
        assertThat(bulkhead.waiting()).isZero();
        Waiter next = Objects.requireNonNull(bulkhead.join(Runnable::run));
        bulkhead.leave();
        assertThat(next.await()).isEqualTo(Outcome.ADMITTED);
        next.leave();
        assertThat(bulkhead.inFlight()).isEqualTo(1);
        assertThat(bulkhead.waiting()).isZero();
        assertThat(bulkhead.refused()).isZero();
    }

    @Test
    void places_go_to_those_who_wait_in_their_order() {
        Bulkhead bulkhead = bulkhead(1, 2, Duration.ofHours(1));
        enters(bulkhead);
        Waiter first = Objects.requireNonNull(bulkhead.join(Runnable::run));
        Waiter second = Objects.requireNonNull(bulkhead.join(Runnable::run));

        bulkhead.leave();

        assertThat(first.await()).isEqualTo(Outcome.ADMITTED);
        assertThat(bulkhead.waiting()).isEqualTo(1);
        second.leave();
        assertThat(second.await()).isEqualTo(Outcome.LEFT);
    }

    @Test
    void no_place_is_lost_however_many_come_leave_and_go() throws InterruptedException {
        Bulkhead bulkhead = bulkhead(3, 5, Duration.ofMillis(1));
        var inside = new AtomicInteger();
        var most = new AtomicInteger();
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < 16; i++) {
            int number = i;
            threads.add(Thread.ofVirtual().start(() -> {
                for (int turn = 0; turn < 500; turn++) {
                    if (!bulkhead.enter()) {
                        Waiter waiter = bulkhead.join(Runnable::run);
                        if (waiter == null) continue;
                        if ((turn + number) % 3 == 0) Thread.startVirtualThread(waiter::leave);
                        if (waiter.await() != Outcome.ADMITTED) continue;
                    }
                    most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                    LockSupport.parkNanos(1_000);
                    inside.decrementAndGet();
                    bulkhead.leave();
                }
            }));
        }
        for (Thread thread : threads) thread.join();

        assertThat(most.get()).isLessThanOrEqualTo(3);
        assertThat(bulkhead.inFlight()).isZero();
        assertThat(bulkhead.waiting()).isZero();
        for (int i = 0; i < 3; i++) assertThat(bulkhead.enter()).isTrue();
        assertThat(bulkhead.enter()).isFalse();
    }
}
