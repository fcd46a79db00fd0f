package gateway.app.proxy;

import static gateway.app.proxy.Http2Wire.END_HEADERS;
import static gateway.app.proxy.Http2Wire.END_STREAM;
import static gateway.app.proxy.Http2Wire.ENHANCE_YOUR_CALM;
import static gateway.app.proxy.Http2Wire.head;
import static gateway.app.proxy.Http2Wire.joined;
import static gateway.app.proxy.Http2Wire.number;
import static gateway.app.proxy.Http2Wire.section;
import static gateway.app.proxy.Http2Wire.setting;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// HTTP/2 as it must not be, sent to a real listener.
final class Http2AttacksTest {
    @RegisterExtension
    private static final RecordedHttp2 HTTP2 = RecordedHttp2.start();

    /// Frames, and the error that ends the connection.
    record Broken(String what, int code, List<Byte> octets) {
        @Override
        public String toString() {
            return what;
        }
    }

    private static Broken broken(String what, int code, byte[]... frames) {
        var octets = new ArrayList<Byte>();
        for (byte[] frame : frames) for (byte octet : frame) octets.add(octet);
        return new Broken(what, code, octets);
    }

    private static byte[] frame(int type, int flags, int stream, byte... payload) {
        return Http2Wire.bytes(type, flags, stream, payload);
    }

    private static byte[] settings(int count) {
        var all = ByteBuffer.allocate(6 * count);
        for (int i = 0; i < count; i++) all.put(setting(4, i));
        return all.array();
    }

    private static byte[] open(int stream) {
        return frame(Http2Wire.HEADERS, END_HEADERS, stream, section(head("POST", "/")));
    }

    static List<Broken> breaks() {
        return List.of(
                broken("a frame of 16,385 bytes", 6, frame(Http2Wire.DATA, 0, 1, new byte[16_385])),
                broken("content of no stream", 1, frame(Http2Wire.DATA, 0, 0, (byte) 1)),
                broken("content of an idle stream", 1, frame(Http2Wire.DATA, 0, 5, (byte) 1)),
                broken("a head of no stream", 1, frame(Http2Wire.HEADERS, END_HEADERS, 0, section(head("GET", "/")))),
                broken(
                        "a head of an even stream",
                        1,
                        frame(Http2Wire.HEADERS, END_HEADERS, 2, section(head("GET", "/")))),
                broken("more padding than frame", 1, open(1), frame(Http2Wire.DATA, 8, 1, (byte) 5, (byte) 0)),
                broken(
                        "a continuation of nothing",
                        1,
                        frame(Http2Wire.CONTINUATION, END_HEADERS, 1, section("a", "b"))),
                broken(
                        "a continuation of another stream",
                        1,
                        frame(Http2Wire.HEADERS, 0, 1, section(head("GET", "/"))),
                        frame(Http2Wire.CONTINUATION, END_HEADERS, 3, section("a", "b"))),
                broken("fields that cannot be decoded", 9, frame(Http2Wire.HEADERS, END_HEADERS, 1, (byte) 0x80)),
                broken("an index past the table", 9, frame(Http2Wire.HEADERS, END_HEADERS, 1, (byte) 0xff, (byte)
                        0x7f)),
                broken("an empty name", 9, frame(Http2Wire.HEADERS, END_HEADERS, 1, section("", "a"))),
                broken("a field cut short", 9, frame(Http2Wire.HEADERS, END_HEADERS, 1, (byte) 0, (byte) 9, (byte)
                        'a')),
                broken("a reset of no stream", 1, frame(Http2Wire.RST_STREAM, 0, 0, number(8))),
                broken("a reset of an idle stream", 1, frame(Http2Wire.RST_STREAM, 0, 9, number(8))),
                broken("a reset of three bytes", 6, open(1), frame(Http2Wire.RST_STREAM, 0, 1, new byte[3])),
                broken("settings of a stream", 1, frame(Http2Wire.SETTINGS, 0, 1)),
                broken("settings of five bytes", 6, frame(Http2Wire.SETTINGS, 0, 0, new byte[5])),
                broken("a receipt with settings", 6, frame(Http2Wire.SETTINGS, 1, 0, setting(4, 1))),
                broken("push neither on nor off", 1, frame(Http2Wire.SETTINGS, 0, 0, setting(2, 2))),
                broken("a window past all measure", 3, frame(Http2Wire.SETTINGS, 0, 0, setting(4, -1))),
                broken("33 settings in a frame", 11, frame(Http2Wire.SETTINGS, 0, 0, settings(33))),
                broken("frames too small", 1, frame(Http2Wire.SETTINGS, 0, 0, setting(5, 100))),
                broken("a ping of a stream", 1, frame(Http2Wire.PING, 0, 1, new byte[8])),
                broken("a ping of seven bytes", 6, frame(Http2Wire.PING, 0, 0, new byte[7])),
                broken("a window update of nothing", 1, frame(Http2Wire.WINDOW_UPDATE, 0, 0, number(0))),
                broken(
                        "a connection's window past all measure",
                        3,
                        frame(Http2Wire.WINDOW_UPDATE, 0, 0, number(Integer.MAX_VALUE))),
                broken("a window update of an idle stream", 1, frame(Http2Wire.WINDOW_UPDATE, 0, 7, number(1))),
                broken("a promise", 1, open(1), frame(Http2Wire.PUSH_PROMISE, END_HEADERS, 1, number(2))),
                broken("a priority of four bytes", 6, frame(Http2Wire.PRIORITY, 0, 1, new byte[4])),
                broken("a farewell of a stream", 1, frame(Http2Wire.GOAWAY, 0, 1, new byte[8])));
    }

