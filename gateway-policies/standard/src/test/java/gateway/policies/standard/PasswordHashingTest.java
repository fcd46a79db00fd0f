package gateway.policies.standard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

final class PasswordHashingTest {
    @Test
    void refuses_at_once_when_its_threads_and_its_queue_are_full() throws Exception {
        var hashing = PasswordHashing.of(1, 1);
        var hold = new CompletableFuture<Boolean>();
        var begun = new CompletableFuture<Boolean>();
        var first = new CompletableFuture<Optional<Boolean>>();
        var running = Thread.startVirtualThread(() -> first.complete(hashing.ask("first", () -> {
            begun.complete(true);
            return hold.join();
        })));
        begun.join();
        var queued = Thread.startVirtualThread(() -> hashing.ask("second", () -> true));
        until(() -> queued.getState() == Thread.State.WAITING);

        assertThat(hashing.ask("third", () -> true)).isEmpty();

        hold.complete(true);
        running.join();
        queued.join();
        assertThat(first).isCompletedWithValue(Optional.of(true));
        assertThat(hashing.ask("third", () -> false)).contains(false);
    }

    @Test
    void works_out_once_what_many_ask_at_the_same_time() throws Exception {
        var hashing = PasswordHashing.of(1, 1);
        var hold = new CompletableFuture<Boolean>();
        var worked = new AtomicInteger();
        var answers = new ConcurrentLinkedQueue<Optional<Boolean>>();
        var asking = new ArrayList<Thread>();
        for (int i = 0; i < 100; i++) {
            asking.add(Thread.startVirtualThread(() -> answers.add(hashing.ask("same", () -> {
                worked.incrementAndGet();
                return hold.join();
            }))));
        }
        for (Thread each : asking) until(() -> each.getState() == Thread.State.WAITING);

        hold.complete(true);
        for (Thread each : asking) each.join();

        assertThat(worked).hasValue(1);
        assertThat(answers).hasSize(100).containsOnly(Optional.of(true));
    }

    @Test
    void tells_that_the_work_failed_and_works_again_for_the_next() {
        var hashing = PasswordHashing.of(1, 1);

        assertThatThrownBy(() -> hashing.ask("same", () -> {
                    throw new IllegalStateException("broken");
                }))
                .hasRootCauseMessage("broken");

        assertThat(hashing.ask("same", () -> true)).contains(true);
    }

    @Test
    void lets_nobody_wait_for_a_thread_that_could_not_be_started() {
        var refused = new AtomicBoolean();
        var hashing = new PasswordHashing(
                new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new ArrayBlockingQueue<>(1), work -> {
                    if (refused.compareAndSet(false, true)) throw new OutOfMemoryError("no thread");
                    return Thread.ofPlatform().daemon().unstarted(work);
                }));

        assertThatThrownBy(() -> hashing.ask("same", () -> true)).hasRootCauseMessage("no thread");
        assertThat(hashing.ask("same", () -> true)).contains(true);
    }

    @Test
    void leaves_the_common_pool_to_others() {
        var hashing = PasswordHashing.of(1, 1);
        var thread = new CompletableFuture<Thread>();

        hashing.ask("whose", () -> thread.complete(Thread.currentThread()));

        assertThat(thread.join().getName()).startsWith("password-");
    }

    private static void until(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) Thread.onSpinWait();
    }
}
