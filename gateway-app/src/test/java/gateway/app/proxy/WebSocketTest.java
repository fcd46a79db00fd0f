package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.Response;
import gateway.policy.Verdict;
import gateway.wire.io.RequestThreadMode;
import java.io.IOException;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// WebSockets between the JDK's client and Undertow's server.
@ParameterizedClass
@EnumSource(RequestThreadMode.class)
final class WebSocketTest {
    private static final int MIB = 1024 * 1024;

    @Parameter
    RequestThreadMode mode;

    private final EchoSocketServer server = new EchoSocketServer();

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void messages_of_every_kind_come_back() throws Exception {
        byte[] large = new byte[MIB];
        new Random(7).nextBytes(large);
        try (Proxy proxy = proxy().start();
                WebSocketClient client = WebSocketClient.to(port(proxy), "/chat?room=1")) {
            WebSocket socket = client.socket();

            assertThat(client.text("hello").next()).isEqualTo("hello");
            socket.sendText("in ", false).join();
            socket.sendText("three ", false).join();
            socket.sendText("parts", true).join();
            assertThat(client.next()).isEqualTo("in three parts");
            socket.sendPing(ByteBuffer.wrap(new byte[] {1})).join();
            assertThat(client.next()).isEqualTo("pong");
            socket.sendBinary(ByteBuffer.wrap(large), true).join();
            assertThat(client.next()).isEqualTo(large);
            assertThat(client.text("x".repeat(MIB)).next()).isEqualTo("x".repeat(MIB));

            socket.sendClose(4001, "enough").join();
            assertThat(client.next()).isEqualTo(4001);
            assertThat(server.closeCodes.poll(10, TimeUnit.SECONDS)).isEqualTo(4001);
            awaitNone(proxy);
        }
    }

    @Test
    void an_open_socket_holds_no_place_among_the_requests_in_flight() throws Exception {
        try (Proxy proxy = proxy().settings(plane -> plane.withMaxInFlight(1)).start();
                WebSocketClient one = WebSocketClient.to(port(proxy), "/");
                WebSocketClient two = WebSocketClient.to(port(proxy), "/")) {
            assertThat(one.text("1").next()).isEqualTo("1");
            assertThat(two.text("2").next()).isEqualTo("2");

            assertThat(proxy.dataPlane().webSockets()).isEqualTo(2);
            assertThat(proxy.dataPlane().requestsInFlight()).isZero();
        }
    }

    @Test
    void one_socket_too_many_is_answered_503_until_another_has_gone() throws Exception {
        var limits = new WebSocketLimits(1, WebSocketLimits.USUAL.idle());
        try (Proxy proxy =
                proxy().settings(plane -> plane.withWebSockets(limits)).start()) {
            try (WebSocketClient first = WebSocketClient.to(port(proxy), "/")) {
                assertThatThrownBy(() -> WebSocketClient.to(port(proxy), "/"))
                        .isInstanceOf(CompletionException.class)
                        .hasCauseInstanceOf(WebSocketHandshakeException.class)
                        .satisfies(e -> assertThat(((WebSocketHandshakeException) e.getCause())
                                        .getResponse()
                                        .statusCode())
                                .isEqualTo(503));
                assertThat(proxy.dataPlane().refusedWebSockets()).isOne();
                assertThat(first.text("still here").next()).isEqualTo("still here");
            }
            awaitNone(proxy);

            try (WebSocketClient next = WebSocketClient.to(port(proxy), "/")) {
                assertThat(next.text("room").next()).isEqualTo("room");
            }
        }
    }

    @Test
    void a_policy_refuses_a_handshake_as_any_request() throws Exception {
        var asked = new CountDownLatch(1);
        try (Proxy proxy = proxy().policies(exchange -> {
                    asked.countDown();
                    return Verdict.stop(Response.of(401));
                })
                .start()) {
            assertThatThrownBy(() -> WebSocketClient.to(port(proxy), "/"))
                    .satisfies(e -> assertThat(((WebSocketHandshakeException) e.getCause())
                                    .getResponse()
                                    .statusCode())
                            .isEqualTo(401));
            assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(server.channels).isEmpty();
        }
    }

    @Test
    void a_server_that_dies_ends_the_client_and_a_client_that_dies_ends_the_server() throws Exception {
        try (Proxy proxy = proxy().start()) {
            try (RawConnection client = proxy.client()) { // the JDK's may miss an end without a close frame
                client.send(HostileHandshakeTest.handshake()).readHead();
                server.channels.take().close();
                assertThat(client.isClosedByPeer()).isTrue();
            }
            awaitNone(proxy);
            WebSocketClient dying = WebSocketClient.to(port(proxy), "/");
            dying.text("up").next();
            var channel = server.channels.take();
            var gone = new CountDownLatch(1);
            channel.addCloseTask(_ -> gone.countDown());

            dying.close();

            assertThat(gone.await(10, TimeUnit.SECONDS)).isTrue();
            awaitNone(proxy);
        }
    }

    private Proxy.Setup proxy() {
        return Proxy.in(mode).targets(server.url());
    }

    private static int port(Proxy proxy) {
        return proxy.dataPlane().address().getPort();
    }

    static void awaitNone(Proxy proxy) throws IOException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (proxy.dataPlane().webSockets() > 0 || proxy.dataPlane().connections() > 0) {
            assertThat(System.nanoTime()).as("all sockets are gone").isLessThan(until);
            Thread.onSpinWait();
        }
    }
}