    @ParameterizedTest
    @MethodSource("breaks")
    void ends_the_connection_and_says_why(Broken broken) throws IOException {
        try (Http2Wire client = HTTP2.gateway.wire()) {
            byte[] octets = new byte[broken.octets().size()];
            for (int i = 0; i < octets.length; i++) octets[i] = broken.octets().get(i);
            client.connection().send(octets);

            assertThat(client.next(Http2Wire.GOAWAY).code()).isEqualTo(broken.code());
            assertThat(client.connection().isClosedByPeer()).isTrue();
        }
    }

    @Test
    void a_connection_that_does_not_begin_with_settings_is_ended() throws IOException {
        try (var client = new Http2Wire(HTTP2.gateway.dataPlane().address())) {
            client.connection().send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
            client.get(1, "/");

            assertThat(client.next(Http2Wire.GOAWAY).code()).isEqualTo(Http2Wire.PROTOCOL_ERROR);
        }
    }

    @Test
    void a_preface_that_goes_wrong_is_http_1_and_refused_as_such() throws IOException {
        try (RawConnection client = HTTP2.gateway.plain()) {
            client.send("PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n");

            assertThat(client.readToEnd()).startsWith("HTTP/1.1 505 ").containsOnlyOnce("HTTP/1.1 ");
        }
    }

    /// Sends the same frames until the gateway has had enough; answers how many times at least.
    private static int flood(Http2Wire client, int most, byte[] frames) throws IOException {
        var many = new ByteArrayOutputStream();
        for (int i = 0; i < 100; i++) many.writeBytes(frames);
        for (int sent = 0; sent < most; sent += 100) {
            try {
                client.connection().send(many.toByteArray());
            } catch (IOException e) {
                return sent;
            }
        }
        return most;
    }

    @ParameterizedTest
    @ValueSource(strings = {"PING", "SETTINGS", "PRIORITY", "unknown", "empty content", "CONTINUATION", "RST_STREAM"})
    void a_flood_is_told_to_calm_down(String what) throws IOException {
        byte[] frame = switch (what) {
            case "PING" -> frame(Http2Wire.PING, 0, 0, new byte[8]);
            case "SETTINGS" -> frame(Http2Wire.SETTINGS, 0, 0, setting(3, 100));
            case "PRIORITY" -> frame(Http2Wire.PRIORITY, 0, 3, new byte[5]);
            case "unknown" -> frame(77, 0, 0);
            case "empty content" -> frame(Http2Wire.DATA, 0, 1);
            case "CONTINUATION" -> frame(Http2Wire.CONTINUATION, 0, 1, section("x", "y"));
            default -> frame(Http2Wire.RST_STREAM, 0, 1, number(8));
        };
        try (Http2Wire client = HTTP2.gateway.wire()) {
            if (what.equals("CONTINUATION")) client.frame(Http2Wire.HEADERS, 0, 1, section(head("GET", "/")));
            else client.connection().send(open(1));
            flood(client, what.equals("CONTINUATION") ? 100 : 12_000, frame);

            assertThat(client.next(Http2Wire.GOAWAY).code()).isEqualTo(ENHANCE_YOUR_CALM);
        }
    }

