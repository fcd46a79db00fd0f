package gateway.wire.io;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.Xnio;
import org.xnio.XnioIoThread;
import org.xnio.XnioWorker;

@SuppressWarnings("LockNotBeforeTry") // the order of waiting is what is tested
final class RequestThreadsTest {
    private XnioWorker worker;
    private XnioIoThread io;
    private final List<RequestThreads> opened = new CopyOnWriteArrayList<>();

    @BeforeEach
    void start() throws Exception {
        worker = Xnio.getInstance().createWorker(OptionMap.create(Options.WORKER_IO_THREADS, 1));
        io = worker.getIoThread();
    }

    @AfterEach
    void stop() {
        worker.shutdownNow();
        opened.forEach(RequestThreads::close);
    }

    @ParameterizedTest
    @EnumSource(RequestThreadMode.class)
    @SuppressWarnings("ThreadPriorityCheck") // yielding is what is tested
    void a_thread_that_yields_again_and_again_ends(RequestThreadMode mode) throws Exception {
        var ended = new CompletableFuture<Integer>();

        run(mode, () -> {
            int yields = 0;
            for (; yields < 100_000; yields++) Thread.yield();
            ended.complete(yields);
        });

        assertThat(ended.get(30, TimeUnit.SECONDS)).isEqualTo(100_000);
    }

    @ParameterizedTest
    @EnumSource(RequestThreadMode.class)
    void a_thread_is_virtual_parks_and_is_woken_from_any_thread(RequestThreadMode mode) throws Exception {
        var parked = new CompletableFuture<Thread>();
        var woken = new CompletableFuture<Boolean>();
        var go = new AtomicReference<>(false);

        run(mode, () -> {
            parked.complete(Thread.currentThread());
            while (!go.get()) LockSupport.park();
            woken.complete(Thread.currentThread().isVirtual());
        });
        Thread thread = parked.get(10, TimeUnit.SECONDS);
        go.set(true);
        LockSupport.unpark(thread);

        assertThat(woken.get(10, TimeUnit.SECONDS)).isTrue();
    }

    @ParameterizedTest
    @EnumSource(RequestThreadMode.class)
    void work_for_the_io_thread_runs_there_once_the_thread_has_left_it(RequestThreadMode mode) throws Exception {
        var ran = new CompletableFuture<Thread>();

        io.execute(() -> {
            RequestThread thread = threads(mode).on(io);
            thread.start(() -> thread.onIoThread(() -> ran.complete(Thread.currentThread())));
        });

        assertThat(ran.get(10, TimeUnit.SECONDS)).isSameAs(io);
    }

