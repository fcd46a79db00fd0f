package gateway.wire.io;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xnio.XnioIoThread;

/// Looks after the [Carrier] of each IO thread, 20 times a second.
final class CarrierWatch implements Runnable, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CarrierWatch.class);
    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final Map<XnioIoThread, Carrier> carriers = new ConcurrentHashMap<>();
    private final AtomicLong rescued = new AtomicLong();
    private volatile boolean closed;

    /// Begins to watch, on a daemon thread.
    static CarrierWatch start() {
        var watch = new CarrierWatch();
        Thread.ofPlatform().daemon().name("gateway carrier watch").start(watch);
        return watch;
    }

    Carrier carrier(XnioIoThread io) {
        return carriers.computeIfAbsent(io, Carrier::new);
    }

    /// Turns that ran elsewhere, since their IO thread waited for a lock.
    long rescued() {
        return rescued.get();
    }

    @Override
    public void run() {
        Collection<Carrier> all = carriers.values();
        while (!closed) {
            LockSupport.parkNanos(PERIOD_NANOS);
            try {
                for (Carrier each : all) rescued.addAndGet(each.look());
            } catch (Throwable e) { // whatever it is, such as no memory for a thread: the next look may do better
                LOG.warn("requests that wait for their IO thread cannot go on elsewhere", e);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
