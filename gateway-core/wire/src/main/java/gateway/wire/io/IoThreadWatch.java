package gateway.wire.io;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.xnio.XnioIoThread;
import org.xnio.XnioWorker;

/// Whether the IO threads do their work: each is asked by a task, which it must have run in time. A thread has one
/// question at a time, and an answer holds for a moment, so asking often costs little and piles nothing up.
public final class IoThreadWatch {
    private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final List<Asked> threads;
    private final long patience; // nanoseconds

    /// @param patience for an answer
    public IoThreadWatch(XnioWorker worker, Duration patience) {
        this.threads = IntStream.range(0, worker.getIoThreadCount())
                .mapToObj(number -> new Asked(worker.getIoThread(number)))
                .toList();
        this.patience = patience.toNanos();
    }

    /// The names of those that do not answer. Waits as long as an answer may take, and not for one that is late.
    public List<String> silent() {
        List<Question> questions = threads.stream().map(Asked::ask).toList();
        return IntStream.range(0, threads.size())
                .filter(i -> !answered(questions.get(i)))
                .mapToObj(i -> threads.get(i).thread.getName())
                .toList();
    }

    private boolean answered(Question question) {
        long left = question.at + patience - System.nanoTime();
        try {
            question.answer.get(Math.max(0, left), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return question.answer.isDone();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e); // there is nothing in it that could fail
        }
    }

    /// @param at [System#nanoTime] when it was asked
    private record Question(long at, CompletableFuture<Boolean> answer) {
        boolean stands() {
            return !answer.isDone() || System.nanoTime() - at < FRESH_NANOS;
        }
    }

    private static final class Asked {
        private final XnioIoThread thread;
        private final AtomicReference<@Nullable Question> latest = new AtomicReference<>();

        Asked(XnioIoThread thread) {
            this.thread = thread;
        }

        Question ask() {
            Question before = latest.get();
            if (before != null && before.stands()) return before;
            var next = new Question(System.nanoTime(), new CompletableFuture<>());
            if (!latest.compareAndSet(before, next)) return ask(); // another has asked meanwhile
            try {
                thread.execute(() -> next.answer.complete(true));
            } catch (RejectedExecutionException e) {
                // it has ended, and answers nothing
            }
            return next;
        }
    }
}
