package gateway.app.redis;

import gateway.service.Charge;
import gateway.service.DependencyException;
import gateway.service.Permit;
import gateway.service.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// This node's part of one counter: a slice being spent, and mostly the next one already.
///
/// The next slice is fetched in the background once half of the present one is gone; a request waits only when both are
/// spent, and no longer than for a call of its own: the slice comes all the same, however late, for Redis has taken it
/// from the count. How much is asked for follows use, about a tenth of a second's worth; Redis grants at most an eighth
/// of what is left to all, so slices shrink towards the limit and end at single requests.
final class Lease {
    private static final int TRIES = 3;
    private static final long FIRST_WANT = 8;
    private static final long QUICK_NANOS = 50_000_000;
    private static final long SLOW_NANOS = 200_000_000;
    private static final CompletableFuture<Void> INSTALLED = CompletableFuture.completedFuture(null);
    private static final long LONGEST_DENIAL_NANOS = 100_000_000; // others may give back meanwhile

    private final Charge charge;
    private final ExactCounting counting;
    private final LongSupplier ticks;
    private final ReentrantLock slices = new ReentrantLock(); // for changing current and spare; never held across I/O
    private final AtomicReference<@Nullable Refill> refill = new AtomicReference<>();
    private volatile @Nullable Slice current;
    private volatile @Nullable Slice spare;
    private volatile @Nullable Answer answer;
    private volatile boolean closed;
    private volatile long used;
    private long want = FIRST_WANT; // changed by the one refill under way
    private long asked;

    Lease(Charge charge, ExactCounting counting, LongSupplier ticks) {
        this.charge = charge;
        this.counting = counting;
        this.ticks = ticks;
        this.used = ticks.getAsLong();
        this.asked = used - SLOW_NANOS;
    }

    /// What one request got.
    ///
    /// @param permit null when it got a part, and the shared count decides about the rest
    /// @param from null when it got nothing, since none is left
    /// @param taken how many
    record Spending(@Nullable Permit permit, @Nullable Slice from, long taken) {}

    /// What Redis said last.
    ///
    /// @param left to all nodes
    /// @param at ticks
    private record Answer(long taken, long left, long resetNanos, long retryNanos, long at) {
        boolean denies(long now) {
            return taken == 0 && now - at < Math.min(retryNanos, LONGEST_DENIAL_NANOS);
        }
    }

    boolean covers(Rule rule) {
        return charge.rule().equals(rule);
    }

    /// Spends `amount` here, as far as it is at hand, or learns that none is left.
    ///
    /// @return `null` when this node cannot say: decide on the shared count
    /// @throws DependencyException when what was at hand is spent and Redis does not answer
    @Nullable
    Spending spend(long amount) {
        return amount == 1 ? spendOne() : spendSeveral(amount);
    }

    /// Nobody waits for a slice that has them all: the rest is asked for with the other charges of the request, and the
    /// next slice comes meanwhile.
    private @Nullable Spending spendSeveral(long amount) {
        long now = ticks.getAsLong();
        used = now;
        for (int i = 0; i < TRIES && !closed; i++) {
            Slice slice = current;
            long taken = slice == null ? 0 : slice.take(now, amount);
            if (spare == null && (slice == null || slice.low(now))) fetchAhead();
            // A slice that gave a part stays the present one: it may get that back.
            if (slice != null && taken > 0) return new Spending(taken == amount ? granted(now) : null, slice, taken);
            if (!advance(slice)) return null;
        }
        return null;
    }

    private @Nullable Spending spendOne() {
        for (int i = 0; i < TRIES && !closed; i++) {
            long now = ticks.getAsLong();
            used = now;
            Slice slice = current;
            if (slice != null && slice.take(now)) {
                if (spare == null && slice.low(now)) fetchAhead();
                return new Spending(granted(now), slice, 1);
            }
            if (advance(slice)) continue;
            Answer last = answer;
            if (last != null && last.denies(now)) return new Spending(denied(last, now), null, 0);
            awaitRefill();
        }
        return null;
    }

    /// Whether `slice` is still spent from.
    boolean holds(Slice slice) {
        return slice == current || slice == spare;
    }

    /// Requests at hand.
    long left() {
        long now = ticks.getAsLong();
        return left(current, now) + left(spare, now);
    }

    boolean idleSince(long nanos) {
        return ticks.getAsLong() - used > nanos;
    }

    /// Ends it and gives back what is left.
    ///
    /// @return of each part, whether Redis has it; false when it did not answer in time
    List<CompletableFuture<Boolean>> close() {
        var given = new ArrayList<CompletableFuture<Boolean>>();
        slices.lock();
        try {
            closed = true;
            Refill coming = refill.get();
            if (coming != null) given.add(coming.mine.handle((_, why) -> why == null)); // gives back what it brings
            if (current != null) given.add(giveBack(current));
            if (spare != null) given.add(giveBack(spare));
        } finally {
            slices.unlock();
        }
        return given;
    }

