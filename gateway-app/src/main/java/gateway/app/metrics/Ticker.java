package gateway.app.metrics;

import gateway.app.stop.GracePeriod;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Does the same again and again on a thread of its own, and a last time at its end.
final class Ticker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Ticker.class);

    private final GracePeriod grace = new GracePeriod(Duration.ofSeconds(5));
    private final Runnable task;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("metrics").daemon().factory());

    private Ticker(Runnable task) {
        this.task = task;
    }

    static Ticker start(Duration interval, Runnable task) {
        var ticker = new Ticker(task);
        long nanos = interval.toNanos();
        var _ = ticker.thread.scheduleAtFixedRate(ticker::tick, nanos / 2, nanos, TimeUnit.NANOSECONDS);
        return ticker;
    }

    private void tick() {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.error("metrics could not be told", e); // it is tried again at the next tick
        }
    }

    /// Gives up waiting for the last time after `most`, counted from now when closing has begun.
    void hurry(Duration most) {
        grace.shorten(most);
    }

    @Override
    public void close() {
        thread.execute(this::tick);
        thread.shutdown();
        try {
            if (!grace.join(thread)) thread.shutdownNow();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