    @Test
    void requests_run_on_the_scheduler_of_the_jdk_when_it_has_no_way_to_carry_them() throws Exception {
        RequestThreads threads = RequestThreads.of(RequestThreadMode.IO, "java.lang.NoSuchBuilder");
        var virtual = new CompletableFuture<Boolean>();

        io.execute(() -> threads.on(io)
                .start(() -> virtual.complete(Thread.currentThread().isVirtual())));

        assertThat(threads.mode()).isEqualTo(RequestThreadMode.JDK);
        assertThat(virtual.get(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void requests_run_on_the_scheduler_of_the_jdk_when_the_builder_takes_no_scheduler() {
        RequestThreads threads = RequestThreads.of(RequestThreadMode.IO, "java.lang.Object");

        assertThat(threads.mode()).isEqualTo(RequestThreadMode.JDK);
    }

    @ParameterizedTest
    @EnumSource(RequestThreadMode.class)
    void one_request_after_the_other_runs_on_a_thread_of_its_own(RequestThreadMode mode) throws Exception {
        var first = new CompletableFuture<Thread>();
        var second = new CompletableFuture<Thread>();

        io.execute(() -> {
            RequestThread thread = threads(mode).on(io);
            thread.start(() -> {
                first.complete(Thread.currentThread());
                thread.onIoThread(() -> thread.start(() -> second.complete(Thread.currentThread())));
            });
        });

        assertThat(second.get(10, TimeUnit.SECONDS)).isNotSameAs(first.get(10, TimeUnit.SECONDS));
    }

    @ParameterizedTest
    @EnumSource(RequestThreadMode.class)
    @SuppressWarnings("ThreadPriorityCheck") // turns are what is tested
    void threads_that_a_request_starts_all_come_to_their_end_as_it_does(RequestThreadMode mode) throws Exception {
        var over = new CompletableFuture<Integer>();

        run(mode, () -> {
            var ended = new CountDownLatch(20);
            for (int i = 0; i < 20; i++) {
                Thread.startVirtualThread(() -> {
                    for (int yields = 0; yields < 100; yields++) Thread.yield();
                    ended.countDown();
                });
            }
            for (int yields = 0; yields < 100; yields++) Thread.yield();
            awaitEnd(ended);
            over.complete(20);
        });

        assertThat(over.get(10, TimeUnit.SECONDS)).isEqualTo(20);
    }

    private static void awaitEnd(CountDownLatch ended) {
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// The IO thread is behind the request thread in a lock's queue, and the request thread needs the IO thread.
    @ParameterizedTest
    @EnumSource(RequestThreadMode.class)
    void a_thread_and_its_io_thread_that_wait_for_one_lock_both_get_it(RequestThreadMode mode) throws Exception {
        var lock = new ReentrantLock();
        var threadHadIt = new CompletableFuture<Void>();
        var ioThreadHadIt = new CompletableFuture<Void>();

        lock.lock();
        run(mode, () -> use(lock, threadHadIt));
        awaitQueue(lock, 1);
        io.execute(() -> use(lock, ioThreadHadIt));
        awaitQueue(lock, 2);
        lock.unlock();

        threadHadIt.get(10, TimeUnit.SECONDS);
        ioThreadHadIt.get(10, TimeUnit.SECONDS);
    }

    /// The request thread waits for another lock with one in its hands that the IO thread then wants.
    @ParameterizedTest
    @EnumSource(RequestThreadMode.class)
    void a_thread_whose_io_thread_waits_for_its_monitor_goes_on(RequestThreadMode mode) throws Exception {
        var held = new Object();
        var wanted = new ReentrantLock();
        var threadHadIt = new CompletableFuture<Void>();
        var ioThreadHadIt = new CompletableFuture<Void>();

        wanted.lock();
        run(mode, () -> {
            synchronized (held) {
                use(wanted, threadHadIt);
            }
        });
        awaitQueue(wanted, 1);
        io.execute(() -> {
            synchronized (held) {
                ioThreadHadIt.complete(null);
            }
        });
        until(() -> io.getState() == Thread.State.BLOCKED);
        wanted.unlock();

        threadHadIt.get(10, TimeUnit.SECONDS);
        ioThreadHadIt.get(10, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @EnumSource(RequestThreadMode.class)
    void a_thread_that_its_io_thread_wakes_from_inside_a_monitor_waits_for_it(RequestThreadMode mode) throws Exception {
        assertWaitsForItsWaker(mode, io);
    }

    @ParameterizedTest
    @EnumSource(RequestThreadMode.class)
    void a_thread_that_another_one_wakes_from_inside_a_monitor_waits_for_it(RequestThreadMode mode) throws Exception {
        assertWaitsForItsWaker(mode, body -> run(mode, body));
    }

    private void assertWaitsForItsWaker(RequestThreadMode mode, Executor waker) throws Exception {
        var monitor = new Object();
        var go = new AtomicReference<>(false);
        var inside = new AtomicReference<>(false);
        var parked = new CompletableFuture<Thread>();
        var metWaker = new CompletableFuture<Boolean>();

        run(mode, () -> {
            parked.complete(Thread.currentThread());
            while (!go.get()) LockSupport.park();
            synchronized (monitor) {
                metWaker.complete(inside.get());
            }
        });
        Thread thread = parked.get(10, TimeUnit.SECONDS);
        waker.execute(() -> {
            synchronized (monitor) {
                inside.set(true);
                go.set(true);
                LockSupport.unpark(thread);
                inside.set(false);
            }
        });

        assertThat(metWaker.get(10, TimeUnit.SECONDS)).isFalse();
    }

    /// Nothing of what the callback woke waits for what else the IO thread has to do.
    @ParameterizedTest
    @EnumSource(RequestThreadMode.class)
    void what_a_callback_wakes_goes_on_before_the_callbacks_after_it(RequestThreadMode mode) throws Exception {
        RequestThreads threads = threads(mode);
        var order = new CopyOnWriteArrayList<String>();
        var done = new CompletableFuture<Void>();

        io.execute(() -> {
            Thread woken = parkedOn(threads, () -> order.add("woken"));
            io.execute(() -> {
                order.add("next callback");
                done.complete(null);
            });
            LockSupport.unpark(woken);
            order.add("callback");
            threads.turnsOn(io).run();
        });
        done.get(10, TimeUnit.SECONDS);

        if (mode == RequestThreadMode.IO) assertThat(order).containsExactly("callback", "woken", "next callback");
        else
            assertThat(order).containsSubsequence("callback", "next callback"); // the JDK's scheduler has its own order
    }

    @Test
    void a_request_whose_turn_breaks_takes_none_of_the_others_along() throws Exception {
        RequestThreads threads = threads(RequestThreadMode.IO);
        var other = new CompletableFuture<Void>();

        io.execute(() -> {
            RequestThread breaking = threads.on(io);
            Thread[] first = new Thread[1];
            breaking.start(() -> {
                first[0] = Thread.currentThread();
                LockSupport.park();
                breaking.onIoThread(() -> {
                    throw new IllegalStateException("meant to break");
                });
            });
            Thread second = parkedOn(threads, () -> other.complete(null));
            LockSupport.unpark(first[0]);
            LockSupport.unpark(second);
            threads.turnsOn(io).run();
        });

        other.get(10, TimeUnit.SECONDS);
    }

    @Test
    void turns_are_not_run_inside_of_a_turn_or_on_another_thread() throws Exception {
        RequestThreads threads = threads(RequestThreadMode.IO);
        var order = new CopyOnWriteArrayList<String>();
        var done = new CompletableFuture<Void>();

        io.execute(() -> {
            Thread woken = parkedOn(threads, () -> {
                order.add("woken");
                done.complete(null);
            });
            threads.on(io).start(() -> {
                LockSupport.unpark(woken);
                threads.turnsOn(io).run();
                order.add("turn is over");
            });
        });
        threads.turnsOn(io).run();
        done.get(10, TimeUnit.SECONDS);

        assertThat(order).containsExactly("turn is over", "woken");
    }

    /// A request's thread that has parked and runs `body` when it is woken. On the IO thread.
    private Thread parkedOn(RequestThreads threads, Runnable body) {
        var started = new AtomicReference<Thread>();
        threads.on(io).start(() -> {
            started.set(Thread.currentThread());
            LockSupport.park();
            body.run();
        });
        while (started.get() == null) Thread.onSpinWait(); // where the JDK's scheduler starts it
        return started.get();
    }

    /// What a rescued thread leaves to do on channels is done by the IO thread, and its next turn is there again.
    @Test
    void a_rescued_thread_returns_to_its_io_thread() throws Exception {
        var lock = new ReentrantLock();
        var ran = new CompletableFuture<Thread>();
        var second = new CompletableFuture<Void>();

        lock.lock();
        io.execute(() -> {
            RequestThread thread = threads(RequestThreadMode.IO).on(io);
            thread.start(() -> {
                use(lock, new CompletableFuture<>());
                thread.onIoThread(() -> {
                    ran.complete(Thread.currentThread());
                    thread.start(() -> second.complete(null));
                });
            });
        });
        awaitQueue(lock, 1);
        io.execute(() -> use(lock, new CompletableFuture<>()));
        awaitQueue(lock, 2);
        lock.unlock();

        assertThat(ran.get(10, TimeUnit.SECONDS)).isSameAs(io);
        second.get(10, TimeUnit.SECONDS);
        until(() -> opened.getFirst().rescued() > 0); // counted once all have begun
        assertThat(opened.getFirst().rescued()).isEqualTo(1);
    }

    private static void use(ReentrantLock lock, CompletableFuture<Void> had) {
        lock.lock();
        try {
            had.complete(null);
        } finally {
            lock.unlock();
        }
    }

    private static void awaitQueue(ReentrantLock lock, int length) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (lock.getQueueLength() < length) {
            if (System.nanoTime() - end > 0) throw new AssertionError("only " + lock.getQueueLength() + " wait");
            LockSupport.parkNanos(1_000_000);
        }
    }

    private void run(RequestThreadMode mode, Runnable body) {
        io.execute(() -> threads(mode).on(io).start(body));
    }

    private RequestThreads threads(RequestThreadMode mode) {
        RequestThreads threads = RequestThreads.of(mode);
        opened.add(threads);
        return threads;
    }
}
