package gateway.app.redis;

import gateway.service.DependencyException;
import java.util.concurrent.CompletableFuture;

/// A request's wait for what may take longer than a request has.
///
/// @param what a future of its own, which its deadline may end
/// @param begun as [System#nanoTime]
/// @param patience in nanoseconds
/// @param overdue with which the deadline ends it
/// @param late with which it ends when this node was too slow to know
record Wait(
        CompletableFuture<Void> what, long begun, long patience, DependencyException overdue, DependencyException late)
        implements CallDeadlines.Timed {
    static final String PROBLEM = "lease: no answer within the deadline";

    Wait(CompletableFuture<Void> what, long begun, long patience) {
        this(
                what,
                begun,
                patience,
                new DependencyException(RedisLink.DEPENDENCY, PROBLEM),
                DependencyException.starved(RedisLink.DEPENDENCY));
    }

    @Override
    public boolean ended() {
        return what.isDone();
    }

    @Override
    public long asked(long now) {
        return begun;
    }

    @Override
    public void expire(boolean starved) {
        what.completeExceptionally(starved ? late : overdue);
    }
}
