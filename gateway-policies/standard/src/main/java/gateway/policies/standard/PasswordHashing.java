package gateway.policies.standard;

import gateway.service.Workers;
import gateway.service.WorkersBusyException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/// Hashes passwords on workers, of which all passwords together have one share: a flood of wrong ones holds up no
/// other policy.
///
/// What is being worked out already is waited for, not worked out again: when a busy client's password is forgotten,
/// all that it asks meanwhile takes one hash and one place among those that wait.
final class PasswordHashing {
    /// One for all policies.
    record Id() {}

    private static final String SHARE = "passwords";

    private final Workers workers;
    private final ConcurrentHashMap<String, CompletableFuture<Optional<Boolean>>> underWay = new ConcurrentHashMap<>();

    PasswordHashing(Workers workers) {
        this.workers = workers;
    }

    /// What `work` answers; empty when no worker was free in time.
    ///
    /// @param same names the question: work under way for the same one answers this too
    Optional<Boolean> ask(String same, Supplier<Boolean> work) {
        var mine = new CompletableFuture<Optional<Boolean>>();
        var before = underWay.putIfAbsent(same, mine);
        if (before != null) return before.join();
        try {
            Optional<Boolean> found = Optional.of(workers.call(SHARE, work::get));
            underWay.remove(same); // first, lest the next one is told of this work's end
            mine.complete(found);
        } catch (WorkersBusyException e) {
            underWay.remove(same);
            mine.complete(Optional.empty());
        } catch (Throwable e) { // else those who wait would wait for ever
            underWay.remove(same);
            mine.completeExceptionally(e);
        }
        return mine.join();
    }
}
