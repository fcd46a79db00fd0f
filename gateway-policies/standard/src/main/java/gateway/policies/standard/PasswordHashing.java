package gateway.policies.standard;

import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// The platform threads that hash passwords, as many as processors, and the short queue before them.
///
/// They are nobody else's: on the JDK's common pool, which starts the pipeline's workers, a flood of wrong
/// passwords would hold up every other policy that runs there. A virtual thread would be carried by the IO
/// thread as its parent is, and block it.
///
/// What is being worked out already is waited for, not worked out again: when a busy client's password is forgotten,
/// all that it asks meanwhile takes one hash and one place in the queue.
final class PasswordHashing {
    /// One for all policies.
    record Id() {}

    private static final int MOST_WAITING = 64;
    private static final int IDLE_SECONDS = 30;

    private final ThreadPoolExecutor threads;
    private final ConcurrentHashMap<String, CompletableFuture<Optional<Boolean>>> underWay = new ConcurrentHashMap<>();

    PasswordHashing(ThreadPoolExecutor threads) {
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
    ///
    /// @param same names the question: work under way for the same one answers this too
    Optional<Boolean> ask(String same, Supplier<Boolean> work) {
        var mine = new CompletableFuture<Optional<Boolean>>();
        var before = underWay.putIfAbsent(same, mine);
        if (before != null) return before.join();
        try {
            threads.execute(() -> answer(same, mine, work));
        } catch (RejectedExecutionException e) { // the one way the pool tells that its queue is full
            underWay.remove(same);
            mine.complete(Optional.empty());
        } catch (Throwable e) { // no thread to be had, say: nobody may wait for what is not begun
            underWay.remove(same);
            mine.completeExceptionally(e);
        }
        return mine.join();
    }

    private void answer(String same, CompletableFuture<Optional<Boolean>> waiting, Supplier<Boolean> work) {
        try {
            Optional<Boolean> found = Optional.of(work.get());
            underWay.remove(same); // first, lest the next one is told of this work's end
            waiting.complete(found);
        } catch (Throwable e) { // else those who wait would wait for ever
            underWay.remove(same);
            waiting.completeExceptionally(e);
        }
    }
}
