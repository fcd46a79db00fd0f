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
/// parts. All of it has one deadline, so that who runs the gateway knows when it is over at the latest. Each step
/// stands in the log. `docs/lifecycle.md` has the order.
public final class GracefulShutdown {
    private static final Logger LOG = LoggerFactory.getLogger(GracefulShutdown.class);
    private static final Duration FOREVER = Duration.ofDays(1); // until the end begins
    private static final Duration HURRIED = Duration.ofSeconds(2);

    private final Runnable unready;
    private final Closing closing;
    private final Duration afterDelay;
    private final GracePeriod whole = new GracePeriod(FOREVER);
    private final CountDownLatch hurried = new CountDownLatch(1);
    private final List<Runnable> hurries = new CopyOnWriteArrayList<>();

    /// @param unready makes the gateway say that it is not ready
    /// @param afterDelay how long all may take that comes after the delay
    public GracefulShutdown(Runnable unready, Closing closing, Duration afterDelay) {
        this.unready = unready;
        this.afterDelay = afterDelay;
        this.closing = closing;
    }

    /// What makes a part that is being let go of quicker.
    public void hurriedBy(Runnable part) {
        hurries.add(part);
    }

    /// How long a part may take that is being let go of and waits for somebody else: half of what is left, so that
    /// those behind it have some too.
    public Duration share() {
        return whole.left().dividedBy(2);
    }

    /// Lets go of everything. Again: does nothing.
    ///
    /// @param delay how long to serve on, not ready
    public void go(Duration delay) {
        whole.shorten(delay.plus(afterDelay));
        whole.begin();
        unready.run();
        if (!closing.isClosed()) await(delay);
        closing.close();
    }

    /// Ends the waits of [#go], now or when it comes.
    public void hurry() {
        if (hurried.getCount() == 0) return;
        LOG.info("stopping: told to hurry");
        hurried.countDown();
        whole.shorten(HURRIED);
        hurries.forEach(Runnable::run);
    }

    /// How the process ends when it is told to: as [#go], where balancers may need time to notice, with that delay.
    public Shutdown.Ending ending(Duration delay) {
        return new Shutdown.Ending() {
            @Override
            public void end(boolean waits) {
                go(waits ? delay : Duration.ZERO);
                LOG.info("stopped");
            }

            @Override
            public void hurry() {
                GracefulShutdown.this.hurry();
            }
        };
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