    @Test
    void rapid_resets_end_the_connection() throws IOException {
        try (RawUpstream slow = new RawUpstream();
                Http2Gateway own = Http2Gateway.inFrontOf(slow.url());
                Http2Wire client = own.wire()) {
            for (int i = 0; i < 1000; i++) {
                try {
                    client.get(2 * i + 1, "/").frame(Http2Wire.RST_STREAM, 0, 2 * i + 1, number(8));
                } catch (IOException e) {
                    break;
                }
            }

            assertThat(client.next(Http2Wire.GOAWAY).code()).isEqualTo(ENHANCE_YOUR_CALM);
        }
    }

    @Test
    void a_field_section_that_unpacks_to_past_all_measure_ends_the_connection() throws IOException {
        var bomb = new ByteArrayOutputStream();
        bomb.writeBytes(section(head("GET", "/")));
        bomb.write(0x40); // literal with indexing: one field of 3 KB ...
        byte[] field = section("x", "y".repeat(3000));
        bomb.write(field, 1, field.length - 1);
        for (int i = 0; i < 10_000; i++) bomb.write(0x80 | 62); // ... 10,000 times
        try (Http2Wire client = HTTP2.gateway.wire()) {
            client.frame(Http2Wire.HEADERS, END_HEADERS | END_STREAM, 1, bomb.toByteArray());

            assertThat(client.next(Http2Wire.GOAWAY).code()).isEqualTo(ENHANCE_YOUR_CALM);
        }
    }

    @Test
    void the_129th_stream_at_once_is_refused_and_the_others_go_on() throws IOException {
        try (RawUpstream slow = new RawUpstream();
                Http2Gateway own = Http2Gateway.inFrontOf(slow.url());
                Http2Wire client = own.wire()) {
            for (int i = 0; i < 128; i++) client.post(2 * i + 1, "/");
            client.post(257, "/");

            Http2Wire.Frame refused = client.next(Http2Wire.RST_STREAM);
            assertThat(refused.stream()).isEqualTo(257);
            assertThat(refused.code()).isEqualTo(Http2Wire.REFUSED_STREAM);
            client.frame(Http2Wire.PING, 0, 0, new byte[8]);
            assertThat(client.next(Http2Wire.PING).flags()).isEqualTo(1);
        }
    }

    @Test
    void trailers_never_become_headers_and_those_that_frame_or_route_reset_the_stream() throws IOException {
        for (String name : List.of("content-length", "host", "authorization", "x-forwarded-for", "X-Upper", ":path")) {
            try (Http2Wire client = HTTP2.gateway.wire()) {
                client.post(1, "/").headers(1, true, name, "1");

                assertThat(client.next(Http2Wire.RST_STREAM).code()).isEqualTo(Http2Wire.PROTOCOL_ERROR);
            }
        }
        assertThat(HTTP2.upstream.requests).isEmpty();
    }

    @Test
    void claims_of_a_client_about_itself_are_dropped() throws IOException {
        try (Http2Wire client = HTTP2.gateway.wire()) {
            client.headers(
                    1,
                    true,
                    joined(
                            head("GET", "/"),
                            "x-forwarded-for",
                            "9.9.9.9",
                            "x-forwarded-proto",
                            "https",
                            "forwarded",
                            "for=9.9.9.9",
                            "x_user",
                            "admin"));
            client.answer(1);

            RecordingUpstream.Received got = HTTP2.upstream.requests.getFirst();
            assertThat(got.all("X-Forwarded-For")).containsExactly("127.0.0.1");
            assertThat(got.all("X-Forwarded-Proto")).containsExactly("http");
            assertThat(got.all("Forwarded")).isEmpty();
            assertThat(got.all("x_user")).isEmpty();
        }
    }
}
