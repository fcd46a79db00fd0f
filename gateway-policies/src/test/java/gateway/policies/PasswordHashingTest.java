package gateway.policies;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

final class PasswordHashingTest {
    @Test
    void refuses_at_once_when_its_threads_and_its_queue_are_full() throws Exception {
        var hashing = PasswordHashing.of(1, 1);
        var hold = new CompletableFuture<Boolean>();
        var begun = new CompletableFuture<Boolean>();
        var first = new CompletableFuture<Optional<Boolean>>();
        var running = Thread.startVirtualThread(() -> first.complete(hashing.ask(() -> {
            begun.complete(true);
            return hold.join();
        })));
        begun.join();
        var queued = Thread.startVirtualThread(() -> hashing.ask(() -> true));
        until(() -> queued.getState() == Thread.State.WAITING);

        assertThat(hashing.ask(() -> true)).isEmpty();

        hold.complete(true);
        running.join();
        queued.join();
        assertThat(first).isCompletedWithValue(Optional.of(true));
        assertThat(hashing.ask(() -> false)).contains(false);
    }

    @Test
    void leaves_the_common_pool_to_others() {
        var hashing = PasswordHashing.of(1, 1);
        var thread = new CompletableFuture<Thread>();

        hashing.ask(() -> thread.complete(Thread.currentThread()));

        assertThat(thread.join().getName()).startsWith("password-");
    }

    private static void until(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) Thread.onSpinWait();
    }
}
