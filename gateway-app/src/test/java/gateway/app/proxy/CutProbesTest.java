package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.steering.Ticks;
import gateway.app.steering.Upstreams;
import gateway.config.DefinitionReader;
import gateway.config.PolicyRegistry;
import gateway.wire.client.FakeNames;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.StringJoiner;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Requests that try whether an upstream is well again, over real sockets.
@Timeout(60)
final class CutProbesTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    private static final String CUT = "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nhello";
    private static final String WHOLE = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello";
    private static final Duration OPEN = Duration.ofHours(1);

    private final Ticks ticks = new Ticks();
    private final AtomicReference<String> answer = new AtomicReference<>(CUT);
    private final AtomicReference<CountDownLatch> hangUp = new AtomicReference<>(new CountDownLatch(0));
    private RawUpstream upstream;
    private Upstreams upstreams;
    private DataPlane dataPlane;

    @BeforeEach
    void start() throws IOException {
        upstream = new RawUpstream();
        Thread.ofVirtual().start(this::accept);
        upstreams = new FakeNames().upstreams(ticks);
        String breaker = "\"circuitBreaker\": {\"minRequests\": 2, \"open\": \"1h\", \"probes\": 1}";
        var api = new DefinitionReader(PolicyRegistry.load())
                .read("{\"id\": \"orders\", \"match\": {\"path\": \"/\"}, \"upstream\": {\"targets\": [{\"url\": \""
                        + upstream.url() + "\"}], " + breaker + "}}");
        var settings = DataPlaneSettings.on(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .withIoThreads(1);
        dataPlane = new DataPlane(settings, OneRoute.live(api, upstreams::upstreamFor));
        assertThat(statuses(3)).isEqualTo("200 200 503");
        ticks.pass(OPEN);
    }

    @AfterEach
    void stop() throws IOException {
        hangUp.get().countDown();
        dataPlane.stop(Duration.ZERO);
        upstreams.close();
        upstream.close();
    }

    private void accept() {
        while (true) {
            try {
                RawConnection client = upstream.accept();
                Thread.ofVirtual().start(() -> serve(client));
            } catch (SocketTimeoutException e) {
                // nobody calls for a while
            } catch (IOException e) {
                return;
            }
        }
    }

    /// Sends what is set, and hangs up when it is told to.
    private void serve(RawConnection client) {
        try (client) {
            client.readHead();
            client.send(answer.get());
            hangUp.get().await();
        } catch (IOException | InterruptedException e) {
            // the gateway gave it up
        }
    }

    /// What so many requests one after the other get.
    private String statuses(int count) throws IOException {
        var statuses = new StringJoiner(" ");
        for (int i = 0; i < count; i++) {
            try (RawConnection client = RawConnection.to(dataPlane.address())) {
                String head = client.send(GET).readHead();
                client.isClosedByPeer();
                statuses.add(head.substring(9, 12));
            }
        }
        return statuses.toString();
    }

    @Test
    void a_server_that_cuts_every_answer_keeps_the_breaker_open() throws IOException {
        assertThat(statuses(2)).isEqualTo("200 503");
        ticks.pass(OPEN);

        assertThat(statuses(3)).isEqualTo("200 503 503");
    }

    @Test
    void a_server_whose_answer_comes_whole_closes_it() throws IOException {
        answer.set(WHOLE);

        assertThat(statuses(4)).isEqualTo("200 200 200 200");
    }

    @Test
    void an_answer_without_end_keeps_others_out_no_longer_than_the_breaker_was_open() throws IOException {
        hangUp.set(new CountDownLatch(1));
        try (RawConnection client = RawConnection.to(dataPlane.address())) {
            assertThat(client.send(GET).readHead()).startsWith("HTTP/1.1 200 ");
            assertThat(statuses(1)).isEqualTo("503");
            answer.set(WHOLE);

            ticks.pass(OPEN);

            assertThat(statuses(2)).isEqualTo("200 200");
        }
    }

    @Test
    void a_client_that_leaves_in_the_midst_of_an_answer_leaves_no_breaker_half_open() throws IOException {
        hangUp.set(new CountDownLatch(1));
        try (RawConnection client = RawConnection.to(dataPlane.address())) {
            assertThat(client.send(GET).readHead()).startsWith("HTTP/1.1 200 ");
        }
        while (dataPlane.requestsInFlight() > 0) {
            assertThat(Thread.currentThread().isInterrupted()).as("late").isFalse();
            LockSupport.parkNanos(1_000_000);
        }
        answer.set(WHOLE);

        assertThat(statuses(2)).isEqualTo("200 200");
    }
}
