package gateway.app.proxy;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.steering.Upstreams;
import gateway.config.DefinitionReader;
import gateway.config.PolicyRegistry;
import gateway.http.Response;
import gateway.json.ConfigNode;
import gateway.net.IpRanges;
import gateway.policy.CompiledPolicy;
import gateway.policy.FakeServices;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.RunsOn;
import gateway.policy.Services;
import gateway.policy.Stage;
import gateway.policy.Verdict;
import gateway.service.ApiMeters;
import gateway.service.DefinitionSet;
import gateway.service.Workers;
import gateway.snapshot.LiveSnapshot;
import gateway.snapshot.SnapshotCompiler;
import gateway.wire.accept.Listening;
import gateway.wire.http1.RawClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Two APIs on one IO thread and two workers, of which one API would take all.
@Timeout(60)
final class WorkerSharesTest {
    private static final int RUNNING = 1;
    private static final int WAITING = 64;
    private static final int SPARE = 5; // places beyond those

    private final Workers workers = new Workers(RUNNING + 1, Duration.ofMinutes(1));
    private final CountDownLatch over = new CountDownLatch(1);
    private final DataPlane dataPlane = serving(Map.of("greedy", api("greedy"), "modest", api("modest")));

    private static String api(String id) {
        return """
            {"id": "%1$s", "match": {"path": "/%1$s"}, "policies": [{"type": "compute"}],
             "upstream": {"targets": [{"url": "http://127.0.0.1:9"}]}}""".formatted(id);
    }

    private DataPlane serving(Map<String, String> apis) {
        var live = new LiveSnapshot();
        var reader = new DefinitionReader(PolicyRegistry.of(List.of(new Compute(over))));
        var compiler = new SnapshotCompiler(reader, new FakeServices(workers), new Upstreams()::upstreamFor);
        live.replace(compiler.compile(DefinitionSet.ofApis(1, apis), live.current()));
        var settings = DataPlaneSettings.on(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .withIoThreads(1)
                .withMaxInFlight(2 * (RUNNING + WAITING + SPARE));
        try {
            var listening = new Listening(Optional.empty(), IpRanges.NONE, true);
            return new DataPlane(settings, listening, live, ApiMeters.NONE, _ -> {}, null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @AfterEach
    void stop() {
        over.countDown();
        var _ = dataPlane.stop(Duration.ZERO);
    }

    @Test
    void an_api_that_computes_for_ever_leaves_its_neighbour_alone_and_is_refused_what_is_too_much() {
        List<CompletableFuture<String>> greedy = takeAllOfOneShare();

        assertThat(get("/greedy"))
                .startsWith("HTTP/1.1 503 ")
                .containsIgnoringCase("\r\nRetry-After: 1\r\n")
                .contains("policy-busy");
        for (int i = 0; i < 10; i++) assertThat(get("/modest")).startsWith("HTTP/1.1 200 ");
        assertThat(workers.waiting()).isEqualTo(WAITING);
        assertThat(workers.refused()).isOne();

        over.countDown();
        for (CompletableFuture<String> answer : greedy)
            assertThat(answer.join()).startsWith("HTTP/1.1 200 ");
        assertThat(get("/greedy")).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void who_is_refused_for_want_of_a_worker_is_told_after_a_pause_in_which_he_has_no_place() {
        var _ = takeAllOfOneShare();

        long since = System.nanoTime();
        List<CompletableFuture<String>> refused = new ArrayList<>();
        for (int i = 0; i < SPARE; i++) refused.add(begin("/greedy"));
        until(() -> dataPlane.requestsAwaitingClients() == SPARE);

        assertThat(dataPlane.requestsInFlight()).isEqualTo(RUNNING + WAITING);
        assertThat(get("/modest")).startsWith("HTTP/1.1 200 ");
        for (CompletableFuture<String> answer : refused)
            assertThat(answer.join()).startsWith("HTTP/1.1 503 ").contains("policy-busy");
        assertThat(Duration.ofNanos(System.nanoTime() - since)).isGreaterThanOrEqualTo(Duration.ofMillis(250));
        until(() -> dataPlane.requestsAwaitingClients() == 0);
    }

    @Test
    void who_leaves_in_that_pause_leaves_nothing_behind() throws IOException {
        var _ = takeAllOfOneShare();

        try (var client = new RawClient(dataPlane.address().getPort())) {
            client.send(Http.head("GET /greedy HTTP/1.1", "Host: api.example.com"));
            until(() -> dataPlane.requestsAwaitingClients() == 1);
        }

        until(() -> dataPlane.requestsAwaitingClients() == 0);
        assertThat(dataPlane.requestsInFlight()).isEqualTo(RUNNING + WAITING);
        assertThat(get("/modest")).startsWith("HTTP/1.1 200 ");
    }

    private List<CompletableFuture<String>> takeAllOfOneShare() {
        List<CompletableFuture<String>> greedy = new ArrayList<>();
        for (int i = 0; i < RUNNING + WAITING; i++) greedy.add(begin("/greedy"));
        until(() -> workers.running() == RUNNING && workers.waiting() == WAITING);
        return greedy;
    }

    private CompletableFuture<String> begin(String path) {
        Executor threads = Thread::startVirtualThread;
        return CompletableFuture.supplyAsync(() -> get(path), threads);
    }

    private String get(String path) {
        try {
            return RawClient.exchange(
                    dataPlane.address().getPort(),
                    Http.head("GET " + path + " HTTP/1.1", "Host: api.example.com", "Connection: close"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// A policy that takes a processor, of the greedy API until the test lets it go.
    private record Compute(CountDownLatch over) implements PolicyType, PolicySpec {
        @Override
        public String name() {
            return "compute";
        }

        @Override
        public Stage stage() {
            return Stage.VALIDATE;
        }

        @Override
        public RunsOn runsOn() {
            return RunsOn.WORKER;
        }

        @Override
        public PolicySpec read(ConfigNode node) {
            return this;
        }

        @Override
        public CompiledPolicy compile(PolicyPlace placement, Services services) {
            return (Policy) exchange -> {
                while (exchange.api().equals("greedy") && over.getCount() > 0) Thread.onSpinWait();
                return Verdict.answer(Response.of(200, "text/plain", new byte[0]));
            };
        }
    }
}
