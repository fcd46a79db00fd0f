package gateway.app;

import java.util.concurrent.CountDownLatch;

/// The end of a process that serves until SIGTERM or Ctrl-C. The exit code is then 0: being told to stop is no failure.
public final class Shutdown {
    private volatile Runnable lastly = () -> {};
    private final Thread hook = new Thread(this::end, "shutdown");

    private Shutdown() {}

    /// From now on a signal ends the process with 0, even before there is anything to close.
    public static Shutdown armed() {
        var shutdown = new Shutdown();
        Runtime.getRuntime().addShutdownHook(shutdown.hook);
        return shutdown;
    }

    /// What is to be done before the end.
    public void first(Runnable closing) {
        lastly = closing;
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

    private void end() {
        lastly.run();
        Runtime.getRuntime().halt(0);
    }
}
