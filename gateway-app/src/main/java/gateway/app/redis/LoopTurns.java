package gateway.app.redis;

import io.netty.util.concurrent.EventExecutor;
import java.util.Collection;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/// Whether the threads that read Redis' answers have had their turn. On a starved node they come late, and what Redis
/// has answered long ago lies unread: that says nothing of Redis.
///
/// A turn is two tasks of a loop. The first stands behind every command that was given to the loop, so they are sent
/// once it has run. It schedules the second for a little later, which is the chance that Redis gets to answer those. A
/// loop takes up what is scheduled only after it has read: when the second runs, all that had arrived has been read.
/// One task would say nothing, as a loop that does tasks does what is added meanwhile before it reads again.
///
/// Used by one thread.
final class LoopTurns {
    private static final long AGAIN_NANOS = 1_000_000_000;

    private final Supplier<Collection<EventExecutor>> loops;
    private final long chanceNanos;
    private AtomicInteger awaited = new AtomicInteger(); // loops that have not had the turn asked for last
    private boolean asked;
    private long askedAt;
    private long hadAt; // when the last turn that all have had was asked for
    private boolean had;

    /// @param chanceNanos which Redis gets in a turn
    LoopTurns(Supplier<Collection<EventExecutor>> loops, long chanceNanos) {
        this.loops = loops;
        this.chanceNanos = chanceNanos;
    }

    /// Whether every loop has had a turn since `moment`; when not, one is asked for.
    ///
    /// @param now as [System#nanoTime], like `moment`
    boolean since(long moment, long now) {
        if (asked && awaited.get() <= 0) {
            asked = false;
            had = true;
            hadAt = askedAt;
        }
        if (had && hadAt - moment >= 0) return true;
        // a loop that was closed meanwhile may never have it
        if (!asked || now - askedAt > AGAIN_NANOS) ask(now);
        return false;
    }

    private void ask(long now) {
        Collection<EventExecutor> all = loops.get();
        var turn = new AtomicInteger(all.size());
        asked = true;
        askedAt = now;
        awaited = turn;
        for (EventExecutor loop : all) {
            try {
                loop.execute(() -> take(loop, turn));
            } catch (RejectedExecutionException e) { // it reads nothing any more
                turn.decrementAndGet();
            }
        }
    }

    private void take(EventExecutor loop, AtomicInteger turn) {
        try {
            // told also when it is cancelled, as a loop that is closed does
            loop.schedule(() -> {}, chanceNanos, TimeUnit.NANOSECONDS).addListener(_ -> turn.decrementAndGet());
        } catch (RejectedExecutionException e) {
            turn.decrementAndGet();
        }
    }
}
