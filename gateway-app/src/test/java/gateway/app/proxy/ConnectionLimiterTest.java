package gateway.app.proxy;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.steering.Upstreams;
import gateway.net.IpRanges;
import gateway.service.ApiMeters;
import gateway.service.TrafficLog;
import gateway.wire.accept.ConnectionLimits;
import gateway.wire.accept.Listening;
import gateway.wire.memory.MemoryBudget;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Caps on connections, over real sockets.
final class ConnectionLimiterTest {
    private static final String REQUEST = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    @Test
    void a_connection_too_many_is_closed_until_another_has_gone() throws IOException {
        try (SecureGateway gateway = with(new ConnectionLimits(2, 0), "[]")) {
            Socket first = plain(gateway, "");
            Socket handshaking = raw(gateway.port());
            assertThat(served(first)).isTrue();

            assertThat(served(plain(gateway, ""))).isFalse();
            assertThat(gateway.dataPlane().refusedConnections()).isOne();
            assertThat(gateway.dataPlane().refusedConnectionsOfClients()).isZero();
            assertThat(served(first)).isTrue();

            handshaking.close();
            awaitServed(gateway, "");
        }
    }

    @Test
    void a_client_has_its_share_whoever_carries_it() throws IOException {
        try (SecureGateway gateway = with(new ConnectionLimits(100, 1), "[\"127.0.0.1\"]")) {
            Socket alice = plain(gateway, from("203.0.113.7"));
            assertThat(served(alice)).isTrue();

            assertThat(served(plain(gateway, from("203.0.113.7")))).isFalse();
            assertThat(served(plain(gateway, from("203.0.113.8")))).isTrue();
            assertThat(served(plain(gateway, from6("2001:db8::1")))).isTrue();
            assertThat(served(plain(gateway, from6("2001:db8::ffff:1"))))
                    .as("of the same /64")
                    .isFalse();
            assertThat(served(plain(gateway, from6("2001:db8:0:1::1")))).isTrue();
            assertThat(gateway.dataPlane().refusedConnectionsOfClients()).isEqualTo(2);
            assertThat(gateway.dataPlane().refusedConnections()).isZero();

            alice.close();
            awaitServed(gateway, from("203.0.113.7"));
        }
    }

    @Test
    void a_trusted_proxy_has_as_many_as_it_needs_and_those_it_names_have_their_share() throws IOException {
        try (SecureGateway gateway = with(new ConnectionLimits(4, 1), "[\"127.0.0.1\"]", "[\"127.0.0.1\"]")) {
            assertThat(served(plain(gateway, "PROXY UNKNOWN\r\n"))).isTrue();
            assertThat(served(plain(gateway, "PROXY UNKNOWN\r\n"))).isTrue();
            assertThat(served(plain(gateway, from("203.0.113.7")))).isTrue();
            assertThat(served(plain(gateway, from("203.0.113.7")))).isFalse();
            assertThat(gateway.dataPlane().refusedConnectionsOfClients()).isOne();

            assertThat(served(plain(gateway, "PROXY UNKNOWN\r\n"))).isTrue();
            assertThat(served(plain(gateway, "PROXY UNKNOWN\r\n")))
                    .as("of all connections it still may have no more than there may be")
                    .isFalse();
        }
    }

    @Test
    void memory_that_is_tight_turns_no_client_away_that_was_served_before() throws IOException {
        long room = 20 * 3 * 1024L; // 15 connections make it tight
        var memory = new MemoryBudget(16 * room, 1 << 30);
        try (var gateway = new SecureGateway(
                (_, usual) -> usual, plane -> plane.withMemory(memory), HostileGateway.ranges("[]"), "")) {
            Socket known = from("127.0.0.2", gateway);
            assertThat(served(known)).isTrue();
            known.close();
            until(() -> gateway.dataPlane().connections() == 0);
            for (int i = 0; i < 15; i++) from("127.0.0.3", gateway);
            until(() -> gateway.dataPlane().connections() == 15);

            assertThat(served(from("127.0.0.4", gateway))).isFalse();
            assertThat(served(from("127.0.0.2", gateway))).isTrue();
        }
    }

