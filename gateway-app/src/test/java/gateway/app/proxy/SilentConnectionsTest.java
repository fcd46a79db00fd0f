package gateway.app.proxy;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.steering.Upstreams;
import gateway.net.IpRanges;
import gateway.policy.Policy;
import gateway.policy.Verdict;
import gateway.service.ApiMeters;
import gateway.service.TrafficLog;
import gateway.wire.accept.ConnectionLimits;
import gateway.wire.accept.Listening;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Clients that take all places and keep silent, and those who come after them.
@Timeout(60)
final class SilentConnectionsTest {
    private static final int MOST = 40;
    private static final String REQUEST = "GET / HTTP/1.1\r\nHost: a.example\r\n\r\n";
    private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    private static final String SETTINGS = "\0\0\0\4\0\0\0\0\0";

    private final List<AutoCloseable> open = new ArrayList<>();
    private final List<RawConnection> clients = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (RawConnection client : clients) client.close();
        for (AutoCloseable each : open) each.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "G", "GET / HTTP/1.1\r\nHos", "PRI * HTTP/2.0\r\n", PREFACE, PREFACE + SETTINGS})
    void who_has_never_asked_makes_room_for_newcomers(String begun) throws IOException {
        DataPlane plane = plane(IpRanges.NONE);
        for (int i = 0; i < MOST; i++) client(plane).send(begun);
        awaitHeard(plane);

        for (int i = 0; i < 3; i++)
            assertThat(client(plane).send(REQUEST).readAnswer()).startsWith("HTTP/1.1 ");
        assertThat(plane.refusedConnections()).isZero();
        assertThat(plane.connections()).isEqualTo(MOST);
    }

    @Test
    void who_has_kept_silent_for_longest_goes_first() throws IOException {
        DataPlane plane = plane(IpRanges.NONE);
        for (int i = 0; i < MOST; i++) client(plane);
        awaitHeard(plane);

        assertThat(client(plane).send(REQUEST).readAnswer()).startsWith("HTTP/1.1 ");
        assertThat(clients.getFirst().isClosedByPeer()).isTrue();
        assertThat(clients.get(1).send(REQUEST).readAnswer()).startsWith("HTTP/1.1 ");
    }

    @Test
    void who_has_never_asked_over_tls_makes_room_for_newcomers() throws IOException {
        SecureGateway gateway = secure();
        SSLSocket eldest = gateway.socket();
        eldest.startHandshake();
        for (int i = 1; i < MOST; i++) gateway.socket().startHandshake();
        until(() ->
                gateway.dataPlane().connections() == MOST && gateway.dataPlane().handshakes() == 0);

        for (int i = 0; i < 3; i++) {
            var next = new RawConnection(gateway.socket());
            assertThat(next.send(REQUEST).readHead()).startsWith("HTTP/1.1 200 ");
        }
        assertThat(eldest.getInputStream().read()).isEqualTo(-1);
        assertThat(gateway.dataPlane().refusedConnections()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "PROXY TCP4 "})
    void a_proxy_that_never_says_for_whom_makes_room_for_newcomers(String begun) throws IOException {
        DataPlane plane = plane(HostileGateway.ranges("[\"127.0.0.1\"]"));
        for (int i = 0; i < MOST; i++) client(plane).send(begun);
        awaitHeard(plane);

        for (int i = 0; i < 3; i++) {
            RawConnection next = client(plane).send("PROXY TCP4 192.0.2.7 192.0.2.1 40000 443\r\n" + REQUEST);
            assertThat(next.readAnswer()).startsWith("HTTP/1.1 ");
        }
        assertThat(clients.getFirst().isClosedByPeer()).as("the eldest").isTrue();
        assertThat(plane.refusedConnections()).isZero();
    }

    /// It is idle for a while before it may go: who asks again and again has gaps too.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void who_is_idle_makes_room_when_all_have_asked(boolean http2) throws IOException {
        DataPlane plane = plane(IpRanges.NONE);
        RawConnection busy = client(plane);
        for (int i = 1; i < MOST; i++) {
            if (http2) new Http2Wire(client(plane)).begin().get(1, "/").answer(1);
            else client(plane).send(REQUEST).readAnswer();
        }
        assertThat(plane.connections()).isEqualTo(MOST);

        until(() -> {
            assertThat(busy.send(REQUEST).readAnswer()).startsWith("HTTP/1.1 ");
            return isServed(plane);
        });
        assertThat(busy.send(REQUEST).readAnswer()).startsWith("HTTP/1.1 ");
    }

    @Test
    void who_waits_for_an_answer_keeps_the_place() throws IOException, InterruptedException {
        var kept = new CountDownLatch(MOST);
        var over = new CountDownLatch(1);
        SecureGateway gateway = secure(exchange -> {
            kept.countDown();
            awaitUninterrupted(over);
            return Verdict.proceed();
        });
        for (int i = 0; i < MOST; i++) client(gateway.dataPlane()).send(REQUEST);
        kept.await();

        assertThat(client(gateway.dataPlane()).isClosedByPeer()).isTrue();
        over.countDown();

        for (RawConnection each : clients.subList(0, MOST))
            assertThat(each.readHead()).startsWith("HTTP/1.1 200 ");
        assertThat(gateway.dataPlane().refusedConnections()).isOne();
    }

    /// The IO thread is kept by a request while the eldest asks and newcomers arrive: it takes those first.
    @Test
    void who_has_asked_meanwhile_is_served_rather_than_ended() throws IOException, InterruptedException {
        var kept = new CountDownLatch(1);
        var over = new CountDownLatch(1);
        SecureGateway gateway = secure(exchange -> {
            if (!exchange.path().equals("/keep")) return Verdict.proceed();
            kept.countDown();
            while (over.getCount() > 0) Thread.onSpinWait();
            return Verdict.proceed();
        });
        RawConnection eldest = client(gateway.dataPlane());
        for (int i = 0; i < 20; i++) client(gateway.dataPlane());
        until(() -> gateway.dataPlane().connections() == 21);
        client(gateway.dataPlane()).send("GET /keep HTTP/1.1\r\nHost: a.example\r\n\r\n");
        kept.await();

        eldest.send(REQUEST);
        for (int i = 0; i < 60; i++) client(gateway.dataPlane());
        over.countDown();

        assertThat(eldest.readHead()).startsWith("HTTP/1.1 200 ");
    }

    /// The IO thread has taken all and read what has come: it does both between one task and the next but one.
    private static void awaitHeard(DataPlane plane) {
        until(() -> plane.connections() == MOST);
        for (int i = 0; i < 5; i++) assertThat(plane.silentIoThreads()).isEmpty();
        until(() -> plane.newcomersWaiting() == 0);
    }

    private boolean isServed(DataPlane plane) {
        try {
            return client(plane).send(REQUEST).readAnswer().startsWith("HTTP/1.1 ");
        } catch (IOException e) {
            return false;
        }
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private RawConnection client(DataPlane plane) throws IOException {
        RawConnection client = RawConnection.to(plane.address());
        clients.add(client);
        return client;
    }

    /// Speaks HTTP/1 and HTTP/2 in the clear.
    private DataPlane plane(IpRanges proxies) throws IOException {
        var any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        var live = OneRoute.live(
                OneRoute.api("/", false, OneRoute.to("http://127.0.0.1:9")), new Upstreams()::upstreamFor);
        var listening = new Listening(Optional.empty(), proxies, true);
        var plane = new DataPlane(
                limited(DataPlaneSettings.on(any).withIoThreads(1)),
                listening,
                live,
                ApiMeters.NONE,
                TrafficLog.OFF,
                null);
        open.add(() -> plane.stop(Duration.ZERO));
        return plane;
    }

    private SecureGateway secure(Policy... policies) throws IOException {
        var gateway = new SecureGateway((own, usual) -> usual, SilentConnectionsTest::limited, policies);
        open.add(gateway);
        return gateway;
    }

    private static DataPlaneSettings limited(DataPlaneSettings settings) {
        return settings.withConnections(new ConnectionLimits(MOST, 0))
                .withTimeouts(Duration.ofSeconds(50), Duration.ofSeconds(50), Duration.ofSeconds(50));
    }
}
