package gateway.app.traffic;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.traffic.TrafficTarget.Credentials;
import gateway.service.TrafficRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The sink with a real spill and a server behind a real socket. The test is the shipper's thread, and its clock.
final class ElasticsearchSinkTest {
    private static final int BATCH = 10;

    @TempDir
    private Path folder;

    private final SinkCounts tally = new SinkCounts();
    private final BatchPool pool = new BatchPool(BATCH, 1 << 20);
    private BulkServer server;
    private ElasticsearchSink sink;
    private LogLines log;
    private long now;

    @BeforeEach
    void start() throws IOException {
        log = LogLines.atTrace();
        server = BulkServer.start();
        sink = sink();
        sink.open();
    }

    @AfterEach
    void stop() {
        sink.close();
        server.close();
        log.close();
    }

    @Test
    void a_segment_that_cannot_be_read_is_put_aside_and_those_behind_it_are_replayed() throws IOException {
        spill("a", "b", "c");
        Path second = second();
        Files.delete(second);
        Files.createDirectory(second);

        server.accept();
        turnUntil(() -> tally.indexed() == 2 * BATCH && sink.spilled() == 0);

        assertThat(server.requests()).isEqualTo(ids("a", "c"));
        assertThat(tally.dropped()).isEqualTo(BATCH);
        assertThat(names()).containsExactly("0000000000000002.segment.unreadable", "lock");
        assertThat(sink.spillBytes()).isZero();
        assertThat(said("cannot read " + second)).hasSize(1);
        assertThat(said("put aside as " + second + ".unreadable")).hasSize(1);
    }

    @Test
    void new_records_are_shipped_while_a_segment_cannot_be_read() throws IOException {
        spill("a", "b");
        Path segment = second();
        Path elsewhere = Files.move(segment, folder.resolve("elsewhere"));
        Files.createDirectory(segment);

        server.accept();
        turnUntil(() -> !said("cannot read").isEmpty());
        Batch batch = batch("c");
        turnUntil(() -> sink.take(batch, false, now));
        turnUntil(() -> tally.indexed() == 2 * BATCH);
        Files.delete(segment);
        Files.move(elsewhere, segment);
        turnUntil(() -> tally.indexed() == 3 * BATCH);

        assertThat(server.requests()).isEqualTo(ids("a", "c", "b"));
        assertThat(tally.dropped()).isZero();
        assertThat(names()).containsExactly("lock");
    }

    @Test
    void of_a_segment_cut_short_the_whole_records_are_replayed_and_the_rest_is_counted() throws IOException {
        spill("a", "b", "c");
        Path second = second();
        try (var channel = FileChannel.open(second, StandardOpenOption.WRITE)) {
            channel.truncate(Files.size(second) / 2);
        }

        server.accept();
        turnUntil(() -> sink.spilled() == 0);

        List<String> found = server.requests();
        int kept = found.size() - 2 * BATCH;
        assertThat(kept).isBetween(1, BATCH - 1);
        assertThat(found).isEqualTo(concat(ids("a"), ids("b").subList(0, kept), ids("c")));
        assertThat(tally.indexed()).isEqualTo(found.size());
        assertThat(tally.dropped()).isEqualTo(BATCH - kept);
        assertThat(names()).containsExactly("0000000000000002.segment.unreadable", "lock");
    }

    @Test
    void of_a_segment_with_a_wrong_checksum_the_records_before_it_are_replayed() throws IOException {
        spill("a", "b", "c");
        Path second = second();
        try (var channel = FileChannel.open(second, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[] {'?'}), Files.size(second) - 5);
        }

        server.accept();
        turnUntil(() -> sink.spilled() == 0);

