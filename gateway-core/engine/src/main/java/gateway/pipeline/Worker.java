package gateway.pipeline;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.FutureTask;

/// Moves a piece of work from the request's thread to a virtual thread of the JDK's scheduler and waits for it.
final class Worker {
    private Worker() {}

    static <T> T call(Callable<T> work) {
        var task = new FutureTask<>(work);
        // A virtual thread inherits the scheduler of the one that starts it, which here may be an IO thread; one
        // started by a platform thread gets the JDK's.
        ForkJoinPool.commonPool().execute(() -> Thread.ofVirtual().start(task));
        try {
            return task.get();
        } catch (InterruptedException e) {
            task.cancel(true);
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a policy ran", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException broken) throw broken;
            throw new IllegalStateException(e.getCause());
        }
    }
}
