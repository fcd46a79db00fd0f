package gateway.app.redis;

import gateway.service.DependencyException;
import java.util.concurrent.CompletableFuture;

/// A request's wait for what may take longer than a request has.
///
/// @param what a future of its own, which its deadline may end
/// @param expires as [System#nanoTime]
/// @param overdue with which the deadline ends it
record Wait(CompletableFuture<Void> what, long expires, DependencyException overdue) implements CallDeadlines.Timed {
    static final String PROBLEM = "lease: no answer within the deadline";

    Wait(CompletableFuture<Void> what, long expires) {
        this(what, expires, new DependencyException(RedisLink.DEPENDENCY, PROBLEM));
    }

    @Override
    public boolean expire(long now) {
        if (what.isDone()) return true;
        if (now - expires < 0) return false;
        what.completeExceptionally(overdue);
        return true;
    }
}
