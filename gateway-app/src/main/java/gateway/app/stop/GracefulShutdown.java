package gateway.app.stop;

import gateway.json.Durations;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The end of a gateway: it says that it is not ready, serves on until balancers have noticed, then lets go of its
/// parts. Each step stands in the log. `docs/lifecycle.md` has the order.
public final class GracefulShutdown {
    private static final Logger LOG = LoggerFactory.getLogger(GracefulShutdown.class);
    private final Runnable unready;
    private final Closing closing;
    private final CountDownLatch hurried = new CountDownLatch(1);
    private final List<Runnable> hurries = new CopyOnWriteArrayList<>();

    /// @param unready makes the gateway say that it is not ready
    public GracefulShutdown(Runnable unready, Closing closing) {
        this.unready = unready;
        this.closing = closing;
    }

    /// What makes a part that is being let go of quicker.
    public void hurriedBy(Runnable part) {
        hurries.add(part);
    }

    /// Lets go of everything. Again: does nothing.
    ///
    /// @param delay how long to serve on, not ready
    public void go(Duration delay) {
        unready.run();
        if (!closing.isClosed()) await(delay);
        closing.close();
    }

    /// Ends the waits of [#go], now or when it comes.
    public void hurry() {
        if (hurried.getCount() == 0) return;
        LOG.info("stopping: told to hurry");
        hurried.countDown();
        hurries.forEach(Runnable::run);
    }

    private void await(Duration delay) {
        if (delay.isZero()) {
            LOG.info("stopping: not ready");
            return;
        }
        LOG.info("stopping: not ready, serving on for {}; a second signal hurries", Durations.text(delay));
        try {
            var _ = hurried.await(delay.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
