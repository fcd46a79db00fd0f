package gateway.app.proxy;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.policy.BodyAccess;
import gateway.policy.BodyUse;
import gateway.policy.Policy;
import gateway.wire.io.RequestThreadMode;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Events and WebSockets through policies that see or change bodies on their way, over sockets.
@Timeout(60)
final class PassingStreamsTest {
    private static final BodyUse WATCHED = BodyUse.ofResponses(BodyAccess.watched());
    private static final BodyUse CHANGED = BodyUse.ofResponses(BodyAccess.streamed());
    private static final String EVENTS = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";

    private final SeenPieces seen = new SeenPieces();

    @Test
    void events_are_changed_one_by_one() throws IOException {
        try (PassingProxy proxy = PassingProxy.asked(PassingProxy.ASK, seen.policy(CHANGED))) {
            proxy.upstream.send(EVENTS + "data: a\n\n");
            proxy.client.readHead();
            proxy.client.readUntil("[DATA: A\n\n");
            proxy.upstream.send("data: b\n\n");
            proxy.client.readUntil("DATA: B\n\n");
            proxy.upstream.close();

            assertThat(proxy.client.readUntil("0\r\n\r\n")).contains("]");
            assertThat(seen.ends()).containsExactly("complete");
        }
    }

    @Test
    void events_are_seen_one_by_one_as_they_go_out() throws IOException {
        try (PassingProxy proxy = PassingProxy.asked(PassingProxy.ASK, seen.policy(WATCHED))) {
            proxy.upstream.send(EVENTS + "data: a\n\n");
            proxy.client.readHead();
            proxy.client.readUntil("data: a\n\n");
            assertThat(seen.content()).isEqualTo("data: a\n\n");
            proxy.upstream.send("data: b\n\n");
            proxy.client.readUntil("data: b\n\n");
            proxy.upstream.close();

            assertThat(proxy.client.readUntil("0\r\n\r\n")).isEqualTo("\r\n0\r\n\r\n");
            assertThat(seen.content()).isEqualTo("data: a\n\ndata: b\n\n");
            assertThat(seen.ends()).containsExactly("complete");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void events_whose_client_leaves_are_broken_once_and_end_at_the_upstream(boolean changed) throws IOException {
        Policy policy = seen.policy(changed ? CHANGED : WATCHED);
        try (PassingProxy proxy = PassingProxy.asked(PassingProxy.ASK, policy)) {
            proxy.upstream.send(EVENTS + "data: a\n\n");
            proxy.client.readHead();
            proxy.client.close();

            assertThat(proxy.upstream.isClosedByPeer()).isTrue();
            until(() -> !seen.ends().isEmpty());
            assertThat(seen.ends()).containsExactly("broken");
        }
    }

    @Test
    void events_are_changed_one_by_one_for_clients_of_http_2() throws IOException {
        try (Http2Gateway gateway = Http2Gateway.start(seen.policy(CHANGED));
                Http2Wire client = gateway.wire()) {
            client.get(1, "/");
            RawConnection upstream = gateway.upstream.accept();
            upstream.readHead();
            upstream.send(EVENTS + "data: a\n\n");
            assertThat(client.fields(client.next(Http2Wire.HEADERS)))
                    .containsEntry("content-type", "text/event-stream");
            assertThat(client.next(Http2Wire.DATA).payload()).isEqualTo("[DATA: A\n\n");
            upstream.send("data: b\n\n");
            assertThat(client.next(Http2Wire.DATA).payload()).isEqualTo("DATA: B\n\n");
            upstream.close();

            assertThat(client.next(Http2Wire.DATA).payload()).isEqualTo("]");
            until(() -> !seen.ends().isEmpty());
            assertThat(seen.ends()).containsExactly("complete");
        }
    }

    private static List<BodyUse> uses() {
        return List.of(
                new BodyUse(BodyAccess.streamed(), BodyAccess.streamed()),
                new BodyUse(BodyAccess.watched(), BodyAccess.watched()),
                new BodyUse(BodyAccess.held(1000), BodyAccess.held(1000)));
    }

    @ParameterizedTest
    @MethodSource("uses")
    void what_follows_a_handshake_is_no_body_of_anybody(BodyUse use) throws Exception {
        try (var server = new EchoSocketServer();
                Proxy proxy = Proxy.in(RequestThreadMode.IO)
                        .targets(server.url())
                        .policies(seen.policy(use))
                        .start();
                WebSocketClient client =
                        WebSocketClient.to(proxy.dataPlane().address().getPort(), "/chat")) {
            assertThat(client.text("hello").next()).isEqualTo("hello");
            assertThat(client.text("again").next()).isEqualTo("again");
            client.socket().sendClose(1000, "enough").join();

            assertThat(client.next()).isEqualTo(1000);
            until(() -> proxy.dataPlane().webSockets() == 0);
            assertThat(seen.content()).isEmpty();
            assertThat(seen.ends()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("uses")
    void nor_is_it_over_http_2(BodyUse use) throws IOException {
        try (var sockets = new Http2Sockets(Http2Gateway.start(seen.policy(use)))) {
            RawConnection upstream = sockets.open(1);
            sockets.client.data(1, false, "hello");
            assertThat(upstream.read(5)).isEqualTo("hello");
            upstream.send("world");
            assertThat(sockets.client.next(Http2Wire.DATA).payload()).isEqualTo("world");
            sockets.client.data(1, true, "");
            upstream.close();

            sockets.awaitNone();
            assertThat(seen.content()).isEmpty();
            assertThat(seen.ends()).isEmpty();
        }
    }

    @Test
    void the_answer_of_a_server_that_does_not_agree_is_changed_as_any_other() throws IOException {
        try (PassingProxy proxy = PassingProxy.asked(HostileHandshakeTest.handshake(), seen.policy(CHANGED))) {
            assertThat(Http.only(proxy.head, "Upgrade")).isEqualTo("websocket");
            proxy.upstream.send("HTTP/1.1 403 Forbidden\r\nContent-Length: 5\r\n\r\nhello");

            String head = proxy.client.readHead(); // the connection ends behind it
            assertThat(Http.start(head)).isEqualTo("HTTP/1.1 403 Forbidden");
            assertThat(head)
                    .contains("Connection: close", "Transfer-Encoding: chunked")
                    .doesNotContain("Content-Length");
            assertThat(proxy.client.readChunked()).isEqualTo("[HELLO]");
            assertThat(proxy.client.readToEnd()).isEqualTo("\r\n"); // behind the last chunk
            assertThat(seen.ends()).containsExactly("complete");
        }
    }

    /// Without `Connection: Upgrade` it is no handshake, whatever `Upgrade` says: nothing gets past a policy so.
    @Test
    void a_request_that_only_looks_like_a_handshake_passes_as_any_other() throws IOException {
        Policy policy = seen.policy(BodyUse.ofRequests(BodyAccess.streamed()));
        String head = Http.head("GET / HTTP/1.1", "Host: a", "Upgrade: websocket", "Transfer-Encoding: chunked");
        try (PassingProxy proxy = PassingProxy.asked(head + "5\r\nhello\r\n0\r\n\r\n", policy)) {
            assertThat(proxy.head).doesNotContain("Upgrade", "upgrade");
            assertThat(proxy.upstream.readChunked()).isEqualTo("[HELLO]");
        }
    }
}
