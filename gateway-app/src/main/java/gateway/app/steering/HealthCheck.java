package gateway.app.steering;

import gateway.config.HealthCheckDefinition;
import gateway.wire.client.HealthProbe;
import gateway.wire.client.Resolver;
import gateway.wire.client.Target;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The checks of one target, one after the other on one thread, until they are ended.
final class HealthCheck implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(HealthCheck.class);

    private final TargetHealth health;
    private final HealthCheckDefinition how;
    private final Target target;
    private final HealthProbe probe;
    private final Dice dice;
    private volatile @Nullable Thread thread;
    private volatile boolean over;

    HealthCheck(TargetHealth health, HealthCheckDefinition how, Target target, Resolver resolver, Dice dice) {
        this.health = health;
        this.how = how;
        this.target = target;
        this.probe = new HealthProbe(UpstreamTerms.probe(how), target, resolver);
        this.dice = dice;
    }

    @Override
    public void run() {
        thread = Thread.currentThread();
        while (!over) {
            check();
            rest();
        }
    }

    private void check() {
        boolean good = probe.isGood();
        if (over) return; // what is found counts no more
        if (health.checked(good)) LOG.info("target {} is {}", target.endpoint(), good ? "healthy" : "unhealthy");
    }

    /// For the interval, a tenth more or less, so that the checks of many targets do not fall together.
    private void rest() {
        long interval = how.interval().toNanos();
        long until = System.nanoTime() + interval - interval / 10 + dice.below(Math.max(1, interval / 5));
        while (!over && until - System.nanoTime() > 0) LockSupport.parkNanos(this, until - System.nanoTime());
    }

    /// No further check begins. From any thread.
    void end() {
        over = true;
        LockSupport.unpark(thread);
    }
}
