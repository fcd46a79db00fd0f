package gateway.app.traffic;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.app.traffic.TrafficTarget.Fsync;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The traffic log from its records to files, the spill and an Elasticsearch behind a real socket.
final class TrafficShipperTest {
    @TempDir
    private Path folder;

    @Test
    void writes_every_record_as_a_line_and_rotates() throws IOException {
        Path file = folder.resolve("traffic.ndjson");
        var target = new TrafficTarget.File(file, 100_000, 50, Fsync.INTERVAL);
        TrafficShipper shipper = TestShippers.start(target);

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
        TrafficShipper shipper = TestShippers.start(TestShippers.elasticsearch(folder, 1L << 20));

        for (int i = 0; i < 200; i++) shipper.record(Records.numbered(i));
        until(() -> shipper.counts().spilled() == 200 && shipper.counts().isBalanced(), shipper::counts);

        assertThat(shipper.state().condition()).isEqualTo(TrafficState.Condition.AWAY);
        assertThat(shipper.state().reason()).contains("127.0.0.1:9");
        assertThat(shipper.counts().isBalanced()).isTrue();
        shipper.close();
        TrafficShipper next = TestShippers.start(TestShippers.elasticsearch(folder, 1L << 20));
        until(() -> next.counts().recovered() == 200 && next.counts().isBalanced(), next::counts);
        assertThat(next.counts().isBalanced()).isTrue();
        next.close();
    }

    @Test
    void drops_the_oldest_over_the_bound_and_counts_them() {
        TrafficShipper shipper = TestShippers.start(TestShippers.elasticsearch(folder, 200_000));
        until(() -> shipper.state().condition() == TrafficState.Condition.AWAY, shipper::counts);

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
            TrafficShipper shipper = TestShippers.start(TestShippers.elasticsearch(small, 1L << 30));
            until(() -> shipper.state().condition() == TrafficState.Condition.AWAY, shipper::counts);
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
        TrafficShipper shipper =
                TestShippers.start(new TrafficTarget.File(folder.resolve("log"), 1 << 20, 1, Fsync.NEVER));
        shipper.close();

        shipper.record(Records.numbered(1));

        assertThat(shipper.counts()).isEqualTo(new TrafficCounts(1, 0, 0, 0, 0, 0, 1, 0, 0));
    }

    @Test
    void cuts_off_the_line_that_a_killed_process_left_unfinished() throws IOException {
        Path file = folder.resolve("log");
        Files.writeString(file, "{\"whole\":1}\n{\"torn\":");

        TrafficShipper shipper = TestShippers.start(new TrafficTarget.File(file, 1 << 20, 1, Fsync.ALWAYS));
        shipper.record(Records.numbered(1));
        shipper.close();

        assertThat(Files.readAllLines(file)).hasSize(2).first().isEqualTo("{\"whole\":1}");
    }

    @Test
    void refuses_to_start_on_a_folder_that_another_gateway_uses() {
        TrafficShipper first = TestShippers.start(TestShippers.elasticsearch(folder, 1 << 20));

        assertThatThrownBy(() -> TestShippers.start(TestShippers.elasticsearch(folder, 1 << 20)))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining(folder.toString())
                .hasMessageContaining("another gateway uses it");
        first.close();
    }

    @Test
    void ships_what_it_spilled_when_elasticsearch_answers_503_no_longer() throws IOException {
        try (BulkServer server = BulkServer.start()) {
            server.refuse(503, "{}");
            TrafficShipper shipper = TestShippers.start(TestShippers.elasticsearch(server.uri(), folder, 1L << 20));
            for (int i = 0; i < 200; i++) shipper.record(Records.numbered(i));
            until(() -> shipper.counts().spilled() == 200, shipper::counts);

            server.accept();
            until(() -> shipper.counts().indexed() == 200, shipper::counts);
            shipper.close();

            assertThat(shipper.counts()).isEqualTo(new TrafficCounts(200, 0, 200, 0, 200, 0, 0, 0, 0));
            assertThat(server.requests()).containsExactlyInAnyOrderElementsOf(requests(0, 200));
        }
    }

    @Test
    void ships_past_a_folder_named_as_a_segment() throws IOException {
        Files.createDirectories(folder.resolve("0000000000000009.segment"));
        try (BulkServer server = BulkServer.start()) {
            TrafficShipper shipper = TestShippers.start(TestShippers.elasticsearch(server.uri(), folder, 1L << 20));
            for (int i = 0; i < 200; i++) shipper.record(Records.numbered(i));
            until(() -> shipper.counts().indexed() == 200, shipper::counts);

            assertThat(shipper.state().condition()).isEqualTo(TrafficState.Condition.SHIPPING);
            shipper.close();
            assertThat(shipper.counts()).isEqualTo(new TrafficCounts(200, 0, 200, 0, 0, 0, 0, 0, 0));
            assertThat(folder.resolve("0000000000000009.segment.unreadable")).isDirectory();
        }
    }

    private static List<String> requests(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "request-" + i).toList();
    }

    private static long onDisk(Path spill) throws IOException {
        long found = 0;
        try (var files = Files.list(spill)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".segment")).toList()) {
                found += Segment.count(file).records();
            }
        }
        return found;
    }
}
