package gateway.app.memory;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A daemon thread that does one thing over and over, until closed.
final class Heartbeat implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Heartbeat.class);

    private final Runnable task;
    private final long pauseNanos;
    private final Thread thread;
    private volatile boolean closed;

    private Heartbeat(String name, Duration pause, Runnable task) {
        this.task = task;
        this.pauseNanos = pause.toNanos();
        this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
    }

    static Heartbeat start(String name, Duration pause, Runnable task) {
        var heartbeat = new Heartbeat(name, pause, task);
        heartbeat.thread.start();
        return heartbeat;
    }

    /// Waits until the task rests for good.
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) Thread.currentThread().interrupt();
    }

    private void run() {
        while (!closed) {
            LockSupport.parkNanos(pauseNanos);
            try {
                task.run();
            } catch (Throwable e) { // an Error as well: memory may be had again at the next beat
                LOG.error("{} failed and goes on", thread.getName(), e);
            }
        }
    }
}
