package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.wire.io.RequestThreadMode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// How a gateway takes leave of both ends of a WebSocket: by a close frame, between two frames.
final class FarewellTest {
    private static final String GOING_AWAY = "\u0088\u0002\u0003\u00e9";
    private static final String TEXT_OF_TWO = "\u0081\u0002";

    private Proxy proxy;
    private RawConnection client;
    private RawConnection upstream;

    private void open(Duration idle) throws IOException {
        proxy = Proxy.in(RequestThreadMode.IO)
                .ioThreads(1)
                .settings(plane -> plane.withWebSockets(new WebSocketLimits(200, idle)))
                .start();
        client = proxy.client().send(HostileHandshakeTest.handshake());
        upstream = proxy.upstream().accept();
        upstream.readHead();
        upstream.send(HostileHandshakeTest.agreed());
        client.readHead();
    }

    @AfterEach
    void stop() throws IOException {
        proxy.close();
    }

    private CompletableFuture<Boolean> stopping() {
        return CompletableFuture.supplyAsync(() -> proxy.dataPlane().stop(Duration.ofMillis(100)));
    }

    private static void assertGoingAway(RawConnection upstream) throws IOException {
        ByteBuffer frame = ByteBuffer.wrap(upstream.read(8).getBytes(StandardCharsets.ISO_8859_1));
        assertThat(frame.getShort()).isEqualTo((short) 0x8882);
        int mask = frame.getInt();
        assertThat((frame.getShort() ^ mask >>> 16) & 0xffff).isEqualTo(1001);
    }

    @Test
    void a_gateway_that_stops_tells_both_ends_and_lets_them_end() throws Exception {
        open(Duration.ofMinutes(1));
        client.send(TEXT_OF_TWO + "hi");
        assertThat(upstream.read(4)).isEqualTo(TEXT_OF_TWO + "hi");
        CompletableFuture<Boolean> stopped = stopping();

        assertThat(client.readToEnd()).isEqualTo(GOING_AWAY);
        assertGoingAway(upstream);
        assertThat(upstream.in().read()).isEqualTo(-1);
        client.close();
        upstream.close();
        assertThat(stopped.get(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void a_frame_under_way_comes_to_its_end_first_and_no_other_begins() throws Exception {
        open(Duration.ofMillis(1200));
        upstream.send(TEXT_OF_TWO + "a");
        assertThat(client.read(3)).isEqualTo(TEXT_OF_TWO + "a");
        assertGoingAway(upstream); // idle for too long: the way there is free
        upstream.send("b" + TEXT_OF_TWO + "cd");

        assertThat(client.readToEnd()).isEqualTo("b" + GOING_AWAY);
    }

    @Test
    void a_socket_on_which_nothing_moves_ends_so_too() throws IOException {
        open(Duration.ofMillis(600));

        assertThat(client.readToEnd()).isEqualTo(GOING_AWAY);
        assertGoingAway(upstream);
        client.close();
        assertThat(upstream.in().read()).isEqualTo(-1);
        upstream.close();
        WebSocketTest.awaitNone(proxy);
    }

    @Test
    void nothing_follows_a_close_frame_that_has_passed() throws Exception {
        open(Duration.ofMinutes(1));
        upstream.send("\u0088\u0002\u0003\u00e8");
        assertThat(client.read(4)).isEqualTo("\u0088\u0002\u0003\u00e8");
        CompletableFuture<Boolean> stopped = stopping();

        assertThat(client.readToEnd()).isEmpty();
        assertGoingAway(upstream);
        stopped.get(20, TimeUnit.SECONDS);
    }

    @Test
    void what_are_no_frames_end_without_one() throws Exception {
        open(Duration.ofMinutes(1));
        client.send("ping"); // the beginning of a frame of 105 bytes
        assertThat(upstream.read(4)).isEqualTo("ping");
        CompletableFuture<Boolean> stopped = stopping();

        assertThat(client.readToEnd()).isEqualTo(GOING_AWAY);
        assertThat(upstream.readToEnd()).isEmpty();
        stopped.get(20, TimeUnit.SECONDS);
    }

    @Test
    void real_peers_hear_that_the_gateway_goes_away() throws Exception {
        try (var server = new EchoSocketServer();
                Proxy other =
                        Proxy.in(RequestThreadMode.IO).targets(server.url()).start();
                WebSocketClient socket =
                        WebSocketClient.to(other.dataPlane().address().getPort(), "/")) {
            proxy = other;
            assertThat(socket.text("hello").next()).isEqualTo("hello");
            CompletableFuture<Boolean> stopped = stopping();

            assertThat(socket.next()).isEqualTo(1001);
            assertThat(server.closeCodes.poll(20, TimeUnit.SECONDS)).isEqualTo(1001);
            assertThat(stopped.get(20, TimeUnit.SECONDS)).isTrue();
        }
    }
}
