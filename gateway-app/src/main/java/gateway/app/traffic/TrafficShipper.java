package gateway.app.traffic;

import gateway.app.stop.GracePeriod;
import gateway.service.TrafficLog;
import gateway.service.TrafficRecord;
import gateway.wire.memory.Kind;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The traffic log: requests put records into a bounded queue, one thread encodes and ships them.
///
/// The thread is one of the operating system, not a virtual one: policies that burn CPU on the JDK's scheduler must not
/// keep it from emptying the queue. It looks every few milliseconds rather than being woken, so that a request pays for
/// no wake-up. Decision 0050 has the figures.
public final class TrafficShipper implements TrafficLog, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(TrafficShipper.class);
    private static final long PAUSE = 5_000_000;
    private static final long IDLE_PAUSE = 20_000_000;
    private static final long PATIENCE = 2_000_000_000; // for a place among the requests in flight
    private static final Duration LAST_WRITES = Duration.ofSeconds(5);
    private static final int BACKLOG = 8_192; // records in the queue at which to wait for no such place

    private final TrafficSettings settings;
    private final RecordRing ring;
    private final RecordEncoder encoder;
    private final BatchPool pool;
    private final SinkCounts tally;
    private final Sink sink;
    private final LongAdder refused = new LongAdder(); // the queue was full
    private final ShipperFailures turning = new ShipperFailures();
    private final ShipperFailures shipping = new ShipperFailures();
    private final Thread thread;
    private Batch current;
    private boolean opened;
    private volatile int gathered; // records in `current`
    private volatile boolean closing;
    private volatile boolean closed;
    private volatile boolean abandoned; // did not end in time
    private final GracePeriod grace;

    /// Makes the sink.
    @FunctionalInterface
    interface Sinking {
        /// @param wake makes the shipper call [Sink#turn] soon; from any thread
        Sink open(SinkCounts tally, BatchPool pool, Runnable wake);
    }

    private TrafficShipper(TrafficSettings settings, Sinking sinking) {
        this.settings = settings;
        this.grace = new GracePeriod(settings.closeTimeout());
        this.ring = new RecordRing(settings.queue(), queueBytes());
        this.pool = new BatchPool(settings.batchRecords(), settings.batchBytes());
        this.tally = new SinkCounts();
        this.thread = Thread.ofPlatform().name("traffic-shipper").daemon().unstarted(this::run);
        this.sink = sinking.open(tally, pool, () -> LockSupport.unpark(thread));
        boolean actions = settings.target() instanceof TrafficTarget.Elasticsearch;
        this.encoder = new RecordEncoder(RunId.make(), settings.node(), actions);
        this.current = pool.take();
    }

    /// Opens what records go to and starts shipping. An Elasticsearch that is away does not keep it from starting.
    ///
    /// @throws java.io.UncheckedIOException when a file or folder cannot be used
    public static TrafficShipper start(TrafficSettings settings, InstantSource clock) {
        return start(settings, (tally, pool, wake) -> Sinks.open(settings, tally, pool, clock, wake));
    }

    static TrafficShipper start(TrafficSettings settings, Sinking sinking) {
        var shipper = new TrafficShipper(settings, sinking);
        shipper.thread.start();
        return shipper;
    }

    @Override
    public void record(TrafficRecord record) {
        if (!closing && ring.offer(record)) return;
        refused.increment();
        record.release();
    }

    /// What became of the records so far. Every term is exact; together they are a moment's view.
    public TrafficCounts counts() {
        boolean ended = closed || abandoned;
        long open = open();
        long lost = ended ? open : 0; // nobody is there to see to it
        return new TrafficCounts(
                ring.offered() + refused.sum(),
                tally.recovered(),
                tally.indexed(),
                sink.spilled(),
                tally.replayed(),
                tally.rejected(),
                tally.dropped() + refused.sum() + lost,
                open - lost,
                sink.spillBytes());
    }

    /// Records that were at hand when the thread ended, or when [#close] gave up waiting for it: among those dropped.
    /// Should it go on after all, they become fewer.
    public long lost() {
        return closed || abandoned ? open() : 0;
    }

    /// Records that wait in the ring: a moment's view.
    public int queued() {
        return ring.size();
    }

    /// About how many bytes these take: a moment's view.
    public int queuedBytes() {
        return ring.bytes();
    }

    /// Records that the ring holds at most.
    public int queueCapacity() {
        return ring.capacity();
    }

    public TrafficState state() {
        return turning.state().or(shipping::state).orElseGet(sink::state);
    }

    /// Takes no more records, ships those at hand and spills what is not acknowledged by the deadline. A thread that
    /// does not end soon after that is left alone, and what it had at hand is [#lost].
    @Override
    public void close() {
        if (!beginToClose()) return;
        LockSupport.unpark(thread);
        if (hasEnded()) return;
        abandoned = true;
        log.error("the traffic log does not end");
    }

    /// What is on its way to the disk when the time is over may take a little longer.
    private boolean hasEnded() {
        try {
            return grace.join(thread) || thread.join(LAST_WRITES);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /// Gives up waiting for answers after `most`, counted from now when closing has begun.
    public void hurry(Duration most) {
        grace.shorten(most);
        LockSupport.unpark(thread);
    }

    private long open() {
        return gathered + sink.underWay() + ring.size();
    }

    private synchronized boolean beginToClose() {
        if (closing) return false;
        grace.begin();
        closing = true;
        return true;
    }

    private void run() {
        try {
            while (!isDone()) {
                if (step(System.nanoTime())) continue;
                LockSupport.parkNanos(current.count() > 0 || sink.underWay() > 0 ? PAUSE : IDLE_PAUSE);
            }
            turning.pass(System.nanoTime(), this::end);
        } finally {
            closed = true;
        }
    }

    /// One half does not keep the other from its work. Before the sink is open records wait in the queue.
    private boolean step(long now) {
        boolean turned = turning.mayTry(now) && turning.pass(now, () -> turn(now));
        boolean shipped = opened && shipping.mayTry(now) && shipping.pass(now, () -> ship(now));
        return turned || shipped;
    }

    private boolean turn(long now) {
        if (!opened) sink.open();
        opened = true;
        return sink.turn(now);
    }

    private boolean ship(long now) {
        int before = current.count();
        fill(now);
        boolean worked = current.count() > before;
        if (!isDue(now)) return worked;
        if (!sink.take(current, isUrgent(now), now)) return worked;
        current = pool.take();
        gathered = 0;
        return true;
    }

    private boolean end() {
        sink.close();
        return true;
    }

    private void fill(long now) {
        while (!current.isFull()) {
            TrafficRecord record = ring.poll();
            if (record == null) return;
            encode(record, now);
        }
    }

    private void encode(TrafficRecord record, long now) {
        try {
            encoder.write(record, current.json());
            current.close(now);
            gathered = current.count();
        } catch (Throwable e) {
            current.discard();
            tally.addDropped(1);
            shipping.tell(now, "a traffic record could not be written", e);
        } finally {
            record.release();
        }
    }

    private boolean isDue(long now) {
        if (current.count() == 0) return false;
        return closing
                || current.isFull()
                || current.age(now) >= settings.flushAge().toNanos();
    }

    private boolean isUrgent(long now) {
        return ring.size() > Math.min(BACKLOG, ring.capacity() / 2) || current.age(now) > PATIENCE || grace.isOver();
    }

    private boolean isDone() {
        if (!closing) return false;
        if (hasStumbled() && grace.isOver()) return true;
        if (ring.size() > 0 || current.count() > 0) return false;
        return sink.underWay() == 0 || grace.isOver();
    }

    private static int queueBytes() {
        return (int) Math.min(
                RecordRing.MOST_BYTES, Kind.QUEUE.most(Runtime.getRuntime().maxMemory(), 0));
    }

    private boolean hasStumbled() {
        return turning.state().isPresent() || shipping.state().isPresent();
    }
}
