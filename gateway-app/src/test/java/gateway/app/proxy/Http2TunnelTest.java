package gateway.app.proxy;

import static gateway.app.proxy.Http2Sockets.HANDSHAKE;
import static gateway.app.proxy.Http2Sockets.agreed;
import static gateway.app.proxy.Http2Wire.CANCEL;
import static gateway.app.proxy.Http2Wire.DATA;
import static gateway.app.proxy.Http2Wire.END_STREAM;
import static gateway.app.proxy.Http2Wire.HEADERS;
import static gateway.app.proxy.Http2Wire.PROTOCOL_ERROR;
import static gateway.app.proxy.Http2Wire.RST_STREAM;
import static gateway.app.proxy.Http2Wire.SETTINGS;
import static gateway.app.proxy.Http2Wire.WINDOW_UPDATE;
import static gateway.app.proxy.Http2Wire.number;
import static gateway.app.proxy.Http2Wire.setting;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// How the two ends of an open WebSocket hear of each other when the client is on a stream of HTTP/2.
final class Http2TunnelTest {
    private Http2Sockets sockets;
    private Http2Wire client;

    private void start(Http2Gateway gateway) throws IOException {
        sockets = new Http2Sockets(gateway);
        client = sockets.client;
    }

    @AfterEach
    void stop() throws IOException {
        sockets.close();
    }

    @Test
    void what_comes_ahead_of_the_answer_follows_it_to_the_upstream() throws IOException {
        start(Http2Gateway.start());
        client.headers(1, false, HANDSHAKE).data(1, false, "early");
        RawConnection upstream = sockets.gateway.upstream.accept();
        upstream.send(agreed(upstream.readHead()));

        assertThat(upstream.read(5)).isEqualTo("early");
    }

    @Test
    void sockets_stand_beside_each_other_and_beside_requests() throws IOException {
        start(Http2Gateway.start());
        RawConnection first = sockets.open(1);
        RawConnection second = sockets.open(3);
        client.get(5, "/plain");
        RawConnection third = sockets.gateway.upstream.accept();
        third.readHead();
        third.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");

        assertThat(client.answer(5).content()).isEqualTo("ok");
        client.data(3, false, "three").data(1, false, "one");
        assertThat(first.read(3)).isEqualTo("one");
        assertThat(second.read(5)).isEqualTo("three");
        second.send("back");
        Http2Wire.Frame back = client.next(DATA);
        assertThat(back.stream()).isEqualTo(3);
        assertThat(back.payload()).isEqualTo("back");
    }

    @Test
    void the_end_of_a_stream_is_the_end_of_a_connection_both_ways() throws IOException {
        start(Http2Gateway.start());
        RawConnection upstream = sockets.open(1);
        client.data(1, true, "bye");

        assertThat(upstream.readToEnd()).isEqualTo("bye");
        upstream.send("and goodbye").close();
        assertThat(sockets.rest(1)).isEqualTo("and goodbye");
        sockets.awaitNone();
        client.frame(Http2Wire.PING, 0, 0, new byte[8]);
        assertThat(client.next().type())
                .as("no reset of a stream that has ended")
                .isEqualTo(Http2Wire.PING);
    }

    @Test
    void an_upstream_that_ends_first_may_still_be_told_something() throws IOException {
        start(Http2Gateway.start());
        RawConnection upstream = sockets.open(1);
        upstream.send("bye");
        upstream.finishSending();

        assertThat(sockets.rest(1)).isEqualTo("bye");
        client.data(1, true, "goodbye");
        assertThat(upstream.readToEnd()).isEqualTo("goodbye");
        sockets.awaitNone();
    }

    @Test
    void a_reset_stream_ends_the_upstream_s_connection_and_no_other_stream() throws IOException {
        start(Http2Gateway.start());
        RawConnection upstream = sockets.open(1);
        RawConnection other = sockets.open(3);
        client.frame(RST_STREAM, 0, 1, number(CANCEL));

        assertThat(upstream.isClosedByPeer()).isTrue();
        client.data(3, false, "still");
        assertThat(other.read(5)).isEqualTo("still");
    }

    @Test
    void an_upstream_s_reset_resets_the_stream() throws IOException {
        start(Http2Gateway.start());
        sockets.open(1).reset();

        Http2Wire.Frame reset = client.next(RST_STREAM);
        assertThat(reset.stream()).isEqualTo(1);
        assertThat(reset.code()).isEqualTo(CANCEL);
        sockets.awaitNone();
    }

