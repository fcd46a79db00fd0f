package gateway.service;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// One piece of work, which is either taken by a thread or left by whoever waits for it.
final class WorkerJob<T> implements Runnable {
    private enum State {
        WAITING,
        TAKEN,
        LEFT
    }

    private final Workers workers;
    private final String share;
    private final int weight;
    private final FutureTask<T> task;
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
    private final long since = System.nanoTime();
    private volatile @Nullable Throwable failure;

    /// @param weight about how long it takes, beside others
    WorkerJob(Workers workers, String share, int weight, Callable<T> work) {
        this.workers = workers;
        this.share = share;
        this.weight = weight;
        this.task = new FutureTask<>(work);
    }

    String share() {
        return share;
    }

    int weight() {
        return weight;
    }

    @Override
    public void run() {
        try {
            if (!state.compareAndSet(State.WAITING, State.TAKEN)) return;
            workers.taken(System.nanoTime() - since);
            task.run();
        } finally {
            workers.ended(this);
        }
    }

    /// It cannot be begun.
    void fail(Throwable why) {
        if (!state.compareAndSet(State.WAITING, State.TAKEN)) return;
        workers.taken(System.nanoTime() - since);
        failure = why;
        task.cancel(false);
    }

    T await(Duration patience) {
        try {
            return result(patience);
        } catch (InterruptedException e) {
            task.cancel(true);
            if (state.compareAndSet(State.WAITING, State.LEFT)) workers.left(this);
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a worker was at it", e);
        } catch (ExecutionException e) {
            throw thrown(Objects.requireNonNullElse(e.getCause(), e));
        } catch (CancellationException e) {
            Throwable why = failure;
            throw thrown(why == null ? e : why);
        }
    }

    /// Waits for `patience` until a thread takes the job, and then for as long as it takes.
    private T result(Duration patience) throws InterruptedException, ExecutionException {
        try {
            return task.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            if (state.compareAndSet(State.WAITING, State.LEFT)) throw workers.left(this);
            return task.get();
        }
    }

    private static RuntimeException thrown(Throwable cause) {
        if (cause instanceof Error error) throw error;
        return cause instanceof RuntimeException broken ? broken : new IllegalStateException(cause);
    }
}
