package gateway.app.traffic;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.time.InstantSource;

/// Builds the sink that settings ask for.
final class Sinks {
    private static final long DEAD_LETTER_BYTES = 16 << 20;

    private Sinks() {}

    static Sink open(TrafficSettings settings, SinkCounts tally, BatchPool pool, InstantSource clock, Runnable wake) {
        return switch (settings.target()) {
            case TrafficTarget.Stdout out ->
                new LineSink(LineOutput.to(new FileOutputStream(FileDescriptor.out)), tally, pool);
            case TrafficTarget.File file -> new LineSink(RotatingFile.open(file), tally, pool);
            case TrafficTarget.Elasticsearch target -> elasticsearch(settings, target, tally, pool, clock, wake);
        };
    }

    private static Sink elasticsearch(
            TrafficSettings settings,
            TrafficTarget.Elasticsearch target,
            SinkCounts tally,
            BatchPool pool,
            InstantSource clock,
            Runnable wake) {
        var spill = Spill.open(target.spill(), target.spillBytes(), settings.batchBytes(), settings.batchRecords());
        Cluster cluster = Cluster.of(target);
        return new ElasticsearchSink(
                new BulkCalls(cluster, target.dataStream()),
                new IndexTemplate(cluster, target),
                target.requestsInFlight(),
                spill,
                new Verdicts(new DeadLetters(target.spill(), DEAD_LETTER_BYTES, clock), System::nanoTime),
                new Availability(Backoff.usual(), System::nanoTime, new ClusterHealth(cluster)),
                tally,
                pool,
                wake);
    }
}
