package gateway.app.proxy;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.steering.Bulkhead;
import gateway.app.steering.UpstreamReadings;
import gateway.app.steering.Upstreams;
import gateway.config.DefinitionReader;
import gateway.config.PolicyRegistry;
import gateway.service.Upstream;
import gateway.wire.io.RequestThreadMode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Clients that wait for a place in a bulkhead and do not wait to the end.
@ParameterizedClass
@EnumSource(RequestThreadMode.class)
@Timeout(60)
final class BulkheadQueueTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    @Parameter
    RequestThreadMode mode;

    private final Upstreams upstreams = new Upstreams();
    private RawUpstream server;
    private Bulkhead bulkhead;
    private DataPlane dataPlane;

    private void serve() throws IOException {
        server = new RawUpstream();
        var api = new DefinitionReader(PolicyRegistry.load())
                .read(
                        "{\"id\": \"orders\", \"match\": {\"path\": \"/\"}, \"upstream\": {\"targets\": [{\"url\": \""
                                + server.url()
                                + "\"}], \"bulkhead\": {\"requests\": 1, \"queue\": 1, \"maxWait\": \"60s\"}, \"timeout\": \"60s\"}}");
        Upstream upstream = upstreams.upstreamFor(api.upstream());
        bulkhead = UpstreamReadings.of(upstream).getFirst().bulkhead().orElseThrow();
        var settings = DataPlaneSettings.on(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .withIoThreads(1)
                .withRequestThreads(mode);
        dataPlane = new DataPlane(settings, OneRoute.live(api, _ -> upstream));
    }

    @AfterEach
    void stop() throws IOException {
        dataPlane.stop(Duration.ZERO);
        upstreams.close();
        server.close();
    }

    private RawConnection client() throws IOException {
        return RawConnection.to(dataPlane.address()).send(GET);
    }

    private void awaitWaiting(int count) {
        until(() -> bulkhead.waiting() == count);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_client_that_leaves_gives_its_place_in_the_queue_to_the_next(boolean resets) throws IOException {
        serve();
        try (RawConnection served = client()) {
            RawConnection upstream = server.accept();
            upstream.readHead();
            RawConnection leaving = client();
            awaitWaiting(1);

            if (resets) leaving.reset();
            else leaving.close();
            awaitWaiting(0);

            try (RawConnection next = client()) {
                awaitWaiting(1);
                upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
                assertThat(served.readAnswer()).startsWith("HTTP/1.1 200 ");
                upstream.readHead();
                upstream.send("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n");
                assertThat(next.readAnswer()).startsWith("HTTP/1.1 201 ");
            }
            assertThat(bulkhead.refused()).isZero();
            until(() -> bulkhead.inFlight() == 0);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    void those_who_stay_come_to_their_turn(int rounds) throws IOException {
        serve();
        try (RawConnection first = RawConnection.to(dataPlane.address());
                RawConnection second = RawConnection.to(dataPlane.address())) {
            RawConnection upstream = null;
            for (int i = 0; i < rounds; i++) {
                first.send(GET);
                if (upstream == null) upstream = server.accept();
                upstream.readHead();
                second.send(GET);
                awaitWaiting(1);
                upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
                assertThat(first.readAnswer()).startsWith("HTTP/1.1 200 ");
                upstream.readHead();
                upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
                assertThat(second.readAnswer()).startsWith("HTTP/1.1 200 ");
            }
        }
    }
}
