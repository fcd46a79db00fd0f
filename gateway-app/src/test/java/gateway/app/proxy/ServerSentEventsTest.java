package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.wire.io.RequestThreadMode;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Events that a server sends one by one (text/event-stream) reach the client one by one: each is read here before the
/// upstream sends the next, so one that is held back somewhere fails the test.
final class ServerSentEventsTest {
    private static final String ASK = "GET /events HTTP/1.1\r\nHost: a.example\r\nAccept: text/event-stream\r\n\r\n";
    private static final String HEAD = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n";

    @ParameterizedTest
    @EnumSource(RequestThreadMode.class)
    void events_in_chunks_are_passed_on_as_they_come(RequestThreadMode mode) throws IOException {
        try (Proxy proxy = Proxy.in(mode).start()) {
            RawConnection client = proxy.client().send(ASK);
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();

            upstream.send(HEAD + "Transfer-Encoding: chunked\r\n\r\n");
            assertThat(client.readHead()).contains("Content-Type: text/event-stream");
            for (int i = 0; i < 5; i++) {
                String event = "data: " + i + "\n\n";
                upstream.send(Integer.toHexString(event.length()) + "\r\n" + event + "\r\n");
                assertThat(client.readUntil("\n\n")).endsWith(event);
            }
            upstream.send("0\r\n\r\n");
            assertThat(client.readUntil("0\r\n\r\n")).isNotEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(RequestThreadMode.class)
    void events_until_the_upstream_closes_are_passed_on_as_they_come(RequestThreadMode mode) throws IOException {
        try (Proxy proxy = Proxy.in(mode).start()) {
            RawConnection client = proxy.client().send(ASK);
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();

            upstream.send(HEAD + "\r\n");
            assertThat(client.readHead()).contains("Content-Type: text/event-stream");
            for (int i = 0; i < 5; i++) {
                upstream.send("data: " + i + "\n\n");
                assertThat(client.readUntil("\n\n")).endsWith("data: " + i + "\n\n");
            }
            upstream.close();
            assertThat(client.readUntil("0\r\n\r\n")).isNotEmpty();
        }
    }

    @Test
    void events_are_passed_on_over_tls_as_they_come() throws IOException {
        try (var upstream = new RawUpstream();
                SecureGateway gateway = SecureGateway.inFrontOf(upstream.url())) {
            RawConnection client = new RawConnection(gateway.socket()).send(ASK);
            RawConnection served = upstream.accept();
            served.readHead();

            served.send(HEAD + "Transfer-Encoding: chunked\r\n\r\n");
            assertThat(client.readHead()).contains("Content-Type: text/event-stream");
            for (int i = 0; i < 5; i++) {
                served.send("9\r\ndata: " + i + "\n\n\r\n");
                assertThat(client.readUntil("\n\n\r\n")).contains("data: " + i + "\n\n");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(RequestThreadMode.class)
    void a_client_that_leaves_ends_the_stream_at_the_upstream(RequestThreadMode mode) throws IOException {
        try (Proxy proxy = Proxy.in(mode).start()) {
            RawConnection client = proxy.client().send(ASK);
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            upstream.send(HEAD + "Transfer-Encoding: chunked\r\n\r\n");
            client.readHead();

            client.close();

            assertThat(upstream.isClosedByPeer()).isTrue();
        }
    }

    @Test
    void a_client_that_leaves_by_tls_ends_the_stream_at_the_upstream() throws IOException {
        try (var upstream = new RawUpstream();
                SecureGateway gateway = SecureGateway.inFrontOf(upstream.url())) {
            var socket = gateway.socket();
            RawConnection client = new RawConnection(socket).send(ASK);
            RawConnection served = upstream.accept();
            served.readHead();
            served.send(HEAD + "Transfer-Encoding: chunked\r\n\r\n");
            client.readHead();

            socket.shutdownOutput(); // its close_notify, and no end of the TCP connection

            assertThat(served.isClosedByPeer()).isTrue();
        }
    }
}
