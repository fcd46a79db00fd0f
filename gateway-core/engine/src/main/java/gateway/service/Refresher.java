package gateway.service;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/// Loads what policies want anew from time to time: key sets, metadata, lists. One thread keeps the time for all; each
/// load has a virtual thread of its own, so that it may block, and none waits for another's.
public final class Refresher implements AutoCloseable {
    private final ScheduledThreadPoolExecutor clock;
    private final LongAdder loads = new LongAdder();
    private final LongAdder failures = new LongAdder();

    public Refresher() {
        clock = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("refresh").factory());
        clock.setRemoveOnCancelPolicy(true);
        clock.setKeepAliveTime(1, TimeUnit.MINUTES);
        clock.allowCoreThreadTimeOut(true);
    }

    /// What `load` answers, anew after each `period`, once it is [Served].
    ///
    /// @param what is loaded, in words, for the operator's log
    /// @param apart least time between two loads, whoever asks
    public <T> Refreshed<T> every(String what, Duration period, Duration apart, Callable<T> load) {
        return new Refreshed<>(this, what, period, apart, load);
    }

    /// Runs `work` at once on a virtual thread of its own, behind whoever wants it done.
    public void begin(Runnable work) {
        Thread.ofVirtual().name("refresh").start(work);
    }

    /// Runs `work` on a virtual thread after about `delay`: a tenth more or less, lest all nodes ask at once.
    ///
    /// @return to be cancelled by who no longer wants it
    Future<?> after(Duration delay, Runnable work) {
        long nanos = delay.toNanos();
        long tenth = nanos / 10;
        long jitter = tenth == 0 ? 0 : ThreadLocalRandom.current().nextLong(-tenth, tenth);
        return clock.schedule(() -> begin(work), nanos + jitter, TimeUnit.NANOSECONDS);
    }

    void loaded() {
        loads.increment();
    }

    void failed() {
        failures.increment();
    }

    /// Loads that wait for their time.
    public int waiting() {
        return clock.getQueue().size();
    }

    /// Good loads since the start.
    public long loads() {
        return loads.sum();
    }

    /// Loads that have failed since the start.
    public long failures() {
        return failures.sum();
    }

    /// Nothing is loaded any more.
    @Override
    public void close() {
        clock.shutdownNow();
    }
}
