package gateway.app.traffic;

import static gateway.Eventually.until;
import static gateway.http.Gzip.gzip;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.traffic.TrafficTarget.Credentials;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a server may do to the client, over a real socket.
final class ClusterTroubleTest {
    private final AtomicLong clock = new AtomicLong();
    private final LinkedBlockingQueue<ClusterReply> replies = new LinkedBlockingQueue<>();

    @ParameterizedTest
    @ValueSource(strings = {"200 OK", "400 Bad Request", "503 Service Unavailable"})
    void an_answer_too_large_to_hold_is_none(String status) throws Exception {
        int length = ClusterClient.MOST_BYTES + 1;
        try (var server = RawElasticsearch.start(out -> {
                    out.write(RawElasticsearch.head(status, "Content-Length: " + length));
                    out.write(new byte[length]);
                });
                var cluster = cluster(server)) {
            cluster.call("GET", "/", Map.of(), new byte[0], replies::add);

            assertThat(reply())
                    .isInstanceOfSatisfying(
                            ClusterReply.Unreachable.class,
                            unreachable -> assertThat(unreachable.reason()).contains("ContentTooLong"));
        }
    }

    @Test
    void an_answer_of_the_largest_size_is_taken() throws Exception {
        byte[] body = new byte[ClusterClient.MOST_BYTES];
        try (var server = RawElasticsearch.start(out -> {
                    out.write(RawElasticsearch.head("200 OK", "Content-Length: " + body.length));
                    out.write(body);
                });
                var cluster = cluster(server)) {
            cluster.call("GET", "/", Map.of(), new byte[0], replies::add);

            assertThat(reply())
                    .isInstanceOfSatisfying(
                            ClusterReply.Answered.class,
                            answered -> assertThat(answered.body()).hasSize(body.length));
        }
    }

    /// A few KiB that unpack to a hundred million.
    @Test
    void a_packed_answer_that_nobody_asked_for_is_none() throws Exception {
        byte[] packed = gzip(new byte[100_000]);
        try (var server = RawElasticsearch.start(out -> {
                    out.write(RawElasticsearch.head(
                            "200 OK", "Content-Encoding: gzip", "Content-Length: " + packed.length));
                    out.write(packed);
                });
                var cluster = cluster(server)) {
            cluster.call("GET", "/", Map.of(), new byte[0], replies::add);

            assertThat(reply()).isInstanceOf(ClusterReply.Unreachable.class);
        }
    }

    @Test
    void an_endless_head_is_no_answer() throws Exception {
        try (var server = RawElasticsearch.start(out -> {
                    out.write("HTTP/1.1 200 OK\r\nX: ".getBytes(StandardCharsets.US_ASCII));
                    byte[] much = "x".repeat(8192).getBytes(StandardCharsets.US_ASCII);
                    while (true) out.write(much);
                });
                var cluster = cluster(server)) {
            cluster.call("GET", "/", Map.of(), new byte[0], replies::add);

            assertThat(reply()).isInstanceOf(ClusterReply.Unreachable.class);
            assertThat(server.gone().await(1, TimeUnit.MINUTES)).isTrue();
        }
    }

    @Test
    void a_redirection_is_not_followed() throws Exception {
        var asked = new AtomicInteger();
        try (var elsewhere = RawElasticsearch.start(out -> {
                    asked.incrementAndGet();
                    out.write(RawElasticsearch.head("200 OK", "Content-Length: 2"));
                    out.write("{}".getBytes(StandardCharsets.US_ASCII));
                });
                var server = RawElasticsearch.start(out -> out.write(RawElasticsearch.head(
                        "302 Found", "Location: " + elsewhere.uri() + "/_bulk", "Content-Length: 0")));
                var cluster = cluster(server)) {
            cluster.bulk("/_bulk", new byte[0], replies::add);

            assertThat(reply())
                    .isInstanceOfSatisfying(
                            ClusterReply.Answered.class,
                            answered -> assertThat(answered.status()).isEqualTo(302));
            assertThat(asked).hasValue(0);
        }
    }

    @Test
    void an_answer_that_only_drips_is_given_up_at_the_deadline_and_its_connection_closed() throws Exception {
        try (var server = RawElasticsearch.dripping();
                var cluster = cluster(server)) {
            cluster.call("GET", "/", Map.of(), new byte[0], replies::add);
            cluster.tend();
            assertThat(server.asked().await(1, TimeUnit.MINUTES))
                    .isTrue(); // what has not been sent leaves a connection
            assertThat(replies).isEmpty();

            clock.addAndGet(Duration.ofSeconds(12).toNanos());
            cluster.tend();

            assertThat(replies.poll()).isEqualTo(new ClusterReply.Unreachable("no answer within 12000 ms"));
            assertThat(server.gone().await(1, TimeUnit.MINUTES)).isTrue();
            assertThat(replies).isEmpty();
        }
    }

