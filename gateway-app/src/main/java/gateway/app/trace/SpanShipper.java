package gateway.app.trace;

import gateway.app.stop.GracePeriod;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/// Ended spans on their way to the collector: a bounded queue that takes no lock, and one thread that empties it once
/// a second or as soon as a batch is full.
final class SpanShipper implements AutoCloseable {
    private static final int MOST_WAITING = 16_384;
    private static final int BATCH = 512;
    private static final long EVERY = TimeUnit.SECONDS.toNanos(1);
    private static final Duration LAST_WAIT = Duration.ofMillis(250);

    private final SpanExporter exporter;
    private final Collector collector;
    private final Duration timeout;
    private final ConcurrentLinkedQueue<SpanData> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final LongAdder ended = new LongAdder();
    private final LongAdder exported = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private final Thread thread =
            Thread.ofPlatform().daemon().name("span-shipper").unstarted(this::run);
    private final GracePeriod grace;
    private volatile boolean closing;

    private SpanShipper(SpanExporter exporter, Collector collector, Duration timeout) {
        this.exporter = exporter;
        this.collector = collector;
        this.timeout = timeout;
        this.grace = new GracePeriod(timeout);
    }

    static SpanShipper start(SpanExporter exporter, Collector collector, Duration timeout) {
        var shipper = new SpanShipper(exporter, collector, timeout);
        shipper.thread.start();
        return shipper;
    }

    /// From any thread; returns at once.
    void offer(SpanData span) {
        ended.increment();
        int before = waiting.getAndIncrement();
        if (before >= MOST_WAITING || closing) {
            waiting.decrementAndGet();
            dropped.increment();
            return;
        }
        queue.add(span);
        if (before == BATCH - 1) LockSupport.unpark(thread);
    }

    SpanCounts counts() {
        long gone = exported.sum();
        long lost = dropped.sum();
        return new SpanCounts(ended.sum(), gone, lost);
    }

    @Override
    public void close() {
        closing = true;
        LockSupport.unpark(thread);
        try {
            if (!grace.join(thread)) thread.interrupt();
            thread.join(LAST_WAIT);
            shutDownExporter().join(LAST_WAIT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        while (queue.poll() != null) dropped.increment();
    }

    /// Its HTTP client waits for answers under way however slowly they come; who waits for that is a daemon.
    private Thread shutDownExporter() {
        return Thread.ofPlatform().daemon().name("span-exporter-end").start(exporter::shutdown);
    }

    /// Gives up waiting for the collector after `most`, counted from now when closing has begun.
    void hurry(Duration most) {
        grace.shorten(most);
    }

    private void run() {
        while (true) {
            boolean last = closing;
            if (!last && waiting.get() < BATCH) LockSupport.parkNanos(this, EVERY);
            while (!grace.isOver()) {
                List<SpanData> batch = batch();
                if (batch.isEmpty()) break;
                ship(batch);
            }
            if (last || Thread.interrupted()) return;
        }
    }

    private List<SpanData> batch() {
        var batch = new ArrayList<SpanData>();
        while (batch.size() < BATCH) {
            SpanData span = queue.poll();
            if (span == null) break;
            batch.add(span);
        }
        waiting.addAndGet(-batch.size());
        return batch;
    }

    private void ship(List<SpanData> batch) {
        CompletableResultCode result;
        try {
            result = exporter.export(batch).join(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RuntimeException | Error e) { // the thread has to outlive whatever it is
            result = CompletableResultCode.ofExceptionalFailure(e);
        }
        if (result.isSuccess()) {
            exported.add(batch.size());
            collector.took();
            return;
        }
        dropped.add(batch.size());
        collector.refused(result.getFailureThrowable());
    }
}
