package gateway.app.traffic;

import static gateway.Eventually.until;

import gateway.app.traffic.TrafficTarget.Credentials;
import gateway.service.TrafficRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// A sink with a real spill and a server behind a real socket. The test is the shipper's thread, and its clock.
final class SinkRig implements AutoCloseable {
    static final int BATCH = 10;

    private final LogLines log = LogLines.atTrace();
    private final SinkCounts tally = new SinkCounts();
    private final BatchPool pool = new BatchPool(BATCH, 1 << 20);
    private final BulkServer server;
    private final Cluster cluster;
    private final ElasticsearchSink sink;
    private final AtomicLong now = new AtomicLong(System.nanoTime());
    private volatile boolean byTestsClock;
    private int step = 1; // seconds a turn
    private long accepted;

    private SinkRig(Path folder, BulkServer server) {
        this.server = server;
        var target = TrafficTarget.Elasticsearch.of(List.of(server.uri()), new Credentials.None(), folder);
        this.cluster = Cluster.of(target, () -> byTestsClock ? now.get() : System.nanoTime());
        this.sink = new ElasticsearchSink(
                new BulkCalls(cluster, target.dataStream()),
                new IndexTemplate(cluster, target),
                3,
                Spill.open(folder, 1 << 20, 1 << 20, BATCH),
                new Verdicts(new DeadLetters(folder, 1 << 20, InstantSource.system()), now::get),
                new Availability(Backoff.usual(), now::get, new ClusterHealth(cluster)),
                tally,
                pool,
                () -> {});
    }

    static SinkRig start(Path folder) throws IOException {
        var rig = new SinkRig(folder, BulkServer.start());
        rig.sink.open();
        return rig;
    }

    BulkServer server() {
        return server;
    }

    Cluster cluster() {
        return cluster;
    }

    ElasticsearchSink sink() {
        return sink;
    }

    SinkCounts tally() {
        return tally;
    }

    void turnUntilShipping() {
        turnUntil(() -> sink.state().condition() == TrafficState.Condition.SHIPPING);
    }

    void ship(String... names) {
        for (String name : names) {
            Batch batch = batch(name);
            turnUntil(() -> sink.take(batch, false, now.get()));
            accepted += BATCH;
        }
    }

    void shipOneByOne(String... names) {
        for (String name : names) {
            ship(name);
            turnUntil(() -> sink.underWay() == 0);
        }
    }

    /// Batches that Elasticsearch refuses, each in a segment of its own.
    void spill(String... names) {
        turnUntilShipping();
        server.refuse(503, "{}");
        for (String name : names) {
            long before = sink.spilled();
            ship(name);
            turnUntil(() -> sink.spilled() == before + BATCH);
        }
    }

    /// Deadlines are by the machine's clock otherwise: the test's one outruns a server.
    void deadlinesByTheTestsClock() {
        byTestsClock = true;
    }

    /// From now on time passes only by [#pass].
    void stopClock() {
        step = 0;
    }

    void startClock() {
        step = 1;
    }

    void pass(int seconds) {
        now.addAndGet(Duration.ofSeconds(seconds).toNanos());
    }

    void turnUntil(BooleanSupplier condition) {
        until(
                () -> {
                    pass(step);
                    sink.turn(now.get());
                    return condition.getAsBoolean();
                },
                () -> sink.state() + " indexed " + tally.indexed() + " rejected " + tally.rejected() + " dropped "
                        + tally.dropped() + " spilled " + sink.spilled());
    }

    /// Whether every record is accounted for.
    boolean isBalanced() {
        return accepted + tally.recovered()
                == tally.indexed() + sink.spilled() + tally.rejected() + tally.dropped() + sink.underWay();
    }

    List<String> said(String words) {
        return log.warnings().stream().filter(line -> line.contains(words)).toList();
    }

    static List<String> ids(String... names) {
        return Stream.of(names)
                .flatMap(name -> IntStream.range(0, BATCH).mapToObj(i -> name + i))
                .toList();
    }

    @Override
    public void close() {
        sink.close();
        server.close();
        log.close();
    }

    private Batch batch(String name) {
        Batch batch = pool.take();
        var encoder = new RecordEncoder(name, "node-1", true);
        for (String id : ids(name)) {
            encoder.write(Records.record(id, "/", "curl", List.of(), TrafficRecord.Detail.NONE), batch.json());
            batch.close(now.get());
        }
        return batch;
    }
}
