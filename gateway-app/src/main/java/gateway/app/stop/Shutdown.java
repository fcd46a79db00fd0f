package gateway.app.stop;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/// The end of a process that serves until SIGTERM or Ctrl-C. The exit code is then 0: being told to stop is no failure.
///
/// A second signal hurries; 20 s after it the process goes whatever still hangs. Ctrl-C does not wait for balancers:
/// who sits at a terminal has none.
public final class Shutdown {
    private static final long MOST_HURRIED_NANOS = 20_000_000_000L; // parts that hurry take a second each

    private final AtomicBoolean begun = new AtomicBoolean();
    private final Thread hook = new Thread(() -> end(false), "shutdown");
    private volatile Ending ending = waits -> {};

    private Shutdown() {}

    /// What is to be done before the process goes.
    @FunctionalInterface
    public interface Ending {
        /// @param waits whether balancers may need time to notice
        void end(boolean waits);

        /// Does what is left of [#end] in as little time as it can; called while that runs.
        default void hurry() {}
    }

    /// From now on a signal ends the process with 0, even before there is anything to close.
    public static Shutdown armed() {
        var shutdown = new Shutdown();
        Runtime.getRuntime().addShutdownHook(shutdown.hook); // for whatever else ends the process
        Signals.answer("TERM", () -> shutdown.told(true));
        Signals.answer("INT", () -> shutdown.told(false));
        return shutdown;
    }

    /// What is to be done before the end.
    public void first(Ending last) {
        ending = last;
    }

    /// Blocks for good.
    public void await() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// The process ends by itself, with an exit code of its own.
    public void disarm() {
        Runtime.getRuntime().removeShutdownHook(hook);
    }

    private void told(boolean waits) {
        if (begun.get()) hurry();
        else end(waits);
    }

    private void hurry() {
        Thread.ofPlatform().daemon().name("shutdown-limit").start(() -> {
            long until = System.nanoTime() + MOST_HURRIED_NANOS;
            while (System.nanoTime() - until < 0) LockSupport.parkNanos(MOST_HURRIED_NANOS);
            System.err.println("stopping: something does not end, so the process does; what was under way is lost");
            Runtime.getRuntime().halt(1);
        });
        ending.hurry();
    }

    private void end(boolean waits) {
        if (begun.compareAndSet(false, true)) {
            try {
                ending.end(waits);
            } finally {
                Runtime.getRuntime().halt(0);
            }
        }
        await(); // whoever was first halts
    }
}
