package gateway.policies.cache;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// The thread that deflates answers for other nodes, so that no IO thread does: one, as sharing is worth less than
/// answering. Bounded: what finds too much waiting stays with this node.
final class ShareWriter {
    /// One for the process.
    record Id() {}

    private static final long MOST_WAITING = 8 << 20;
    private static final int IDLE_SECONDS = 30;

    private final AtomicLong waiting = new AtomicLong(); // bytes
    private final ThreadPoolExecutor thread = new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(), // as long as `MOST_WAITING` lets it get
            Thread.ofPlatform().daemon().name("cache-shares").factory());

    ShareWriter() {
        thread.allowCoreThreadTimeOut(true); // nothing is left to close
    }

    /// Does `work` soon, which holds so many bytes until then.
    void write(int bytes, Runnable work) {
        if (waiting.addAndGet(bytes) > MOST_WAITING) {
            waiting.addAndGet(-bytes);
            return;
        }
        thread.execute(() -> {
            try {
                work.run();
            } finally { // a fault is the thread's, after which another begins
                waiting.addAndGet(-bytes);
            }
        });
    }

    /// Bytes that wait or are being written.
    long waiting() {
        return waiting.get();
    }
}