    private boolean advance(@Nullable Slice spent) {
        slices.lock();
        try {
            if (current != spent) return true; // somebody else did
            if (spare == null) return false;
            current = spare;
            spare = null;
            return true;
        } finally {
            slices.unlock();
        }
    }

    /// @return done when it is installed, or given back since it came too late
    private CompletableFuture<Void> install(Slice slice) {
        slices.lock();
        try {
            if (closed || spare != null) return giveBack(slice).thenApply(_ -> null);
            if (current == null || current.left(ticks.getAsLong()) == 0) current = slice;
            else spare = slice;
            return INSTALLED;
        } finally {
            slices.unlock();
        }
    }

    private void fetchAhead() {
        Answer last = answer;
        if (last != null && (last.left() == 0 || last.taken() == 0)) return;
        if (refill.get() != null) return;
        try {
            var _ = refilled();
        } catch (DependencyException e) {
            // what is at hand is spent first; then a request waits and learns of it
        }
    }

    private void awaitRefill() {
        boolean mine = refill.get() == null;
        Refill coming = refilled();
        counting.await(charge, coming.mine, coming::departed, mine);
    }

    /// The refill under way, begun when there is none.
    private Refill refilled() {
        var mine = new Refill(ticks.getAsLong());
        Refill other = refill.compareAndExchange(null, mine);
        if (other != null) return other;
        try {
            adapt(mine.sent);
            mine.call = counting.lease(charge, want, mine.reply, mine);
        } catch (DependencyException e) {
            settle(mine, e);
            throw e;
        }
        return mine;
    }

    private void adapt(long now) {
        long since = now - asked;
        asked = now;
        if (since < QUICK_NANOS) want = Math.min(want * 2, Math.max(1, Counters.limit(charge.rule())));
        if (since > SLOW_NANOS) want = Math.max(1, want / 2);
    }

    private void settle(Refill ended, @Nullable Throwable failure) {
        refill.compareAndSet(ended, null);
        if (failure == null) ended.mine.complete(null);
        else ended.mine.completeExceptionally(failure);
    }

    /// Times count from when the question was sent: a slice ends here no later than in Redis.
    private CompletableFuture<Void> take(ScriptReply.Numbers reply, long sent) {
        long taken = reply.at(0);
        CompletableFuture<Void> installed = INSTALLED;
        if (taken > 0) {
            long first = sent + reply.at(4);
            installed = install(
                    charge.rule() instanceof Rule.TokenBucket bucket
                            ? Slice.ofBucket(taken, first, (double) bucket.perNanos() / bucket.requests())
                            : Slice.ofWindow(taken, sent + reply.at(4), Long.toString(reply.at(5))));
        }
        Answer last = answer;
        if (last == null || sent - last.at() >= 0)
            answer = new Answer(taken, reply.at(1), reply.at(2) * 1_000, reply.at(3) * 1_000, sent);
        return installed;
    }

    private CompletableFuture<Boolean> giveBack(Slice slice) {
        return counting.giveBack(charge, slice.drain(), ticks);
    }

    private Permit granted(long now) {
        Answer last = answer;
        long shared = last == null ? 0 : last.left();
        long reset = last == null ? 0 : Math.max(0, last.resetNanos() - (now - last.at()));
        long limit = Counters.limit(charge.rule());
        return new Permit.Granted(limit, Math.min(limit - 1, shared + left(current, now) + left(spare, now)), reset);
    }

    private Permit denied(Answer last, long now) {
        long gone = now - last.at();
        return new Permit.Denied(
                Counters.limit(charge.rule()),
                0,
                Math.max(0, last.resetNanos() - gone),
                Math.max(1_000, last.retryNanos() - gone));
    }

    private static long left(@Nullable Slice slice, long now) {
        return slice == null ? 0 : slice.left(now);
    }

    /// One refill under way.
    private final class Refill implements RedisLink.Follower {
        private final ScriptReply.Numbers reply = new ScriptReply.Numbers();
        private final CompletableFuture<Void> mine = new CompletableFuture<>(); // what requests wait for
        private final long sent; // ticks
        private volatile @Nullable Call call;

        Refill(long sent) {
            this.sent = sent;
        }

        /// When the question left this node, as [System#nanoTime]; `now` while nobody knows.
        long departed(long now) {
            Call asking = call;
            return asking == null ? now : asking.asked(now);
        }

        @Override
        public void ended(Call call) {
            try {
                RedisLink.require(call);
                if (reply.size() == 1) counting.correct(reply.at(0));
                var _ = taken().thenRun(() -> settle(this, null));
            } catch (RuntimeException e) {
                settle(this, e);
            }
        }

        /// Past all patience; others may have been asked for meanwhile.
        @Override
        public void settled(Call call, boolean answered) {
            if (!answered || call.error() != null) return;
            var _ = taken();
        }

        private CompletableFuture<Void> taken() {
            return reply.size() == 1 ? INSTALLED : take(reply, sent);
        }
    }
}
