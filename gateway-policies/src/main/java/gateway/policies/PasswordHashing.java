package gateway.policies;

import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// The platform threads that hash passwords, as many as processors, and the short queue before them.
///
/// They are nobody else's: on the JDK's common pool, which starts the pipeline's workers, a flood of wrong
/// passwords would hold up every other policy that runs there. A virtual thread would be carried by the IO
/// thread as its parent is, and block it.
final class PasswordHashing {
    /// One for all policies.
    record Id() {}

    private static final int MOST_WAITING = 64;
    private static final int IDLE_SECONDS = 30;

    private final ThreadPoolExecutor threads;

    private PasswordHashing(ThreadPoolExecutor threads) {
        this.threads = threads;
    }

    static PasswordHashing create() {
        return of(Runtime.getRuntime().availableProcessors(), MOST_WAITING);
    }

    /// @param waiting most that wait for one of the threads
    static PasswordHashing of(int threads, int waiting) {
        var pool = new ThreadPoolExecutor(
                threads,
                threads,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(waiting),
                Thread.ofPlatform().daemon().name("password-", 0).factory());
        pool.allowCoreThreadTimeOut(true); // nothing is left to close when no policy hashes any more
        return new PasswordHashing(pool);
    }

    /// What `work` answers; empty, at once, when too many wait already.
    Optional<Boolean> ask(Supplier<Boolean> work) {
        try {
            return Optional.of(CompletableFuture.supplyAsync(work, threads).join());
        } catch (RejectedExecutionException e) {
            return Optional.empty(); // the one way the pool tells that its queue is full
        }
    }
}
