package gateway.app.redis;

import io.netty.util.concurrent.EventExecutor;
import java.util.Collection;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/// Whether the threads that read Redis' answers have had their turn. On a starved node they come late, and what Redis
/// has answered long ago lies unread: that says nothing of Redis.
///
/// A loop reads all that has arrived before it does what it was asked to, so one that has done it has read every answer
/// that was there. Used by one thread.
final class LoopTurns {
    private final Supplier<Collection<EventExecutor>> loops;
    private final AtomicInteger awaited = new AtomicInteger(); // loops that have not had the turn asked for last
    private boolean asked;
    private long askedAt;
    private long hadAt; // when the last turn that all have had was asked for

    LoopTurns(Supplier<Collection<EventExecutor>> loops) {
        this.loops = loops;
        this.hadAt = System.nanoTime();
    }

    /// Whether every loop has had a turn since `moment`; when not, one is asked for.
    ///
    /// @param now as [System#nanoTime], like `moment`
    boolean since(long moment, long now) {
        if (asked && awaited.get() <= 0) {
            asked = false;
            hadAt = askedAt;
        }
        if (hadAt - moment >= 0) return true;
        if (!asked) ask(now);
        return false;
    }

    private void ask(long now) {
        asked = true;
        askedAt = now;
        Collection<EventExecutor> all = loops.get();
        awaited.set(all.size());
        for (EventExecutor loop : all) {
            try {
                loop.execute(awaited::decrementAndGet);
            } catch (RejectedExecutionException e) { // it reads nothing any more
                awaited.decrementAndGet();
            }
        }
    }
}
