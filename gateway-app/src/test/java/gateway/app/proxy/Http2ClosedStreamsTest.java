package gateway.app.proxy;

import static gateway.app.proxy.Http2Wire.END_HEADERS;
import static gateway.app.proxy.Http2Wire.END_STREAM;
import static gateway.app.proxy.Http2Wire.ENHANCE_YOUR_CALM;
import static gateway.app.proxy.Http2Wire.PROTOCOL_ERROR;
import static gateway.app.proxy.Http2Wire.head;
import static gateway.app.proxy.Http2Wire.joined;
import static gateway.app.proxy.Http2Wire.number;
import static gateway.app.proxy.Http2Wire.section;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Frames of streams that are over, or that never were, and heads that end their stream.
final class Http2ClosedStreamsTest {
    private static final int STREAM_CLOSED = 5;

    @RegisterExtension
    private static final RecordedHttp2 HTTP2 = RecordedHttp2.start();

    private Http2Wire client;

    @BeforeEach
    void connect() throws IOException {
        client = HTTP2.gateway.wire();
    }

    @AfterEach
    void disconnect() throws IOException {
        client.close();
    }

    @Test
    void a_head_on_a_number_that_was_passed_over_ends_the_connection() throws IOException {
        client.get(5, "/").answer(5);
        client.get(3, "/");

        assertThat(client.next(Http2Wire.GOAWAY).code()).isEqualTo(PROTOCOL_ERROR);
    }

    @Test
    void a_head_on_a_stream_that_the_client_has_ended_ends_the_connection() throws IOException {
        client.get(1, "/").answer(1);
        client.get(1, "/");

        assertThat(client.next(Http2Wire.GOAWAY).code()).isEqualTo(STREAM_CLOSED);
    }

    @Test
    void content_behind_the_end_or_the_reset_of_a_stream_is_told_that_it_is_closed() throws IOException {
        client.get(1, "/").answer(1);
        client.data(1, true, "late");
        Http2Wire.Frame first = client.next(Http2Wire.RST_STREAM);
        client.post(3, "/").frame(Http2Wire.RST_STREAM, 0, 3, number(8)).data(3, true, "late");
        Http2Wire.Frame second = client.next(Http2Wire.RST_STREAM);

        assertThat(first.stream()).isEqualTo(1);
        assertThat(first.code()).isEqualTo(STREAM_CLOSED);
        assertThat(second.stream()).isEqualTo(3);
        assertThat(second.code()).isEqualTo(STREAM_CLOSED);
        assertThat(client.get(5, "/on").answer(5).content()).isEqualTo("served GET /on HTTP/1.1");
    }

    @Test
    void what_was_under_way_when_the_gateway_left_a_stream_is_passed_over() throws IOException {
        try (Http2Gateway small = Http2Gateway.withMaxBody(4);
                Http2Wire other = small.wire()) {
            other.post(1, "/", "content-length", "100000").answer(1);
            other.next(Http2Wire.RST_STREAM);
            for (int i = 0; i < 3; i++) other.data(1, false, "x".repeat(1000));
            other.headers(1, true, "x-trailer", "1");

            assertThat(other.get(3, "/%00").answer(3).status()).isEqualTo("400");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-Upper", "connection", ":status"})
    void a_malformed_head_is_answered_and_its_stream_reset(String field) throws IOException {
        client.headers(1, true, joined(head("GET", "/"), field, "1"));

        assertThat(client.answer(1).status()).isEqualTo("400");
        assertThat(client.next(Http2Wire.RST_STREAM).code()).isEqualTo(PROTOCOL_ERROR);
    }

    @Test
    void a_head_of_200_kilobytes_is_answered_431_before_its_connection_ends() throws IOException {
        byte[] section = section(joined(head("GET", "/"), "x", "y".repeat(200_000)));
        client.frame(Http2Wire.HEADERS, END_STREAM, 1, Arrays.copyOf(section, 16_384));
        for (int from = 16_384; from < section.length; from += 16_384) {
            int to = Math.min(section.length, from + 16_384);
            int flags = to == section.length ? END_HEADERS : 0;
            client.frame(Http2Wire.CONTINUATION, flags, 1, Arrays.copyOfRange(section, from, to));
        }

        assertThat(client.answer(1).status()).isEqualTo("431");
        assertThat(client.next(Http2Wire.GOAWAY).code()).isEqualTo(ENHANCE_YOUR_CALM);
    }

    @Test
    void a_stream_that_depends_on_itself_ends_the_connection() throws IOException {
        client.frame(Http2Wire.PRIORITY, 0, 3, (byte) 0, (byte) 0, (byte) 0, (byte) 3, (byte) 16);

        assertThat(client.next(Http2Wire.GOAWAY).code()).isEqualTo(PROTOCOL_ERROR);
    }
}