    private static Socket from(String address, SecureGateway gateway) throws IOException {
        InetSocketAddress gatewayAddress = gateway.dataPlane().address();
        return new Socket(gatewayAddress.getAddress(), gatewayAddress.getPort(), InetAddress.ofLiteral(address), 0);
    }

    @Test
    void closed_connections_are_forgotten_however_they_end() throws IOException {
        try (SecureGateway gateway = with(new ConnectionLimits(1, 1), "[]")) {
            for (int round = 0; round < 20; round++) {
                Socket client = awaitServed(gateway, "");
                if (round % 2 == 0) client.setSoLinger(true, 0);
                client.close();
            }
            awaitOver(() -> {
                try (Socket secure = gateway.socket()) {
                    return served(secure);
                }
            });
            awaitOver(() -> served(plain(gateway, "")));
        }
    }

    @Test
    void an_http_2_connection_counts_as_any_other() throws IOException {
        var any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        var live = OneRoute.live(
                OneRoute.api("/", false, OneRoute.to("http://127.0.0.1:9")), new Upstreams()::upstreamFor);
        var settings = DataPlaneSettings.on(any).withIoThreads(1).withConnections(new ConnectionLimits(1, 1));
        var listening = new Listening(Optional.empty(), IpRanges.NONE, true);
        var plane = new DataPlane(settings, listening, live, ApiMeters.NONE, TrafficLog.OFF, null);
        try {
            for (int round = 0; round < 3; round++) {
                var first = new Socket[1];
                awaitOver(() -> {
                    first[0] = raw(plane.address().getPort());
                    return speaksHttp2(first[0]);
                });
                assertThat(speaksHttp2(raw(plane.address().getPort()))).isFalse();
                first[0].close();
            }
        } finally {
            plane.stop(Duration.ZERO);
        }
    }

    private static boolean speaksHttp2(Socket socket) {
        try {
            var connection = new RawConnection(socket).send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0");
            return connection.in().readNBytes(9).length == 9; // its settings
        } catch (IOException e) {
            return false;
        }
    }

    private interface Attempt {
        boolean succeeds() throws IOException;
    }

    private static void awaitOver(Attempt attempt) {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (true) {
            assertThat(System.nanoTime()).isLessThan(until);
            try {
                if (attempt.succeeds()) return;
            } catch (IOException e) {
                // closed: there is no room yet
            }
        }
    }

    private static Socket awaitServed(SecureGateway gateway, String header) {
        var socket = new Socket[1];
        awaitOver(() -> {
            socket[0] = plain(gateway, header);
            return served(socket[0]);
        });
        return socket[0];
    }

    private static SecureGateway with(ConnectionLimits limits, String proxies) throws IOException {
        return with(limits, proxies, "[]");
    }

    /// @param trusted proxies whose claims are believed
    private static SecureGateway with(ConnectionLimits limits, String proxies, String trusted) throws IOException {
        return new SecureGateway(
                (own, usual) -> usual,
                plane -> plane.withConnections(limits)
                        .withTrustedProxies(HostileGateway.ranges(trusted))
                        .withTimeouts(Duration.ofSeconds(30), Duration.ofSeconds(60), Duration.ofSeconds(30)),
                HostileGateway.ranges(proxies),
                "");
    }

    private static String from(String client) {
        return "PROXY TCP4 " + client + " 192.0.2.1 40000 443\r\n";
    }

    private static String from6(String client) {
        return "PROXY TCP6 " + client + " 2001:db8:ffff::1 40000 443\r\n";
    }

    private static Socket raw(int port) throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(10_000);
        return socket;
    }

    private static Socket plain(SecureGateway gateway, String header) throws IOException {
        Socket socket = raw(gateway.dataPlane().address().getPort());
        if (!header.isEmpty()) new RawConnection(socket).send(header);
        return socket;
    }

    private static boolean served(Socket socket) {
        try {
            var connection = new RawConnection(socket).send(REQUEST);
            return connection.readAnswer().startsWith("HTTP/1.1 200");
        } catch (SocketTimeoutException e) {
            throw new AssertionError("neither served nor closed", e);
        } catch (IOException e) {
            return false;
        }
    }
}