    @Test
    void trailers_have_no_place_in_a_tunnel() throws IOException {
        start(Http2Gateway.start());
        RawConnection upstream = sockets.open(1);
        client.headers(1, true, "a", "b");

        assertThat(client.next(RST_STREAM).code()).isEqualTo(PROTOCOL_ERROR);
        assertThat(upstream.isClosedByPeer()).isTrue();
    }

    @Test
    void the_window_of_the_client_holds_the_upstream_back() throws IOException {
        start(Http2Gateway.start());
        client.frame(SETTINGS, 0, 0, setting(4, 10));
        client.next(SETTINGS); // the gateway's
        client.next(SETTINGS); // receipts
        client.next(SETTINGS);
        RawConnection upstream = sockets.open(1);
        upstream.send("0123456789abcde");

        assertThat(client.next(DATA).payload()).isEqualTo("0123456789");
        client.frame(Http2Wire.PING, 0, 0, new byte[8]);
        assertThat(client.next().type()).isEqualTo(Http2Wire.PING);
        client.frame(WINDOW_UPDATE, 0, 1, number(3));
        assertThat(client.next(DATA).payload()).isEqualTo("abc");
        client.frame(WINDOW_UPDATE, 0, 1, number(30));
        assertThat(client.next(DATA).payload()).isEqualTo("de");
    }

    @Test
    void the_client_may_send_more_as_the_upstream_reads() throws IOException {
        start(Http2Gateway.start());
        RawConnection upstream = sockets.open(1);
        String piece = "x".repeat(16 * 1024);
        int rounds = 20;
        for (int i = 0; i < rounds; i++) {
            client.data(1, false, piece);
            assertThat(upstream.read(piece.length())).isEqualTo(piece);
        }

        int credit = 0;
        while (credit < (rounds - 4) * piece.length()) {
            Http2Wire.Frame update = client.next(WINDOW_UPDATE);
            if (update.stream() == 1) credit += ByteBuffer.wrap(update.octets()).getInt();
        }
    }

    @Test
    void a_client_that_sends_past_its_window_is_told_so() throws IOException {
        start(Http2Gateway.start());
        client.headers(1, false, HANDSHAKE); // the upstream does not answer, so nobody reads
        sockets.gateway.upstream.accept();
        for (int i = 0; i < 5; i++) client.data(1, false, "x".repeat(16 * 1024));

        assertThat(client.next(RST_STREAM).code()).isEqualTo(Http2Wire.FLOW_CONTROL_ERROR);
    }

    @Test
    void a_silent_socket_outlives_the_limits_of_messages_and_ends_at_its_own() throws IOException {
        start(Http2Gateway.with(
                plane -> plane.withTimeouts(Duration.ofSeconds(5), Duration.ofSeconds(1), Duration.ofSeconds(1))
                        .withWebSockets(new WebSocketLimits(9, Duration.ofSeconds(3)))));
        RawConnection upstream = sockets.open(1);
        long began = System.nanoTime();

        assertThat(sockets.rest(1)).isEqualTo("\u0088\u0002\u0003\u00e9");
        assertThat(upstream.readToEnd()).hasSize(8);
        assertThat(System.nanoTime() - began)
                .isGreaterThan(Duration.ofMillis(2500).toNanos());
        client.data(1, true, "");
        upstream.close();
        sockets.awaitNone();
    }

    @Test
    void sockets_of_a_connection_that_breaks_end_with_it() throws IOException {
        start(Http2Gateway.start());
        RawConnection first = sockets.open(1);
        RawConnection second = sockets.open(3);
        client.connection().reset();

        assertThat(first.isClosedByPeer()).isTrue();
        assertThat(second.isClosedByPeer()).isTrue();
        sockets.awaitNone();
    }

    @Test
    void a_handshake_that_ends_its_stream_opens_a_socket_that_the_client_only_listens_to() throws IOException {
        start(Http2Gateway.start());
        client.frame(HEADERS, Http2Wire.END_HEADERS | END_STREAM, 1, Http2Wire.section(HANDSHAKE));
        RawConnection upstream = sockets.gateway.upstream.accept();
        upstream.send(agreed(upstream.readHead()) + "news");

        assertThat(client.fields(client.next(HEADERS))).containsEntry(":status", "200");
        assertThat(client.next(DATA).payload()).isEqualTo("news");
        assertThat(upstream.readToEnd()).isEmpty();
    }
}
