package gateway.app.proxy;

import static gateway.app.proxy.Http2Wire.END_STREAM;
import static gateway.app.proxy.Http2Wire.ENHANCE_YOUR_CALM;
import static gateway.app.proxy.Http2Wire.head;
import static gateway.app.proxy.Http2Wire.section;
import static gateway.app.proxy.Http2Wire.setting;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// What stands still on a connection of HTTP/2. One deadline is short at a time, the others never come.
final class Http2DeadlinesTest {
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final Duration LONG = Duration.ofMinutes(10);

    private static Http2Gateway patient(Duration head, Duration idle, Duration body) throws IOException {
        return Http2Gateway.with(plane -> plane.withTimeouts(head, idle, body));
    }

    @Test
    void a_connection_without_settings_is_closed_on_a_deadline() throws IOException {
        try (Http2Gateway gateway = patient(SHORT, LONG, LONG);
                var client = new Http2Wire(gateway.dataPlane().address())) {
            client.connection().send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

            assertThat(client.next(Http2Wire.GOAWAY).code()).isEqualTo(4);
        }
    }

    @Test
    void a_connection_without_streams_is_closed_on_a_deadline() throws IOException {
        try (Http2Gateway gateway = patient(LONG, SHORT, LONG);
                Http2Wire client = gateway.wire()) {
            assertThat(client.next(Http2Wire.GOAWAY).code()).isZero();
        }
    }

    @Test
    void a_head_that_does_not_end_is_closed_on_a_deadline() throws IOException {
        try (Http2Gateway gateway = patient(SHORT, LONG, LONG);
                Http2Wire client = gateway.wire()) {
            client.frame(Http2Wire.HEADERS, END_STREAM, 1, section(head("GET", "/")));

            assertThat(client.next(Http2Wire.GOAWAY).code()).isIn(ENHANCE_YOUR_CALM, 4); // 4: settings came too late
        }
    }

    @Test
    void a_frame_that_does_not_end_is_closed_on_a_deadline() throws IOException {
        try (Http2Gateway gateway = patient(LONG, LONG, SHORT);
                Http2Wire client = gateway.wire()) {
            client.connection().send(new byte[] {0, 0, 8, 6, 0, 0});

            assertThat(client.next(Http2Wire.GOAWAY).code()).isEqualTo(ENHANCE_YOUR_CALM);
        }
    }

    @Test
    void a_body_that_stands_still_is_answered_408_on_a_deadline_and_its_stream_ends() throws IOException {
        try (Http2Gateway gateway = patient(LONG, LONG, SHORT);
                Http2Wire client = gateway.wire()) {
            client.post(1, "/", "content-length", "20000").data(1, false, "abc");
            RawConnection slow = gateway.upstream.accept();

            assertThat(client.fields(client.next(Http2Wire.HEADERS))).containsEntry(":status", "408");
            assertThat(client.next(Http2Wire.RST_STREAM).code()).isZero();
            assertThat(slow.isClosedByPeer()).isTrue();
        }
    }

    @Test
    void a_client_that_keeps_its_window_shut_has_its_stream_reset_on_a_deadline() throws IOException {
        try (Http2Gateway gateway = patient(LONG, LONG, SHORT);
                Http2Wire client = gateway.wire()) {
            client.frame(Http2Wire.SETTINGS, 0, 0, setting(4, 0)).get(1, "/");
            RawConnection slow = gateway.upstream.accept();
            slow.readHead();
            slow.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabcd");

            assertThat(client.next(Http2Wire.RST_STREAM).stream()).isEqualTo(1);
        }
    }

    @Test
    void a_client_that_does_not_read_is_closed_on_a_deadline() throws IOException {
        try (Http2Gateway gateway = patient(LONG, LONG, SHORT);
                Http2Wire client = gateway.wire()) {
            client.frame(Http2Wire.SETTINGS, 0, 0, setting(4, Integer.MAX_VALUE));
            client.frame(Http2Wire.WINDOW_UPDATE, 0, 0, Http2Wire.number(1 << 30))
                    .get(1, "/");
            RawConnection upstream = gateway.upstream.accept();
            upstream.readHead();
            upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n");
            byte[] block = new byte[1 << 20];
            IOException gone = null;
            for (int i = 0; i < 900 && gone == null; i++) {
                try {
                    upstream.send(block);
                } catch (IOException e) {
                    gone = e;
                }
            }

            assertThat(gone).isNotNull();
        }
    }
}
