package gateway.service;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

final class WorkersTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SHORT = Duration.ofSeconds(1); // so long takes no thread to begin

    @Test
    void works_on_a_thread_of_its_own_even_when_an_io_thread_carries_the_caller() throws Exception {
        var workers = new Workers(1, LONG);
        try (var io = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().name("io-1").factory())) {
            var request = new FutureTask<>(
                    () -> workers.call("a", () -> Thread.currentThread().toString()));

            carriedBy(io).start(request);

            assertThat(request.get()).contains("worker-").doesNotContain("io-1");
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void stand_back_for_other_threads_all_of_them_equally() throws Exception {
        var workers = new Workers(2, LONG);
        int own = niceness();
        int standingBack = Math.min(19, own + 5);
        var second = new FutureTask<>(() -> workers.call("a", WorkersTest::niceness));

        try (var _ = new Held(workers, "a", 1)) {
            until(() -> workers.running() == 1);
            Thread.startVirtualThread(second);
            until(() -> workers.waiting() == 1);
        } // the first of "a" ends and begins the second, for which it starts a thread: that inherits its niceness

        assertThat(second.get()).isEqualTo(standingBack);
        assertThat(workers.call("b", WorkersTest::niceness)).isEqualTo(standingBack);
        assertThat(niceness()).isEqualTo(own);
    }

    /// Of the calling thread, the 19th field of `proc_pid_stat(5)`, of which the second is a name in parentheses.
    private static int niceness() throws IOException {
        String stat = Files.readString(Path.of("/proc/thread-self/stat"));
        String[] afterName = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return Integer.parseInt(afterName[16]);
    }

    @Test
    void throws_what_the_work_throws() {
        var workers = new Workers(1, LONG);

        assertThatThrownBy(() -> workers.call("a", () -> {
                    throw new IllegalArgumentException("broken");
                }))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("broken");
        assertThatThrownBy(() -> workers.call("a", () -> {
                    throw new StackOverflowError("deep");
                }))
                .isInstanceOf(StackOverflowError.class);
        assertThat(workers.call("a", () -> "next")).isEqualTo("next");
    }

    @Test
    void nobody_has_all_threads() {
        var workers = new Workers(2, LONG);
        try (var _ = new Held(workers, "greedy", 3)) {
            until(() -> workers.running() == 1 && workers.waiting() == 2);

            assertThat(workers.call("modest", () -> "done")).isEqualTo("done");
            assertThat(workers.waiting()).isEqualTo(2);
        }
    }

    @Test
    void refuses_what_no_thread_takes_in_time_and_does_not_begin_it_later() {
        var workers = new Workers(1, SHORT);
        var begun = new AtomicBoolean();
        try (var _ = new Held(workers, "slow", 1)) {
            until(() -> workers.running() == 1);

            assertThatThrownBy(() -> workers.call("slow", () -> begun.getAndSet(true)))
                    .isInstanceOf(WorkersBusyException.class);
            assertThatThrownBy(() -> workers.call("other", () -> begun.getAndSet(true)))
                    .isInstanceOf(WorkersBusyException.class);
        }
        until(() -> workers.running() == 0);

        assertThat(workers.call("slow", () -> "next")).isEqualTo("next");
        assertThat(begun).isFalse();
        assertThat(workers.refused()).isEqualTo(2);
        assertThat(workers.waiting()).isZero();
    }

    @Test
    void refuses_at_once_when_too_much_of_a_share_waits() {
        var workers = new Workers(2, LONG);
        try (var _ = new Held(workers, "greedy", 65)) {
            until(() -> workers.waiting() == 64);

            assertThatThrownBy(() -> workers.call("greedy", () -> "done")).isInstanceOf(WorkersBusyException.class);
            assertThat(workers.call("modest", () -> "done")).isEqualTo("done");
        }
        assertThat(workers.call("greedy", () -> "done")).isEqualTo("done");
    }

    @Test
    void lets_much_brief_work_of_a_share_wait_but_not_endlessly() throws Exception {
        var workers = new Workers(2, LONG);
        List<Future<Integer>> answers = new ArrayList<>();
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            try (var _ = new Held(workers, "greedy", 1)) {
                until(() -> workers.running() == 1);
                for (int i = 0; i < 1_024; i++) {
                    int number = i;
                    answers.add(callers.submit(() -> workers.callBriefly("greedy", () -> number)));
                }
                until(() -> workers.waiting() == 1_024);

                assertThatThrownBy(() -> workers.callBriefly("greedy", () -> "done"))
                        .isInstanceOf(WorkersBusyException.class);
                assertThatThrownBy(() -> workers.call("greedy", () -> "done")).isInstanceOf(WorkersBusyException.class);
                assertThat(workers.callBriefly("modest", () -> "done")).isEqualTo("done");
            }
        }

        for (int i = 0; i < answers.size(); i++)
            assertThat(answers.get(i).get()).isEqualTo(i);
        assertThat(workers.waiting()).isZero();
        assertThat(workers.call("greedy", () -> "done")).isEqualTo("done");
    }

    @Test
    void lets_nobody_wait_for_a_thread_that_could_not_be_started() {
        var refused = new AtomicBoolean();
        var workers = new Workers(1, LONG, work -> {
            if (refused.compareAndSet(false, true)) throw new OutOfMemoryError("no thread");
            return Thread.ofPlatform().daemon().unstarted(work);
        });

        assertThatThrownBy(() -> workers.call("a", () -> true)).hasMessage("no thread");
        assertThat(workers.call("a", () -> true)).isTrue();
    }

    @Test
    void never_runs_more_than_it_may_and_loses_nothing() throws Exception {
        var workers = new Workers(3, LONG);
        var running = new AtomicInteger();
        var most = new AtomicInteger();
        var mostOfOne = new AtomicInteger();
        var ofShares = new ConcurrentHashMap<String, AtomicInteger>();
        List<Future<Integer>> answers = new ArrayList<>();
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 150; i++) {
                int number = i;
                String share = "share-" + i % 4;
                answers.add(callers.submit(() -> workers.call(share, () -> {
                    AtomicInteger own = ofShares.computeIfAbsent(share, _ -> new AtomicInteger());
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    mostOfOne.accumulateAndGet(own.incrementAndGet(), Math::max);
                    Thread.onSpinWait();
                    own.decrementAndGet();
                    running.decrementAndGet();
                    return number;
                })));
            }
        }

        for (int i = 0; i < answers.size(); i++)
            assertThat(answers.get(i).get()).isEqualTo(i);
        assertThat(most.get()).isLessThanOrEqualTo(3);
        assertThat(mostOfOne.get()).isLessThanOrEqualTo(2);
        assertThat(workers.waiting()).isZero();
        assertThat(workers.taken()).isEqualTo(150);
        until(() -> workers.running() == 0);
    }

    /// Callers whose work lasts until they are let go.
    private static final class Held implements AutoCloseable {
        private final CountDownLatch over = new CountDownLatch(1);
        private final List<CompletableFuture<Void>> callers = new ArrayList<>();

        Held(Workers workers, String share, int count) {
            for (int i = 0; i < count; i++) {
                var done = new CompletableFuture<Void>();
                callers.add(done);
                Thread.startVirtualThread(() -> {
                    workers.call(share, () -> {
                        over.await();
                        return share;
                    });
                    done.complete(null);
                });
            }
        }

        @Override
        public void close() {
            over.countDown();
            callers.forEach(CompletableFuture::join);
        }
    }

    private static Thread.Builder.OfVirtual carriedBy(Executor scheduler) throws ReflectiveOperationException {
        var builder =
                Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder").getDeclaredConstructor(Executor.class);
        builder.setAccessible(true);
        return (Thread.Builder.OfVirtual) builder.newInstance(scheduler);
    }
}