        assertThat(server.requests()).isEqualTo(concat(ids("a"), ids("b").subList(0, BATCH - 1), ids("c")));
        assertThat(tally.dropped()).isEqualTo(1);
        assertThat(names()).containsExactly("0000000000000002.segment.unreadable", "lock");
    }

    @Test
    void records_of_a_segment_that_is_gone_are_counted_and_those_behind_it_are_replayed() throws IOException {
        spill("a", "b", "c");
        Files.delete(second());

        server.accept();
        turnUntil(() -> sink.spilled() == 0);

        assertThat(server.requests()).isEqualTo(ids("a", "c"));
        assertThat(tally.dropped()).isEqualTo(BATCH);
        assertThat(names()).containsExactly("lock");
    }

    @Test
    void an_answer_that_says_nothing_of_the_records_leaves_them_to_be_sent_again() {
        turnUntil(() -> sink.state().condition() == TrafficState.Condition.SHIPPING);
        server.refuse(200, "{}");
        assertThat(sink.take(batch("a"), false, now)).isTrue();
        turnUntil(() -> sink.spilled() == BATCH);
        assertThat(tally.indexed()).isZero();
        assertThat(sink.state().condition()).isEqualTo(TrafficState.Condition.AWAY);
        assertThat(said("an answer about other records")).hasSize(1);

        server.accept();
        turnUntil(() -> tally.indexed() == BATCH);

        assertThat(server.requests()).isEqualTo(ids("a"));
        assertThat(sink.spilled()).isZero();
    }

    @Test
    void what_an_earlier_run_left_is_counted_a_segment_a_turn_while_new_records_are_shipped() throws IOException {
        spill("a", "b", "c");
        sink.close();
        server.accept();
        sink = sink();

        sink.open();
        assertThat(tally.recovered()).isZero();
        assertThat(sink.spillBytes()).isPositive();
        turn();

        assertThat(tally.recovered()).isEqualTo(BATCH);
        turnUntil(() -> tally.indexed() == 3 * BATCH);
        assertThat(tally.recovered()).isEqualTo(3 * BATCH);
        assertThat(server.requests()).isEqualTo(ids("a", "b", "c"));
    }

    /// The order that docs/traffic-log.md promises: that in which records went to disk.
    @Test
    void records_are_replayed_in_the_order_in_which_they_went_to_disk() {
        turnUntil(() -> sink.state().condition() == TrafficState.Condition.SHIPPING);
        var first = server.holdNext();
        assertThat(sink.take(batch("a"), false, now)).isTrue();
        until(() -> server.bulks() == 1, server::bulks);
        var second = server.holdNext();
        assertThat(sink.take(batch("b"), false, now)).isTrue();
        until(() -> server.bulks() == 2, server::bulks);
        server.refuse(503, "{}");

        first.complete(new BulkServer.Answer(503, "{}"));
        turnUntil(() -> sink.spilled() == BATCH);
        assertThat(sink.take(batch("c"), false, now)).isTrue(); // straight to disk: Elasticsearch is away
        assertThat(sink.spilled()).isEqualTo(2 * BATCH);
        second.complete(new BulkServer.Answer(503, "{}"));
        turnUntil(() -> sink.spilled() == 3 * BATCH);
        server.accept();
        turnUntil(() -> tally.indexed() == 3 * BATCH);

        assertThat(server.requests()).isEqualTo(ids("a", "c", "b"));
    }

    /// Batches that Elasticsearch refuses, each in a segment of its own.
    private void spill(String... names) {
        server.refuse(503, "{}");
        turnUntil(() -> sink.state().condition() == TrafficState.Condition.SHIPPING);
        for (String name : names) {
            long before = sink.spilled();
            Batch batch = batch(name);
            turnUntil(() -> sink.take(batch, false, now));
            turnUntil(() -> sink.spilled() == before + BATCH);
        }
    }

    private void turnUntil(BooleanSupplier condition) {
        until(
                () -> {
                    turn();
                    return condition.getAsBoolean();
                },
                () -> sink.state() + " indexed " + tally.indexed() + " dropped " + tally.dropped() + " spilled "
                        + sink.spilled());
    }

    private void turn() {
        now += Duration.ofSeconds(1).toNanos();
        sink.turn(now);
    }

    private Batch batch(String name) {
        Batch batch = pool.take();
        var encoder = new RecordEncoder(name, "node-1", true);
        for (String id : ids(name)) {
            encoder.write(Records.record(id, "/", "curl", List.of(), TrafficRecord.Detail.NONE), batch.json());
            batch.close(now);
        }
        return batch;
    }

    private static List<String> ids(String... names) {
        return Stream.of(names)
                .flatMap(name -> IntStream.range(0, BATCH).mapToObj(i -> name + i))
                .toList();
    }

    private static List<String> concat(List<String> first, List<String> second, List<String> third) {
        return Stream.of(first, second, third).flatMap(List::stream).toList();
    }

    private List<String> said(String words) {
        return log.warnings().stream().filter(line -> line.contains(words)).toList();
    }

    /// The oldest segment was tried already, so it is in memory.
    private Path second() throws IOException {
        try (var files = Files.list(folder)) {
            return files.filter(file -> SpillFolder.number(file) > 0)
                    .sorted()
                    .toList()
                    .get(1);
        }
    }

    private List<String> names() throws IOException {
        try (var files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private ElasticsearchSink sink() {
        var target = TrafficTarget.Elasticsearch.of(List.of(server.uri()), new Credentials.None(), folder);
        Cluster cluster = Cluster.of(target);
        return new ElasticsearchSink(
                new BulkCalls(cluster, target.dataStream()),
                new IndexTemplate(cluster, target),
                3,
                Spill.open(folder, 1 << 20, 1 << 20, BATCH),
                new Verdicts(new DeadLetters(folder, 1 << 20, InstantSource.system()), () -> now),
                new Availability(Backoff.usual(), () -> now, new ClusterHealth(cluster)),
                tally,
                pool,
                () -> {});
    }
}
