package gateway.app.traffic;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/// The traffic log of the whole product: the jar as a process, a real upstream, real clients, a real Elasticsearch.
/// After each breakage every request is accounted for, by the counters in `/metrics` and by looking at every record in
/// the index. In order, since the last test starts Elasticsearch anew.
///
/// `-Dproof.requests=N` (200,000) is the size of the first test, `-Dproof.outage=SECONDS` (5) the length of the
/// outages.
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class NothingIsLostIT {
    private static final long REQUESTS = Long.getLong("proof.requests", 200_000);
    private static final long OUTAGE_SECONDS = Long.getLong("proof.outage", 5);
    private static final int PER_SECOND = 500;
    private static final int BURST = 5_000;
    private static final Duration FLUSH = Duration.ofMillis(200);
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final Duration BUSY_MACHINE = Duration.ofSeconds(5);

    @TempDir
    static Path work;

    private static ElasticsearchProcess elasticsearch;
    private static KeepAliveUpstream upstream;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        upstream = KeepAliveUpstream.start();
        elasticsearch = ElasticsearchProcess.start(Files.createDirectory(work.resolve("elasticsearch")));
    }

    @AfterAll
    static void stop() throws IOException, InterruptedException {
        if (elasticsearch != null) elasticsearch.close();
        upstream.close();
    }

    @Test
    @Order(1)
    void two_hundred_thousand_requests_are_each_exactly_once_in_the_index() throws Exception {
        try (ElasticsearchGatewayProcess gateway = gateway("count", Map.of())) {
            long started = System.nanoTime();
            HttpLoad load = HttpLoad.start(gateway.port(), 0, REQUESTS, 20 * PER_SECOND);
            load.join();
            double seconds = (System.nanoTime() - started) / 1e9;
            TrafficCounts counts = gateway.awaitSettled(REQUESTS);

            say("%d requests in %.1f s, %s".formatted(REQUESTS, seconds, counts));
            assertAllAnswered(load, REQUESTS);
            assertThat(counts).isEqualTo(new TrafficCounts(REQUESTS, 0, REQUESTS, 0, counts.replayed(), 0, 0, 0, 0));
            assertThat(gateway.stop()).isZero();
        }
        index("count").assertHoldsRequestsBefore(REQUESTS);
    }

    @Test
    @Order(2)
    void a_record_in_conflict_with_the_mapping_is_parked_with_the_reason_and_its_neighbours_are_indexed()
            throws Exception {
        elasticsearch.put("/_index_template/conflicting", """
                {"index_patterns": ["logs-gateway.proof-conflict"], "priority": 600, "data_stream": {},
                "template": {"mappings": {"properties": {
                "event": {"properties": {"id": {"type": "keyword"}}},
                "http": {"properties": {"request": {"properties": {"id": {"type": "keyword"}}}}},
                "user_agent": {"properties": {"original": {"type": "long"}}}}}}}""");
        try (ElasticsearchGatewayProcess gateway = gateway("conflict", Map.of());
                HttpClient client = HttpClient.newHttpClient()) {
            HttpLoad load = HttpLoad.start(gateway.port(), 0, 1_000, 0);
            var odd = HttpRequest.newBuilder(gateway.uri("/load/odd"))
                    .header("User-Agent", "not a number")
                    .build();
            int status =
                    client.send(odd, HttpResponse.BodyHandlers.discarding()).statusCode();
            load.join();
            TrafficCounts counts = gateway.awaitSettled(1_001);

            assertThat(status).isEqualTo(200);
            assertThat(counts).isEqualTo(new TrafficCounts(1_001, 0, 1_000, 0, counts.replayed(), 1, 0, 0, 0));
            assertThat(Files.readAllLines(gateway.deadLetters()))
                    .singleElement()
                    .satisfies(letter -> assertThat(letter)
                            .contains("\"status\":400,\"type\":\"document_parsing_exception\"")
                            .contains("[user_agent.original]")
                            .contains("/load/odd"));
        }
        index("conflict").assertHoldsRequestsBefore(1_000);
    }

    @Test
    @Order(3)
    void a_full_disk_drops_records_and_counts_them_and_fails_no_request() throws Exception {
        String problem = ElasticsearchGatewayProcess.problemOfSmallDisk(work);
        assumeTrue(problem.isEmpty(), problem);
        long count = 10_000;
        try (var gateway = ElasticsearchGatewayProcess.startOnSmallDisk(
                "2m", data("disk"), upstream, settings("disk", Map.of()))) {
            HttpLoad.start(gateway.port(), 0, 1, 0).join();
            gateway.awaitSettled(1);
            elasticsearch.pause();
            HttpLoad load = HttpLoad.start(gateway.port(), 1, count, 8 * PER_SECOND);
            load.join();
            until(() -> isQuiet(gateway.counts(), count), gateway::counts);

            TrafficCounts full = gateway.counts();
            say("full disk, " + full);
            assertAllAnswered(load, count - 1);
            assertThat(full.dropped()).isPositive();
            assertThat(full.spilled()).isPositive();
            assertThat(full.indexed()).isOne();
            assertThat(gateway.output()).containsOnlyOnce("the spill folder does not take them");
            assertThat(gateway.ready()).contains("\"away\"");
            elasticsearch.resume();
            TrafficCounts counts = gateway.awaitSettled(count);
            assertThat(counts)
                    .isEqualTo(new TrafficCounts(
                            count,
                            0,
                            count - full.dropped(),
                            0,
                            full.replayed() + full.spilled(),
                            0,
                            full.dropped(),
                            0,
                            counts.spillBytes()));
            index("disk").assertHoldsAtLeast(counts.indexed(), count);
        } finally {
            elasticsearch.resume();
        }
    }

    @Test
    @Order(4)
    void a_gateway_killed_under_load_loses_only_the_youngest_records_and_replays_the_others_in_order()
            throws Exception {
        Path data = data("killed");
        ElasticsearchGatewayProcess first = ElasticsearchGatewayProcess.start(
                data, upstream, settings("killed", Map.of("GATEWAY_ELASTICSEARCH_URL", "http://127.0.0.1:9")));
        HttpLoad load = HttpLoad.start(first.port(), 0, Long.MAX_VALUE, 4 * PER_SECOND);
        long killed;
        try {
            until(() -> first.counts().spilled() > 5_000, first::counts);
            killed = System.nanoTime();
            first.kill();
            load.join();
        } finally {
            first.close();
        }

        try (ElasticsearchGatewayProcess second =
                ElasticsearchGatewayProcess.start(data, upstream, settings("killed", Map.of()))) {
            until(() -> second.counts().recovered() > 5_000, second::counts); // it serves before it has looked
            TrafficCounts counts = second.awaitSettled(0);

            assertThat(counts)
                    .isEqualTo(new TrafficCounts(
                            0, counts.recovered(), counts.recovered(), 0, counts.recovered(), 0, 0, 0, 0));
            assertLostOnlyTheYoungest(load, killed, counts.recovered());
        }
        assertThat(index("killed").numbersInOrder()).isSorted().doesNotHaveDuplicates();
    }

    @Test
    @Order(5)
    void elasticsearch_frozen_under_load_costs_no_record_and_requests_do_not_notice() throws Exception {
        try (ElasticsearchGatewayProcess gateway = gateway("frozen", Map.of());
                HttpLoad load = HttpLoad.start(gateway.port(), 0, Long.MAX_VALUE, PER_SECOND)) {
            ElasticsearchOutage outage = ElasticsearchOutage.before(load, OUTAGE_SECONDS * PER_SECOND / 2);
            elasticsearch.pause();
            outage.last(OUTAGE_SECONDS * PER_SECOND);
            long spilled = gateway.counts().spilled();
            elasticsearch.resume();
            load.stop();
            TrafficCounts counts = gateway.awaitSettled(load.answered());

            say("Elasticsearch frozen, %s, %d spilled, %s".formatted(outage, spilled, counts));
            assertAllAnswered(load, counts.accepted());
            assertThat(spilled).isPositive();
            assertThat(counts.replayed()).isGreaterThanOrEqualTo(spilled);
            outage.assertUnnoticed();
            assertThat(counts)
                    .isEqualTo(new TrafficCounts(
                            counts.accepted(), 0, counts.accepted(), 0, counts.replayed(), 0, 0, 0, 0));
            index("frozen").assertHoldsRequestsBefore(counts.accepted());
        } finally {
            elasticsearch.resume();
        }
    }

    @Test
    @Order(6)
    void elasticsearch_killed_under_load_and_overloaded_afterwards_costs_no_record() throws Exception {
        try (ElasticsearchGatewayProcess gateway = gateway("overloaded", Map.of("GATEWAY_TRAFFIC_LOG_BATCH", "250"));
                HttpLoad load = HttpLoad.start(gateway.port(), 0, Long.MAX_VALUE, PER_SECOND)) {
            ElasticsearchOutage outage = ElasticsearchOutage.before(load, OUTAGE_SECONDS * PER_SECOND / 2);
            elasticsearch.kill();
            outage.last(OUTAGE_SECONDS * PER_SECOND);
            elasticsearch.run(
                    "indexing_pressure.memory.limit=200kb",
                    "http.port=" + elasticsearch.uri().getPort());
            until(() -> gateway.counts().replayed() > 1_000, gateway::counts);
            load.stop();
            HttpLoad burst = HttpLoad.start(gateway.port(), load.answered(), load.answered() + BURST, 0);
            burst.join();
            TrafficCounts counts = gateway.awaitSettled(load.answered() + BURST);

            say("Elasticsearch killed, %s, then %d answers 429, %s"
                    .formatted(outage, elasticsearch.rejectedByPressure(), counts));
            assertAllAnswered(load, counts.accepted() - BURST);
            assertAllAnswered(burst, BURST);
            assertThat(elasticsearch.rejectedByPressure()).isPositive();
            outage.assertUnnoticed();
            assertThat(counts)
                    .isEqualTo(new TrafficCounts(
                            counts.accepted(), 0, counts.accepted(), 0, counts.replayed(), 0, 0, 0, 0));
            index("overloaded").assertHoldsRequestsBefore(counts.accepted());
        }
    }

    /// A killed process may lose what waited for its batch to fill, and what was sent and not answered.
    private static void assertLostOnlyTheYoungest(HttpLoad load, long killed, long recovered) throws IOException {
        Map<String, Long> indexed = index("killed").requests();
        assertThat(indexed.values()).allMatch(times -> times == 1);
        List<Duration> lost = load.answers().stream()
                .filter(answer -> !indexed.containsKey("load-" + answer.number()))
                .map(answer -> Duration.ofNanos(killed - answer.endedNanos()))
                .sorted()
                .toList();
        say("gateway killed, %d answered, %d on disk, %d lost, the oldest answered %d ms before"
                .formatted(
                        load.answered(),
                        recovered,
                        lost.size(),
                        lost.isEmpty() ? 0 : lost.getLast().toMillis()));
        assertThat(lost).allMatch(age -> age.compareTo(FLUSH.plus(TIMEOUT).plus(BUSY_MACHINE)) < 0);
        assertThat(load.answered() - lost.size()).isLessThanOrEqualTo(indexed.size());
    }

    private static boolean isQuiet(TrafficCounts counts, long accepted) {
        return counts.accepted() == accepted && counts.underWay() == 0 && counts.isBalanced();
    }

    private static void assertAllAnswered(HttpLoad load, long count) {
        assertThat(load.failures()).isEmpty();
        assertThat(load.answers()).hasSize((int) count).allMatch(answer -> answer.status() == 200);
    }

    private static TrafficIndex index(String name) throws IOException {
        return TrafficIndex.of(elasticsearch, "logs-gateway.proof-" + name);
    }

    private static ElasticsearchGatewayProcess gateway(String name, Map<String, String> settings) throws IOException {
        return ElasticsearchGatewayProcess.start(data(name), upstream, settings(name, settings));
    }

    private static Path data(String name) {
        return work.resolve("gateway-" + name);
    }

    private static Map<String, String> settings(String name, Map<String, String> more) {
        var settings = new HashMap<>(Map.of(
                "GATEWAY_ELASTICSEARCH_URL",
                elasticsearch.uri().toString(),
                "GATEWAY_ELASTICSEARCH_USER",
                ElasticsearchProcess.USER,
                "GATEWAY_ELASTICSEARCH_PASSWORD",
                ElasticsearchProcess.PASSWORD,
                "GATEWAY_ELASTICSEARCH_TIMEOUT",
                TIMEOUT.toMillis() + "ms",
                "GATEWAY_TRAFFIC_LOG_FLUSH",
                FLUSH.toMillis() + "ms",
                "GATEWAY_TRAFFIC_LOG_STREAM",
                "logs-gateway.proof-" + name));
        settings.putAll(more);
        return settings;
    }

    private static void say(String result) {
        System.out.println("nothing is lost: " + result);
    }
}
