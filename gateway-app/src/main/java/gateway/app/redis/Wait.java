package gateway.app.redis;

import gateway.service.DependencyException;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongUnaryOperator;

/// A request's wait for what may take longer than a request has.
///
/// @param what a future of its own, which its deadline may end
/// @param begun as [System#nanoTime]
/// @param patience in nanoseconds
/// @param departed when the call that brings it left this node, given the present time for one that has not
/// @param overdue with which the deadline ends it
/// @param late with which it ends when this node was too slow to know
record Wait(
        CompletableFuture<Void> what,
        long begun,
        long patience,
        LongUnaryOperator departed,
        DependencyException overdue,
        DependencyException late)
        implements CallDeadlines.Timed {
    static final String PROBLEM = "lease: no answer within the deadline";

    Wait(CompletableFuture<Void> what, long begun, long patience, LongUnaryOperator departed) {
        this(
                what,
                begun,
                patience,
                departed,
                new DependencyException(RedisLink.DEPENDENCY, PROBLEM),
                DependencyException.starved(RedisLink.DEPENDENCY));
    }

    @Override
    public boolean ended() {
        return what.isDone();
    }

    @Override
    public long asked(long now) {
        long left = departed.applyAsLong(now);
        return left - begun > 0 ? left : begun;
    }

    @Override
    public void expire(boolean starved) {
        what.completeExceptionally(starved ? late : overdue);
    }
}
