package gateway.service;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What is loaded again and again while it is served. The last good one stays while no new one can be had: that is
/// tried again after half a second, then after twice as long each time, up to the period.
public final class Refreshed<T> implements Served {
    private static final Logger LOG = LoggerFactory.getLogger(Refreshed.class);
    private static final Duration FIRST_RETRY = Duration.ofMillis(500);

    private final Refresher refresher;
    private final String what;
    private final Duration period;
    private final Duration apart;
    private final Callable<T> load;
    private final ReentrantLock lock = new ReentrantLock(); // held for a few instructions
    private volatile @Nullable T current;
    private boolean live;
    private boolean loading;
    private boolean asked; // once more, as soon as it may be
    private boolean due; // is to begin at once: who else waits for it sets no other time
    private int round; // tells a time that was set from one that is out of date
    private Future<?> timer = CompletableFuture.completedFuture(null);
    private int failures;
    private long begunAt;
    private CountDownLatch over = new CountDownLatch(1); // of the load that is under way, or comes next

    Refreshed(Refresher refresher, String what, Duration period, Duration apart, Callable<T> load) {
        this.refresher = refresher;
        this.what = what;
        this.period = period;
        this.apart = apart;
        this.load = load;
        this.begunAt = System.nanoTime() - apart.toNanos();
    }

    /// The last one that could be loaded; empty before the first.
    public Optional<T> current() {
        return Optional.ofNullable(current);
    }

    /// Loads it at once, or right after a load that is still under way.
    @Override
    public void served() {
        lock.lock();
        try {
            live = true;
            if (loading) asked = true;
            else next(Duration.ZERO);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void retired() {
        lock.lock();
        try {
            live = false;
            asked = false;
            due = false;
            round++;
            timer.cancel(false); // it would hold what was loaded until then
        } finally {
            lock.unlock();
        }
    }

    /// It may be out of date: a signature names a key that is not in it, say. Loads it as soon as that may be, and soon
    /// after one that has begun already.
    public void ask() {
        lock.lock();
        try {
            if (!live || asked) return;
            asked = true;
            if (!loading) next(untilAllowed());
        } finally {
            lock.unlock();
        }
    }

    /// What became of the wish for a newer one.
    public enum Renewal {
        /// It was loaded meanwhile.
        LOADED,
        /// It could not be loaded, or not in time.
        FAILED,
        /// It was loaded so short a while ago that it is not yet loaded again.
        TOO_EARLY
    }

    /// Asks, and waits for the load that is under way or may begin now: one for all who wait. While loads fail nobody
    /// waits: whoever can make requests miss something would have them all held up by a server that hangs.
    ///
    /// @param patience how long to wait for it
    public Renewal renew(Duration patience) {
        CountDownLatch awaited;
        lock.lock();
        try {
            if (!live) return Renewal.FAILED;
            boolean begins = loading || begins();
            if (failures > 0) return Renewal.FAILED;
            if (!begins) return Renewal.TOO_EARLY;
            awaited = over;
        } finally {
            lock.unlock();
        }
        return awaits(awaited, patience) ? outcome() : Renewal.FAILED;
    }

    /// Has the next load come as soon as it may; whether that is now. Under the lock.
    private boolean begins() {
        Duration left = untilAllowed();
        boolean isSet = left.isZero() ? due : asked;
        if (!isSet) next(left);
        asked = true;
        due |= left.isZero();
        return left.isZero();
    }

    private static boolean awaits(CountDownLatch awaited, Duration patience) {
        try {
            return awaited.await(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private Renewal outcome() {
        lock.lock();
        try {
            return failures > 0 ? Renewal.FAILED : Renewal.LOADED;
        } finally {
            lock.unlock();
        }
    }

    /// After a failure it may be tried sooner: what is missing then is missing altogether.
    private Duration untilAllowed() {
        Duration least = failures > 0 && FIRST_RETRY.compareTo(apart) < 0 ? FIRST_RETRY : apart;
        Duration left = least.minusNanos(System.nanoTime() - begunAt);
        return left.isNegative() ? Duration.ZERO : left;
    }

    /// Under the lock.
    private void next(Duration delay) {
        int mine = ++round;
        timer.cancel(false);
        try {
            timer = refresher.after(delay, () -> run(mine));
        } catch (RejectedExecutionException e) {
            LOG.debug("{} is not loaded any more: the gateway stops", what);
        }
    }

    private void run(int mine) {
        lock.lock();
        try {
            if (!live || loading || mine != round) return;
            loading = true;
            asked = false;
            due = false;
            begunAt = System.nanoTime();
        } finally {
            lock.unlock();
        }
        boolean loaded = load();
        lock.lock();
        try {
            loading = false;
            failures = loaded ? 0 : failures + 1;
            over.countDown();
            over = new CountDownLatch(1);
            if (live) next(asked ? untilAllowed() : loaded ? period : retry());
        } finally {
            lock.unlock();
        }
    }

    private Duration retry() {
        Duration delay = FIRST_RETRY.multipliedBy(1L << Math.min(failures - 1, 16));
        return delay.compareTo(period) < 0 ? delay : period;
    }

    /// Says so once when it fails, and once when it succeeds again.
    private boolean load() {
        try {
            current = load.call();
            refresher.loaded();
            if (failures > 0) LOG.info("{} could be loaded again", what);
            return true;
        } catch (Throwable e) { // of an error too: what ends with one load is never loaded again, unseen
            refresher.failed();
            if (failures == 0) {
                String kept = current == null ? "there is none" : "the last one is used still";
                LOG.warn("{} could not be loaded, {}: {}", what, kept, e.toString());
            }
            return false;
        }
    }
}
