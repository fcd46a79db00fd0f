package gateway.app.traffic;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.traffic.TrafficTarget.Credentials;
import gateway.http.Secret;
import gateway.service.TrafficRecord;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// The traffic log against a real Elasticsearch. In order, since the last tests run on one that was started anew.
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class TrafficLogIT {
    private static final Credentials RIGHT =
            new Credentials.Basic(ElasticsearchProcess.USER, new Secret(ElasticsearchProcess.PASSWORD));
    private static final Credentials WRONG =
            new Credentials.Basic(ElasticsearchProcess.USER, new Secret("not-the-password"));

    @TempDir
    static Path work;

    private static ElasticsearchProcess elasticsearch;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        elasticsearch = ElasticsearchProcess.start(work);
    }

    @AfterAll
    static void stop() throws IOException, InterruptedException {
        if (elasticsearch != null) elasticsearch.close();
    }

    @Test
    @Order(1)
    void indexes_twenty_thousand_records_each_exactly_once() throws IOException {
        int count = 20_000;
        TrafficShipper shipper = shipper("count", RIGHT, 1000);

        for (int i = 0; i < count; i++) offer(shipper, Records.numbered(i));
        awaitIndexed(shipper, count);

        TrafficCounts counts = shipper.counts();
        assertThat(counts).isEqualTo(new TrafficCounts(count, 0, count, 0, counts.replayed(), 0, 0, 0, 0));
        shipper.close();
        assertEachOnce("count", count);
        JsonNode record = elasticsearch
                .get("/logs-gateway.traffic-count/_search?size=1&q=http.request.id:request-77")
                .at("/hits/hits/0/_source");
        assertThat(record.at("/gateway/upstream").asString()).isEqualTo("http://10.0.0.1:9001");
        JsonNode mapping = elasticsearch.get("/logs-gateway.traffic-count/_mapping");
        assertThat(mapping.toString())
                .contains("\"client\":{\"properties\":{\"ip\":{\"type\":\"ip\"}}}")
                .contains("\"duration\":{\"type\":\"long\"}");
    }

    @Test
    @Order(2)
    void parks_a_record_that_the_mapping_refuses_and_indexes_its_neighbours() throws IOException {
        elasticsearch.put("/_index_template/conflicting", """
                {"index_patterns": ["logs-gateway.traffic-conflict"], "priority": 600, "data_stream": {},
                "template": {"mappings": {"properties": {
                "http": {"properties": {"request": {"properties": {"id": {"type": "keyword"}}}}},
                "gateway": {"properties": {"tags": {"type": "long"}}}}}}}""");
        TrafficShipper shipper = shipper("conflict", RIGHT, 1000);

        for (int i = 0; i < 100; i++) {
            shipper.record(Records.numbered(i, i == 42 ? List.of("gold") : List.of()));
        }
        awaitIndexed(shipper, 99);

        assertThat(shipper.counts()).isEqualTo(new TrafficCounts(100, 0, 99, 0, 0, 1, 0, 0, 0));
        shipper.close();
        assertThat(Files.readString(spill("conflict").resolve("dead-letters.ndjson")))
                .contains("\"status\":400,\"type\":\"document_parsing_exception\"")
                .contains("[gateway.tags]")
                .contains("\"record\":{\"@timestamp\":\"2026-09-10T00:26:40.123Z\"")
                .contains("request-42")
                .endsWith("}}\n");
        assertEachOnce("conflict", 99);
    }

    @Test
    @Order(2)
    void reads_which_modules_it_has_and_asks_in_a_form_that_it_takes() throws InterruptedException {
        var found = new LinkedBlockingQueue<Object>();
        var target = TrafficTarget.Elasticsearch.of(List.of(elasticsearch.uri()), RIGHT, spill("modules"));
        try (Cluster cluster = Cluster.of(target)) {
            StreamCalls.over(cluster).modules(found::add, found::add);

            assertThat(found.poll(1, TimeUnit.MINUTES))
                    .asInstanceOf(InstanceOfAssertFactories.collection(String.class))
                    .contains("x-pack-security");
        }
    }

    @Test
    @Order(2)
    void says_that_it_is_red_while_a_shard_has_no_place() throws Exception {
        var target = TrafficTarget.Elasticsearch.of(List.of(elasticsearch.uri()), RIGHT, spill("health"));
        try (Cluster cluster = Cluster.of(target)) {
            var health = new ClusterHealth(cluster);
            var shipping = new TrafficState(TrafficState.Condition.SHIPPING, "");
            elasticsearch.put("/nowhere?wait_for_active_shards=0", """
                    {"settings": {"number_of_replicas": 0, "routing.allocation.require.place": "none"}}""");

            var minutes = new AtomicLong();
            until(() -> {
                health.ask(Duration.ofMinutes(minutes.incrementAndGet()).toNanos());
                return health.with(shipping).isTroubled();
            });
            elasticsearch.put("/nowhere/_settings", "{\"index.routing.allocation.require.place\": null}");
            until(() -> {
                health.ask(Duration.ofMinutes(minutes.incrementAndGet()).toNanos());
                return !health.with(shipping).isTroubled();
            });
        }
    }

    @Test
    @Order(3)
    void keeps_records_on_disk_while_credentials_are_wrong_and_replays_them_with_the_right_ones() throws IOException {
        TrafficShipper wrong = shipper("login", WRONG, 100);

        for (int i = 0; i < 500; i++) wrong.record(Records.numbered(i));
        until(() -> wrong.counts().spilled() == 500 && wrong.counts().isBalanced(), wrong::counts);

        assertThat(wrong.state().condition()).isEqualTo(TrafficState.Condition.AWAY);
        assertThat(wrong.state().reason()).contains("401").doesNotContain("not-the-password");
        assertThat(wrong.counts().isBalanced()).isTrue();
        wrong.close();
        TrafficShipper right = shipper("login", RIGHT, 100);
        awaitIndexed(right, 500);
        assertThat(right.counts()).isEqualTo(new TrafficCounts(0, 500, 500, 0, 500, 0, 0, 0, 0));
        assertThat(right.state()).isEqualTo(new TrafficState(TrafficState.Condition.SHIPPING, ""));
        right.close();
        assertEachOnce("login", 500);
    }

    @Test
    @Order(4)
    void replays_what_a_killed_process_left_on_disk() throws IOException, InterruptedException {
        Path folder = spill("killed");
        URI nowhere = URI.create("http://127.0.0.1:9");
        Process process = LoggingProcess.start(nowhere, "logs-gateway.traffic-killed", folder);
        long spilled = LoggingProcess.awaitCount(process, 3000);
        process.destroyForcibly().waitFor();

        TrafficShipper shipper = shipper("killed", RIGHT, 1000);
        until(() -> shipper.counts().indexed() >= spilled && shipper.counts().spilled() == 0, shipper::counts);

        TrafficCounts counts = shipper.counts();
        assertThat(counts.recovered()).isGreaterThanOrEqualTo(spilled);
        assertThat(counts)
                .isEqualTo(new TrafficCounts(
                        0, counts.recovered(), counts.recovered(), 0, counts.recovered(), 0, 0, 0, 0));
        shipper.close();
        assertEachOnce("killed", counts.recovered());
    }

    @Test
    @Order(5)
    void counts_no_record_twice_when_a_process_is_killed_between_sending_and_the_answer() throws Exception {
        Path folder = spill("twice");
        var target = TrafficTarget.Elasticsearch.of(List.of(elasticsearch.uri()), RIGHT, folder);
        TrafficShipper first = shipper("twice", RIGHT, 100);
        for (int i = 0; i < 300; i++) first.record(Records.numbered(i));
        awaitIndexed(first, 300);
        first.close();
        try (Spill spill = Spill.open(target.spill(), target.spillBytes(), 1 << 20, 1000)) {
            var sent = new Batch(1000, 1 << 20);
            encodeAgain(sent);
            spill.append(sent, record -> true);
        }

        TrafficShipper second = shipper("twice", RIGHT, 100);
        until(() -> second.counts().replayed() > 0 && isSettled(second), second::counts);

        assertThat(second.counts()).isEqualTo(new TrafficCounts(0, 300, 300, 0, 300, 0, 0, 0, 0));
        second.close();
        assertEachOnce("twice", 300);
    }

    @Test
    @Order(6)
    void loses_nothing_when_elasticsearch_stops_under_load_and_comes_back_overloaded() throws Exception {
        TrafficShipper shipper = shipper("outage", RIGHT, 100);
        var logged = new AtomicLong();
        var load = new ArrayList<Thread>();
        for (int p = 0; p < 3; p++) {
            load.add(Thread.ofPlatform().start(() -> {
                while (!Thread.interrupted()) {
                    offer(shipper, Records.numbered(logged.getAndIncrement()));
                    LockSupport.parkNanos(4_000_000);
                }
            }));
        }
        until(() -> shipper.counts().indexed() > 1000, shipper::counts);

        elasticsearch.stop();
        until(() -> shipper.counts().spilled() > 2000, shipper::counts);
        elasticsearch.run(
                "indexing_pressure.memory.limit=200kb",
                "http.port=" + elasticsearch.uri().getPort());
        until(() -> shipper.counts().replayed() > 1000, shipper::counts);
        for (Thread thread : load) {
            thread.interrupt();
            thread.join();
        }
        awaitIndexed(shipper, logged.get());

        TrafficCounts counts = shipper.counts();
        assertThat(counts)
                .isEqualTo(new TrafficCounts(logged.get(), 0, logged.get(), 0, counts.replayed(), 0, 0, 0, 0));
        shipper.close();
        assertEachOnce("outage", logged.get());
    }

    @Test
    @Order(7)
    void gets_everything_through_while_elasticsearch_answers_429() throws IOException {
        int count = 10_000;
        TrafficShipper shipper = shipper("pressure", RIGHT, 250);

        for (int i = 0; i < count; i++) offer(shipper, Records.numbered(i));
        awaitIndexed(shipper, count);

        TrafficCounts counts = shipper.counts();
        assertThat(counts).isEqualTo(new TrafficCounts(count, 0, count, 0, counts.replayed(), 0, 0, 0, 0));
        assertThat(elasticsearch.rejectedByPressure()).isPositive();
        shipper.close();
        assertEachOnce("pressure", count);
    }

    private static void awaitIndexed(TrafficShipper shipper, long count) {
        until(() -> shipper.counts().indexed() == count && isSettled(shipper), shipper::counts);
    }

    private static boolean isSettled(TrafficShipper shipper) {
        TrafficCounts counts = shipper.counts();
        return counts.spilled() == 0 && counts.underWay() == 0 && counts.isBalanced();
    }

    /// The queue is bounded; a test that wants every record waits for room.
    private static void offer(TrafficShipper shipper, TrafficRecord record) {
        until(() -> shipper.counts().underWay() < 6_000, shipper::counts);
        shipper.record(record);
    }

    /// The records that [#counts_no_record_twice_when_a_process_is_killed_between_sending_and_the_answer] has sent,
    /// under the ids that Elasticsearch has them.
    private static void encodeAgain(Batch batch) throws IOException {
        JsonNode hits = search("twice", "{\"size\": 1000, \"_source\": true}").at("/hits/hits");
        for (JsonNode hit : hits) {
            String lines =
                    "{\"create\":{\"_id\":\"" + hit.path("_id").asString() + "\"}}\n" + hit.path("_source") + "\n";
            batch.json().raw(lines.getBytes(java.nio.charset.StandardCharsets.UTF_8));
            batch.close(0);
        }
    }

    private static void assertEachOnce(String name, long count) throws IOException {
        JsonNode found = search(name, """
                {"size": 0, "track_total_hits": true, "aggs": {"twice":
                {"terms": {"field": "http.request.id", "size": 10, "min_doc_count": 2}}}}""");
        assertThat(found.at("/hits/total/value").asLong()).isEqualTo(count);
        assertThat(found.at("/aggregations/twice/buckets")).isEmpty();
    }

    private static JsonNode search(String name, String query) throws IOException {
        elasticsearch.post("/logs-gateway.traffic-" + name + "/_refresh", "");
        return elasticsearch.post("/logs-gateway.traffic-" + name + "/_search", query);
    }

    private static TrafficShipper shipper(String name, Credentials credentials, int batchRecords) {
        var target = new TrafficTarget.Elasticsearch(
                List.of(elasticsearch.uri()),
                credentials,
                java.util.Optional.empty(),
                "logs-gateway.traffic-" + name,
                Duration.ofDays(7),
                java.util.Optional.empty(),
                3,
                Duration.ofSeconds(10),
                spill(name),
                1L << 28);
        var settings = new TrafficSettings(
                "node-1", 16_384, batchRecords, 1 << 20, Duration.ofMillis(200), Duration.ofSeconds(10), target);
        return TrafficShipper.start(settings, InstantSource.system());
    }

    private static Path spill(String name) {
        return work.resolve("spill-" + name);
    }
}
