package gateway.app.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.app.traffic.TrafficTarget.Credentials;
import gateway.app.traffic.TrafficTarget.Fsync;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrafficShipperTest {
    private static final URI NOWHERE = URI.create("http://127.0.0.1:9");

    @TempDir
    Path folder;

    @Test
    void writes_every_record_as_a_line_and_rotates() throws IOException {
        Path file = folder.resolve("traffic.ndjson");
        var target = new TrafficTarget.File(file, 100_000, 50, Fsync.INTERVAL);
        TrafficShipper shipper = start(target);

        for (int i = 0; i < 1000; i++) shipper.record(Records.numbered(i));
        shipper.close();

        assertThat(shipper.counts()).isEqualTo(new TrafficCounts(1000, 0, 1000, 0, 0, 0, 0, 0, 0));
        long lines = 0;
        try (var files = Files.list(folder)) {
            for (Path each : files.toList()) {
                assertThat(Files.size(each)).isLessThan(100_000);
                lines += Files.readAllLines(each).size();
            }
        }
        assertThat(lines).isEqualTo(1000);
        assertThat(folder.resolve("traffic.ndjson.1")).exists();
    }

    @Test
    void serves_and_spills_when_elasticsearch_is_unreachable_at_the_start() {
        TrafficShipper shipper = start(elasticsearch(folder, 1L << 20));

        for (int i = 0; i < 200; i++) shipper.record(Records.numbered(i));
        Await.until(() -> shipper.counts().spilled() == 200 && shipper.counts().isBalanced(), shipper::counts);

        assertThat(shipper.state().condition()).isEqualTo(TrafficState.Condition.AWAY);
        assertThat(shipper.state().reason()).contains("127.0.0.1:9");
        assertThat(shipper.counts().isBalanced()).isTrue();
        shipper.close();
        TrafficShipper next = start(elasticsearch(folder, 1L << 20));
        Await.until(() -> next.counts().recovered() == 200 && next.counts().isBalanced(), next::counts);
        assertThat(next.counts().isBalanced()).isTrue();
        next.close();
    }

    @Test
    void drops_the_oldest_over_the_bound_and_counts_them() {
        TrafficShipper shipper = start(elasticsearch(folder, 200_000));
        Await.until(() -> shipper.state().condition() == TrafficState.Condition.AWAY, shipper::counts);

        for (int i = 0; i < 2000; i++) shipper.record(Records.numbered(i));
        shipper.close();

        TrafficCounts counts = shipper.counts();
        assertThat(counts.isBalanced()).isTrue();
        assertThat(counts.accepted()).isEqualTo(2000);
        assertThat(counts.dropped()).isGreaterThan(1000);
        assertThat(counts.spilled()).isEqualTo(2000 - counts.dropped()).isGreaterThan(100);
        assertThat(counts.spillBytes()).isLessThanOrEqualTo(200_000);
    }

    /// On a file system of its own where that may be mounted; else in a folder that is taken away.
    @Test
    void drops_and_counts_what_a_full_disk_does_not_take_and_goes_on() throws IOException, InterruptedException {
        Path small = Files.createDirectories(folder.resolve("small"));
        boolean mounted = new ProcessBuilder("mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", small.toString())
                        .start()
                        .waitFor()
                == 0;
        try {
            TrafficShipper shipper = start(elasticsearch(small, 1L << 30));
            Await.until(() -> shipper.state().condition() == TrafficState.Condition.AWAY, shipper::counts);
            if (!mounted) Files.delete(small.resolve("lock"));
            if (!mounted) Files.delete(small);

            for (int i = 0; i < 1000; i++) shipper.record(Records.numbered(i));
            shipper.close();

            TrafficCounts counts = shipper.counts();
            assertThat(counts.isBalanced()).isTrue();
            assertThat(counts.accepted()).isEqualTo(1000);
            assertThat(counts.dropped()).isGreaterThan(500);
            if (mounted) assertThat(counts.spilled()).isGreaterThan(50);
            if (mounted) assertThat(onDisk(small)).isEqualTo(counts.spilled());
        } finally {
            if (mounted) new ProcessBuilder("umount", small.toString()).start().waitFor();
        }
    }

    @Test
    void counts_what_comes_after_the_end_as_dropped() {
        TrafficShipper shipper = start(new TrafficTarget.File(folder.resolve("log"), 1 << 20, 1, Fsync.NEVER));
        shipper.close();

        shipper.record(Records.numbered(1));

        assertThat(shipper.counts()).isEqualTo(new TrafficCounts(1, 0, 0, 0, 0, 0, 1, 0, 0));
    }

    @Test
    void cuts_off_the_line_that_a_killed_process_left_unfinished() throws IOException {
        Path file = folder.resolve("log");
        Files.writeString(file, "{\"whole\":1}\n{\"torn\":");

        TrafficShipper shipper = start(new TrafficTarget.File(file, 1 << 20, 1, Fsync.ALWAYS));
        shipper.record(Records.numbered(1));
        shipper.close();

        assertThat(Files.readAllLines(file)).hasSize(2).first().isEqualTo("{\"whole\":1}");
    }

    @Test
    void refuses_to_start_on_a_folder_that_another_gateway_uses() {
        TrafficShipper first = start(elasticsearch(folder, 1 << 20));

        assertThatThrownBy(() -> start(elasticsearch(folder, 1 << 20)))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining(folder.toString())
                .hasMessageContaining("another gateway uses it");
        first.close();
    }

    @Test
    void ships_what_it_spilled_when_elasticsearch_answers_503_no_longer() throws IOException {
        try (BulkServer server = BulkServer.start()) {
            server.refuse(503, "{}");
            TrafficShipper shipper = start(elasticsearch(server.uri(), folder, 1L << 20));
            for (int i = 0; i < 200; i++) shipper.record(Records.numbered(i));
            Await.until(() -> shipper.counts().spilled() == 200, shipper::counts);

            server.accept();
            Await.until(() -> shipper.counts().indexed() == 200, shipper::counts);
            shipper.close();

            assertThat(shipper.counts()).isEqualTo(new TrafficCounts(200, 0, 200, 0, 200, 0, 0, 0, 0));
            assertThat(server.requests()).containsExactlyInAnyOrderElementsOf(requests(0, 200));
        }
    }

    @Test
    void ships_past_a_folder_named_as_a_segment() throws IOException {
        Files.createDirectories(folder.resolve("0000000000000009.segment"));
        try (BulkServer server = BulkServer.start()) {
            TrafficShipper shipper = start(elasticsearch(server.uri(), folder, 1L << 20));
            for (int i = 0; i < 200; i++) shipper.record(Records.numbered(i));
            Await.until(() -> shipper.counts().indexed() == 200, shipper::counts);

            assertThat(shipper.state().condition()).isEqualTo(TrafficState.Condition.SHIPPING);
            shipper.close();
            assertThat(shipper.counts()).isEqualTo(new TrafficCounts(200, 0, 200, 0, 0, 0, 0, 0, 0));
            assertThat(folder.resolve("0000000000000009.segment.unreadable")).isDirectory();
        }
    }

    @Test
    void tries_again_to_open_a_sink_that_breaks_and_says_meanwhile_that_it_stumbles() {
        var sink = new OddSink();
        sink.failure = new UncheckedIOException(new IOException("no folder"));
        TrafficShipper shipper = TrafficShipper.start(settings(elasticsearch(folder, 1)), sink::with);
        shipper.record(Records.numbered(1));
        Await.until(() -> sink.opened.get() > 1, shipper::state);
        assertThat(shipper.state().condition()).isEqualTo(TrafficState.Condition.AWAY);
        assertThat(shipper.state().reason()).contains("stumbled").contains("no folder");

        sink.failure = null;
        Await.until(() -> shipper.counts().indexed() == 1, shipper::counts);

        assertThat(shipper.state().condition()).isEqualTo(TrafficState.Condition.SHIPPING);
        shipper.close();
    }

    @Test
    void outlives_errors_of_the_machine_in_every_part_of_its_work() {
        var sink = new OddSink();
        TrafficShipper shipper = TrafficShipper.start(settings(elasticsearch(folder, 1)), sink::with);
        shipper.record(Records.numbered(1));
        Await.until(() -> shipper.counts().indexed() == 1, shipper::counts);

        sink.failure = new OutOfMemoryError("for the test");
        shipper.record(Records.numbered(2));
        Await.until(() -> sink.stumbled.get() > 3, shipper::state);
        assertThat(shipper.state().reason()).contains("OutOfMemoryError: for the test");
        assertThat(shipper.counts().isBalanced()).isTrue();
        sink.failure = null;
        Await.until(() -> shipper.counts().indexed() == 2, shipper::counts);

        sink.failure = new OutOfMemoryError("for the test");
        shipper.record(Records.numbered(3));
        Await.until(() -> sink.stumbled.get() > 6, shipper::state);
        shipper.hurry(Duration.ofMillis(1));
        shipper.close();
        assertThat(shipper.counts()).isEqualTo(new TrafficCounts(3, 0, 2, 0, 0, 0, 1, 0, 0));
    }

    private static List<String> requests(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "request-" + i).toList();
    }

    /// Breaks for as long as it has a failure.
    private static final class OddSink implements Sink {
        private final AtomicInteger opened = new AtomicInteger();
        private final AtomicInteger stumbled = new AtomicInteger();
        private volatile @Nullable Throwable failure;
        private Tally tally;
        private BatchPool pool;

        Sink with(Tally counts, BatchPool batches, Runnable wake) {
            tally = counts;
            pool = batches;
            return this;
        }

        @Override
        public void open() {
            opened.incrementAndGet();
            breakIfOdd();
        }

        @Override
        public boolean take(Batch batch, boolean urgent, long nowNanos) {
            breakIfOdd();
            tally.addIndexed(batch.count());
            pool.give(batch);
            return true;
        }

        @Override
        public boolean turn(long nowNanos) {
            breakIfOdd();
            return false;
        }

        @Override
        public TrafficState state() {
            return new TrafficState(TrafficState.Condition.SHIPPING, "");
        }

        @Override
        public void close() {
            breakIfOdd();
        }

        private void breakIfOdd() {
            Throwable odd = failure;
            if (odd == null) return;
            stumbled.incrementAndGet();
            if (odd instanceof RuntimeException exception) throw exception;
            throw (Error) odd;
        }
    }

    private static long onDisk(Path spill) throws IOException {
        long found = 0;
        try (var files = Files.list(spill)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".segment")).toList()) {
                found += Segment.count(file);
            }
        }
        return found;
    }

    private static TrafficShipper start(TrafficTarget target) {
        return TrafficShipper.start(settings(target), InstantSource.system());
    }

    private static TrafficSettings settings(TrafficTarget target) {
        return new TrafficSettings(
                "node-1", 16_384, 50, 1 << 20, Duration.ofMillis(50), Duration.ofSeconds(10), target);
    }

    private static TrafficTarget elasticsearch(Path spill, long spillBytes) {
        return elasticsearch(NOWHERE, spill, spillBytes);
    }

    private static TrafficTarget elasticsearch(URI node, Path spill, long spillBytes) {
        return new TrafficTarget.Elasticsearch(
                List.of(node),
                new Credentials.None(),
                Optional.empty(),
                TrafficTarget.Elasticsearch.DATA_STREAM,
                Duration.ofDays(1),
                Optional.empty(),
                3,
                Duration.ofSeconds(2),
                spill,
                spillBytes);
    }
}
