package gateway.app.upstream;

import gateway.app.steering.Dice;
import gateway.app.steering.Health;
import gateway.config.HealthCheckDefinition;
import java.lang.ref.WeakReference;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The checks of all targets, each on a virtual thread of its own that ends when nobody holds what it finds any more.
final class HealthChecks implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HealthChecks.class);

    private final Resolver resolver;
    private final Dice dice;
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    HealthChecks(Resolver resolver, Dice dice) {
        this.resolver = resolver;
        this.dice = dice;
    }

    /// Begins to check `target` at once, and then every interval.
    void watch(Health health, HealthCheckDefinition how, Target target) {
        var finding = new WeakReference<>(health);
        var probe = new HealthProbe(how, target, resolver);
        OffRequestThreads.start("check-" + target.endpoint(), () -> {
            threads.add(Thread.currentThread());
            try {
                while (!closed && check(finding, probe, target)) rest(how);
            } finally {
                threads.remove(Thread.currentThread());
            }
        });
    }

    /// Once; false when nobody wants to know any more.
    private static boolean check(WeakReference<Health> finding, HealthProbe probe, Target target) {
        if (finding.get() == null) return false;
        boolean good = probe.isGood();
        Health health = finding.get();
        if (health == null) return false;
        if (health.checked(good)) LOG.info("target {} is {}", target.endpoint(), good ? "healthy" : "unhealthy");
        return true;
    }

    /// For the interval, a tenth more or less, so that the checks of many targets do not fall together.
    private void rest(HealthCheckDefinition how) {
        long interval = how.interval().toNanos();
        long until = System.nanoTime() + interval - interval / 10 + dice.below(Math.max(1, interval / 5));
        while (!closed && until - System.nanoTime() > 0) LockSupport.parkNanos(this, until - System.nanoTime());
    }

    @Override
    public void close() {
        closed = true;
        threads.forEach(LockSupport::unpark);
    }
}