    @Test
    void what_is_under_way_beside_an_answer_that_only_drips_is_answered() throws Exception {
        var first = new AtomicBoolean(true);
        var drips = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        try (var server = RawElasticsearch.start(out -> {
                    if (first.getAndSet(false)) {
                        drips.countDown();
                        RawElasticsearch.drip(out);
                    }
                    RawElasticsearch.await(goOn);
                    out.write(RawElasticsearch.head("200 OK", "Content-Length: 2"));
                    out.write("{}".getBytes(StandardCharsets.US_ASCII));
                });
                var cluster = cluster(server)) {
            cluster.call("GET", "/", Map.of(), new byte[0], replies::add);
            assertThat(drips.await(1, TimeUnit.MINUTES)).isTrue();
            clock.addAndGet(Duration.ofSeconds(6).toNanos());
            cluster.call("GET", "/", Map.of(), new byte[0], replies::add);
            clock.addAndGet(Duration.ofSeconds(6).toNanos());
            cluster.tend();
            assertThat(replies.poll()).isInstanceOf(ClusterReply.Unreachable.class);

            goOn.countDown();
            assertThat(reply()).isInstanceOf(ClusterReply.Answered.class);
            cluster.tend();
            assertThat(server.gone().await(1, TimeUnit.MINUTES)).isTrue();
            cluster.call("GET", "/", Map.of(), new byte[0], replies::add);
            assertThat(reply()).isInstanceOf(ClusterReply.Answered.class);
        }
    }

    @Test
    void behind_a_call_that_was_late_the_next_one_goes_to_another_node() throws Exception {
        try (var slow = RawElasticsearch.dripping();
                var sound = BulkServer.start();
                var cluster = Cluster.of(
                        TrafficTarget.Elasticsearch.of(
                                List.of(slow.uri(), sound.uri()), new Credentials.None(), Path.of("none")),
                        clock::get)) {
            cluster.call("GET", "/", Map.of(), new byte[0], replies::add);
            assertThat(slow.asked().await(1, TimeUnit.MINUTES)).isTrue();
            clock.addAndGet(Duration.ofSeconds(24).toNanos());
            cluster.tend();
            assertThat(replies.poll()).isInstanceOf(ClusterReply.Unreachable.class);

            cluster.call("GET", "/", Map.of(), new byte[0], replies::add);
            assertThat(reply()).isInstanceOf(ClusterReply.Answered.class);
        }
    }

    @Test
    void a_client_whose_thread_has_ended_is_replaced_and_what_it_had_under_way_is_answered() throws Exception {
        var died = new AtomicBoolean();
        try (var server = BulkServer.start();
                var log = LogLines.atTrace();
                var cluster = Cluster.of(
                        TrafficTarget.Elasticsearch.of(List.of(server.uri()), new Credentials.None(), Path.of("none")),
                        clock::get)) {
            cluster.call("GET", "/", Map.of(), new byte[0], reply -> {
                if (died.compareAndSet(false, true)) throw new OutOfMemoryError("a test's");
                replies.add(reply);
            });
            until(
                    () -> {
                        cluster.tend();
                        return !replies.isEmpty();
                    },
                    () -> "no answer");
            assertThat(replies.poll()).isEqualTo(new ClusterReply.Unreachable("the client's thread has ended"));

            for (int i = 0; i < 20; i++) {
                cluster.call("GET", "/", Map.of(), new byte[0], replies::add);
                assertThat(reply()).isInstanceOf(ClusterReply.Answered.class);
                cluster.tend();
            }

            assertThat(log.lines())
                    .filteredOn(line -> line.contains("has been replaced"))
                    .hasSize(1);
            assertThat(log.warnings()).singleElement().asString().contains("OutOfMemoryError: a test's");
        }
    }

    private ClusterReply reply() throws InterruptedException {
        ClusterReply reply = replies.poll(1, TimeUnit.MINUTES);
        assertThat(reply).isNotNull();
        return reply;
    }

    private Cluster cluster(RawElasticsearch server) {
        return Cluster.of(
                TrafficTarget.Elasticsearch.of(List.of(server.uri()), new Credentials.None(), Path.of("none")),
                clock::get);
    }
}
