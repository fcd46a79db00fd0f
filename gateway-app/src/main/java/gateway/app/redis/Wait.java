package gateway.app.redis;

import gateway.service.DependencyException;
import java.util.concurrent.CompletableFuture;

/// A request's wait for what may take longer than a request has.
///
/// @param what a future of its own, which its deadline may end
/// @param expires as [System#nanoTime]
/// @param overdue with which the deadline ends it
/// @param late with which it ends when this node was too slow to know
record Wait(CompletableFuture<Void> what, long expires, DependencyException overdue, DependencyException late)
        implements CallDeadlines.Timed {
    static final String PROBLEM = "lease: no answer within the deadline";

    Wait(CompletableFuture<Void> what, long expires) {
        this(
                what,
                expires,
                new DependencyException(RedisLink.DEPENDENCY, PROBLEM),
                DependencyException.starved(RedisLink.DEPENDENCY));
    }

    @Override
    public boolean ended() {
        return what.isDone();
    }

    @Override
    public void expire(boolean starved) {
        what.completeExceptionally(starved ? late : overdue);
    }
}
