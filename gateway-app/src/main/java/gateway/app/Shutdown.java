package gateway.app;

import java.util.concurrent.CountDownLatch;

/// The end of a process that serves until SIGTERM or Ctrl-C.
public final class Shutdown {
    private Shutdown() {}

    /// Blocks for good; when the process is told to stop, `lastly` runs and the exit code is 0, since being told to
    /// stop
    /// is no failure.
    public static void await(Runnable lastly) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(lastly), "shutdown"));
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void end(Runnable lastly) {
        lastly.run();
        Runtime.getRuntime().halt(0);
    }
}
