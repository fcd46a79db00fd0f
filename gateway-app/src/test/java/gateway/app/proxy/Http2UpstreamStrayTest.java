package gateway.app.proxy;

import static gateway.app.proxy.Http2Wire.CANCEL;
import static gateway.app.proxy.Http2Wire.DATA;
import static gateway.app.proxy.Http2Wire.END_STREAM;
import static gateway.app.proxy.Http2Wire.GOAWAY;
import static gateway.app.proxy.Http2Wire.HEADERS;
import static gateway.app.proxy.Http2Wire.RST_STREAM;
import static gateway.app.proxy.Http2Wire.SETTINGS;
import static gateway.app.proxy.Http2Wire.bytes;
import static gateway.app.proxy.Http2Wire.number;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.config.TargetDefinition;
import gateway.net.UpstreamProtocol;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.URI;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What upstreams of HTTP/2 send on streams that the gateway has left: what was under way may come, no more.
@Timeout(60)
final class Http2UpstreamStrayTest {
    private static final int FRAME = 16 * 1024;
    private static final int WINDOW = 64 * 1024 - 1;
    private static final int STREAM_CLOSED = 5;

    private RawUpstream upstream;
    private Http2Gateway gateway;
    private Http2Wire client;
    private Http2Wire server;

    @BeforeEach
    void start() throws IOException {
        upstream = new RawUpstream();
        gateway = Http2Gateway.inFrontOf(
                OneRoute.to(new TargetDefinition(URI.create(upstream.url()), 1).by(UpstreamProtocol.H2C)));
        client = gateway.wire().get(1, "/left");
        server = Http2Wire.serving(upstream.accept()).frame(SETTINGS, 0, 0);
        server.next(HEADERS);
    }

    @AfterEach
    void stop() throws IOException {
        gateway.close();
        upstream.close();
    }

    /// The client leaves a stream, of which the server is told.
    private void leave(int stream) throws IOException {
        client.frame(RST_STREAM, 0, stream, number(CANCEL));
        assertThat(server.next(RST_STREAM).stream()).isEqualTo(stream);
    }

    private void serves(int stream) throws IOException {
        client.get(stream, "/next");
        assertThat(server.next(HEADERS).stream()).isEqualTo(stream);
        server.headers(stream, false, ":status", "200").data(stream, true, "served");
        assertThat(client.answer(stream).content()).isEqualTo("served");
    }

    private static byte[] times(int count, byte[] frame) {
        var many = new ByteArrayOutputStream();
        for (int i = 0; i < count; i++) many.writeBytes(frame);
        return many.toByteArray();
    }

    @Test
    void a_whole_window_in_16_000_small_frames_may_be_under_way_when_a_stream_is_left() throws IOException {
        leave(1);

        server.connection().send(times(16_000, bytes(DATA, 0, 1, new byte[4])));

        serves(3);
        assertThat(upstream.nobodyElseCalls()).isTrue();
    }

    @Test
    void an_answer_that_comes_whole_after_its_stream_was_left_is_passed_over() throws IOException {
        leave(1);

        server.headers(1, false, ":status", "200").data(1, false, "late");
        server.data(1, false, "").headers(1, true, "grpc-status", "0");

        serves(3);
        assertThat(upstream.nobodyElseCalls()).isTrue();
    }

    @Test
    void a_window_of_the_connection_may_be_under_way_when_many_streams_are_left() throws IOException {
        for (int stream = 3; stream < 33; stream += 2) {
            client.get(stream, "/left");
            server.next(HEADERS);
        }
        for (int stream = 1; stream < 33; stream += 2) leave(stream);

        for (int stream = 1; stream < 33; stream += 2) {
            byte[] frame = bytes(DATA, 0, stream, new byte[FRAME]);
            server.connection().send(times(3, frame));
            server.frame(DATA, 0, stream, new byte[WINDOW - 3 * FRAME]);
        }

        serves(33);
        assertThat(upstream.nobodyElseCalls()).isTrue();
    }

    @Test
    void a_byte_more_than_can_have_been_under_way_ends_the_connection() throws IOException {
        leave(1);

        for (int i = 0; i < 4; i++) server.frame(DATA, 0, 1, new byte[FRAME]);

        assertThat(server.next(GOAWAY).code()).isEqualTo(STREAM_CLOSED);
        assertThatThrownBy(server::next).isInstanceOf(EOFException.class);
    }

    @Test
    void what_came_before_a_stream_was_left_was_not_under_way() throws IOException {
        server.headers(1, false, ":status", "200").frame(DATA, 0, 1, new byte[FRAME]);
        client.next(DATA);
        leave(1);

        server.connection().send(times(2, bytes(DATA, 0, 1, new byte[FRAME])));
        server.frame(DATA, 0, 1, new byte[WINDOW - 3 * FRAME]).frame(DATA, 0, 1, new byte[1]);

        assertThat(server.next(GOAWAY).code()).isEqualTo(STREAM_CLOSED);
    }

    @Test
    void nothing_is_under_way_on_a_stream_that_the_server_has_ended() throws IOException {
        server.headers(1, false, ":status", "200").data(1, true, "whole");
        assertThat(client.answer(1).content()).isEqualTo("whole");

        server.data(1, false, "more");

        assertThat(server.next(GOAWAY).code()).isEqualTo(STREAM_CLOSED);
    }

    @Test
    void a_server_that_heeds_no_reset_is_cut_off_and_others_are_served() throws IOException {
        leave(1);
        byte[] frame = bytes(DATA, 0, 1, new byte[FRAME]);

        assertThatThrownBy(() -> {
                    for (int i = 0; i < 10_000; i++) server.connection().send(frame);
                })
                .isInstanceOf(IOException.class);

        client.get(3, "/next");
        server = Http2Wire.serving(upstream.accept()).frame(SETTINGS, 0, 0);
        server.next(HEADERS);
        server.headers(1, true, ":status", "204");
        assertThat(client.answer(3).status()).isEqualTo("204");
    }

    @Test
    void a_server_that_ends_a_stream_again_and_again_is_cut_off() throws IOException {
        leave(1);

        try {
            server.connection().send(times(100_000, bytes(DATA, END_STREAM, 1)));
        } catch (IOException e) {
            // the gateway has had enough of it meanwhile
        }

        assertThat(server.connection().isClosedByPeer()).isTrue();
    }
}
