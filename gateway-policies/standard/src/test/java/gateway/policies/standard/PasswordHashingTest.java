package gateway.policies.standard;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.service.Workers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class PasswordHashingTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SHORT = Duration.ofSeconds(1); // so long takes no thread to begin

    @Test
    void answers_nothing_when_no_worker_is_free_in_time() throws Exception {
        var workers = new Workers(1, SHORT);
        var hashing = new PasswordHashing(workers);
        var hold = new CompletableFuture<Boolean>();
        var first = new CompletableFuture<Optional<Boolean>>();
        var running = Thread.startVirtualThread(() -> first.complete(hashing.ask("first", hold::join)));
        until(() -> workers.running() == 1);

        assertThat(hashing.ask("second", () -> true)).isEmpty();

        hold.complete(true);
        running.join();
        assertThat(first).isCompletedWithValue(Optional.of(true));
        until(() -> workers.running() == 0);
        assertThat(hashing.ask("second", () -> false)).contains(false);
    }

    @Test
    void works_out_once_what_many_ask_at_the_same_time() throws Exception {
        var hashing = new PasswordHashing(new Workers(1, LONG));
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
        for (Thread each : asking) until(() -> isWaiting(each));

        hold.complete(true);
        for (Thread each : asking) each.join();

        assertThat(worked).hasValue(1);
        assertThat(answers).hasSize(100).containsOnly(Optional.of(true));
    }

    @Test
    void tells_that_the_work_failed_and_works_again_for_the_next() {
        var hashing = new PasswordHashing(new Workers(1, LONG));

        assertThatThrownBy(() -> hashing.ask("same", () -> {
                    throw new IllegalStateException("broken");
                }))
                .hasRootCauseMessage("broken");

        assertThat(hashing.ask("same", () -> true)).contains(true);
    }

    @Test
    void a_flood_of_passwords_leaves_a_worker_to_others() {
        var workers = new Workers(2, LONG);
        var hashing = new PasswordHashing(workers);
        var hold = new CompletableFuture<Boolean>();
        for (int i = 0; i < 10; i++) {
            String password = "password-" + i;
            Thread.startVirtualThread(() -> hashing.ask(password, hold::join));
        }
        until(() -> workers.waiting() == 9);

        assertThat(workers.call("orders", () -> "validated")).isEqualTo("validated");

        hold.complete(true);
        until(() -> workers.waiting() == 0);
    }

    private static boolean isWaiting(Thread thread) {
        return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
    }
}
