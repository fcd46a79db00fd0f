package gateway.service;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The platform threads of this process for work that would hold up an IO thread: what computes for long, and libraries
/// that block. Few, so that such work has its share of the processors and no more, and they stand back for IO threads.
///
/// Work is done in the order in which it comes, but nobody has all threads: a share, such as an API's id, runs on all
/// but one of them at most, and its further work waits behind its own. What waits for too long, or finds too much
/// waiting, is not begun and says so.
public final class Workers {
    private static final int IDLE_SECONDS = 30;
    private static final int MOST_WAITING = 64; // long work of one share; of all together, so much for each thread
    private static final int LONG = 16; // so many pieces of brief work weigh as much as one of long
    private static final int BRIEF = 1;
    private static final int BRIEF_PATIENCE = 10; // times that of long work

    private final ThreadPoolExecutor threads;
    private final int mostRunning;
    private final int mostInside;
    private final Duration patience;
    private final ReentrantLock lock = new ReentrantLock(); // held for a few instructions, never while anything waits
    private final Map<String, Share> shares = new HashMap<>();
    private final LongAdder waitedNanos = new LongAdder();
    private final LongAdder taken = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private int inside; // by weight
    private int waiting;

    /// What one share has under way, and what waits behind that.
    private static final class Share {
        final ArrayDeque<WorkerJob<?>> waiting = new ArrayDeque<>();
        int weight; // of what waits
        int running;
    }

    /// @param patience how long work waits until it is refused
    public Workers(int threads, Duration patience) {
        this(threads, patience, standingBack());
    }

    private static ThreadFactory standingBack() {
        ThreadFactory factory = Thread.ofPlatform().daemon().name("worker-", 0).factory();
        return work -> factory.newThread(() -> {
            Niceness.ofThisThread(Niceness.OF_WORKERS);
            work.run();
        });
    }

    Workers(int threads, Duration patience, ThreadFactory factory) {
        this.patience = patience;
        this.mostRunning = Math.max(1, threads - 1);
        this.mostInside = threads * (1 + MOST_WAITING) * LONG;
        this.threads = new ThreadPoolExecutor(
                threads,
                threads,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(), // as long as `mostInside` lets it get
                factory);
        this.threads.allowCoreThreadTimeOut(true); // nothing is left to close
    }

    /// Does `work` on one of the threads while the calling one, which may be carried by an IO thread, waits. Throws
    /// what it throws.
    ///
    /// @param share whose work it is
    /// @throws WorkersBusyException when it was not begun
    public <T> T call(String share, Callable<T> work) {
        return call(new WorkerJob<>(this, share, LONG, work), patience);
    }

    /// The same for work of a millisecond or so, of which many pieces are done while one of the other kind is: more of
    /// it may wait, and for longer, since it waits for long only where the processors are busy otherwise.
    public <T> T callBriefly(String share, Callable<T> work) {
        return call(new WorkerJob<>(this, share, BRIEF, work), patience.multipliedBy(BRIEF_PATIENCE));
    }

    /// The same for who has no more than `most` time to wait.
    public <T> T callBriefly(String share, Duration most, Callable<T> work) {
        Duration usual = patience.multipliedBy(BRIEF_PATIENCE);
        return call(new WorkerJob<>(this, share, BRIEF, work), most.compareTo(usual) < 0 ? most : usual);
    }

    private <T> T call(WorkerJob<T> job, Duration most) {
        if (enter(job)) begin(job);
        return job.await(most);
    }

    /// Whether the job may be begun now; else it waits for its share.
    private boolean enter(WorkerJob<?> job) {
        lock.lock();
        try {
            if (inside + job.weight() > mostInside) throw busy(job.share());
            Share own = shares.computeIfAbsent(job.share(), _ -> new Share());
            boolean free = own.running < mostRunning;
            if (!free && own.weight + job.weight() > MOST_WAITING * LONG) throw busy(job.share());
            inside += job.weight();
            waiting++;
            if (free) {
                own.running++;
                return true;
            }
            own.waiting.add(job);
            own.weight += job.weight();
            return false;
        } finally {
            lock.unlock();
        }
    }

    private WorkersBusyException busy(String share) {
        refused.increment();
        return new WorkersBusyException(share);
    }

    private void begin(WorkerJob<?> job) {
        try {
            threads.execute(job);
        } catch (Throwable e) { // no thread to be had, say: nobody may wait for what is not begun
            job.fail(e);
            ended(job);
        }
    }

    /// A thread has taken the job.
    void taken(long nanos) {
        waitedNanos.add(nanos);
        taken.increment();
        lock.lock();
        try {
            waiting--;
        } finally {
            lock.unlock();
        }
    }

    /// Nobody waits for the job any more, which no thread has taken.
    WorkersBusyException left(WorkerJob<?> job) {
        lock.lock();
        try {
            waiting--;
            Share own = shares.get(job.share());
            if (own == null || !own.waiting.remove(job)) return busy(job.share()); // a thread will come upon it
            own.weight -= job.weight();
            inside -= job.weight();
        } finally {
            lock.unlock();
        }
        return busy(job.share());
    }

    /// A thread is done with the job: the next one of its share goes.
    void ended(WorkerJob<?> job) {
        WorkerJob<?> next = next(job);
        if (next != null) begin(next);
    }

    private @Nullable WorkerJob<?> next(WorkerJob<?> done) {
        lock.lock();
        try {
            inside -= done.weight();
            Share own = shares.get(done.share());
            if (own == null) throw new IllegalStateException("nothing of " + done.share() + " is under way");
            WorkerJob<?> next = own.waiting.poll();
            if (next != null) own.weight -= next.weight();
            else if (--own.running == 0) shares.remove(done.share());
            return next;
        } finally {
            lock.unlock();
        }
    }

    /// Work that threads are at.
    public int running() {
        return threads.getActiveCount();
    }

    /// Work that waits for a thread.
    public int waiting() {
        lock.lock();
        try {
            return waiting;
        } finally {
            lock.unlock();
        }
    }

    /// Threads there may be.
    public int most() {
        return threads.getMaximumPoolSize();
    }

    /// Pieces of work that were refused since the start.
    public long refused() {
        return refused.sum();
    }

    /// Pieces of work that have been taken by a thread since the start.
    public long taken() {
        return taken.sum();
    }

    /// Nanoseconds that those have waited for a thread, added up.
    public long waitedNanos() {
        return waitedNanos.sum();
    }
}
