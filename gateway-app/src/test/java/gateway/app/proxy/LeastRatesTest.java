package gateway.app.proxy;

import static gateway.app.proxy.Http2Wire.number;
import static gateway.app.proxy.Http2Wire.setting;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Clients that get on too slowly, and those that do not, where standing still is nobody's fault. That a slow one was
/// given up tells that enough time has passed for the others.
final class LeastRatesTest {
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final int INITIAL_WINDOW = 4;
    private static final String SLOW = "POST /slow HTTP/1.1\r\nHost: a\r\nContent-Length: 20000\r\n\r\nslow";

    private Http2Gateway gateway;

    @BeforeEach
    void start() throws IOException {
        gateway = Http2Gateway.with(plane ->
                plane.withTimeouts(LONG, LONG, LONG).withLeastRates(new LeastRates(240, 240, Duration.ofMillis(300))));
    }

    @AfterEach
    void stop() throws IOException {
        gateway.close();
    }

    @Test
    void an_upload_that_is_too_slow_is_answered_408_and_one_that_is_not_is_served() throws IOException {
        RawConnection honest = gateway.plain()
                .send("POST /honest HTTP/1.1\r\nHost: a\r\nContent-Length: 20000\r\n\r\n" + "h".repeat(10_000));
        RawConnection served = gateway.upstream.accept();
        served.readUntil("h".repeat(10_000));
        String slow = gateway.plain().send(SLOW).readToEnd();
        honest.send("h".repeat(10_000));
        served.readUntil("h".repeat(10_000));
        served.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");

        assertThat(slow).startsWith("HTTP/1.1 408 Request Time-out").contains("request-timeout", "Connection: close");
        assertThat(honest.readAnswer()).startsWith("HTTP/1.1 200 OK");
    }

    @Test
    void a_small_upload_that_is_too_slow_never_reaches_the_upstream() throws IOException {
        String slow = gateway.plain()
                .send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nslow")
                .readToEnd();

        assertThat(slow).startsWith("HTTP/1.1 408 ");
        assertThat(gateway.upstream.nobodyElseCalls()).isTrue();
    }

    @Test
    void an_upload_in_chunks_that_is_too_slow_is_answered_408() throws IOException {
        RawConnection slow =
                gateway.plain().send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nslow\r\n");
        RawConnection upstream = gateway.upstream.accept();

        assertThat(slow.readToEnd()).startsWith("HTTP/1.1 408 ");
        assertThat(upstream.isClosedByPeer()).isTrue();
    }

    @Test
    void a_stream_whose_upload_is_too_slow_is_answered_408() throws IOException {
        try (Http2Wire client = gateway.wire()) {
            client.post(1, "/").data(1, false, "slow");

            assertThat(client.fields(client.next(Http2Wire.HEADERS))).containsEntry(":status", "408");
        }
    }

    @Test
    void an_upload_that_is_too_slow_once_its_answer_has_begun_ends_its_connection() throws IOException {
        RawConnection slow = gateway.plain().send(SLOW);
        RawConnection upstream = gateway.upstream.accept();
        upstream.readUntil("slow");
        upstream.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n");
        assertThat(slow.readUntil("first")).startsWith("HTTP/1.1 200 OK");

        assertThat(slow.isClosedByPeer()).isTrue();
        assertThat(upstream.isClosedByPeer()).isTrue();
    }

    @Test
    void a_stream_whose_client_takes_too_little_is_reset_and_one_whose_client_takes_enough_is_served()
            throws IOException {
        try (Http2Wire honest = gateway.wire();
                Http2Wire slow = gateway.wire()) {
            honest.frame(Http2Wire.SETTINGS, 0, 0, setting(INITIAL_WINDOW, 60_000))
                    .get(1, "/");
            answer(100_000);
            takes(honest, 60_000);
            slow.frame(Http2Wire.SETTINGS, 0, 0, setting(INITIAL_WINDOW, 10)).get(1, "/");
            answer(100_000);
            takes(slow, 10);
            slow.frame(Http2Wire.WINDOW_UPDATE, 0, 1, number(1));
            takes(slow, 1);

            assertThat(slow.next(Http2Wire.RST_STREAM).stream()).isOne();
            honest.frame(Http2Wire.WINDOW_UPDATE, 0, 0, number(40_000));
            honest.frame(Http2Wire.WINDOW_UPDATE, 0, 1, number(40_000));
            takes(honest, 40_000);
        }
    }

    @Test
    void who_waits_for_the_upstream_is_not_slow() throws IOException {
        RawConnection waiting = gateway.plain().send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        RawConnection upstream = gateway.upstream.accept();
        upstream.readHead();
        RawConnection quiet = gateway.plain().send("GET /events HTTP/1.1\r\nHost: a\r\n\r\n");
        RawConnection events = gateway.upstream.accept();
        events.readHead();
        events.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n");
        quiet.readHead();

        assertThat(gateway.plain().send(SLOW).readToEnd()).startsWith("HTTP/1.1 408 ");
        upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        events.send("data: 1\r\n\r\n");
        assertThat(waiting.readAnswer()).startsWith("HTTP/1.1 200 OK");
        assertThat(quiet.readUntil("data: 1")).contains("data: 1");
    }

    @Test
    void an_idle_web_socket_is_not_slow() throws IOException {
        RawConnection idle = gateway.plain().send("""
                        GET /chat HTTP/1.1\r
                        Host: a\r
                        Connection: Upgrade\r
                        Upgrade: websocket\r
                        Sec-WebSocket-Version: 13\r
                        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
                        \r
                        """);
        RawConnection upstream = gateway.upstream.accept();
        upstream.readHead();
        upstream.send("""
                HTTP/1.1 101 Switching Protocols\r
                Connection: Upgrade\r
                Upgrade: websocket\r
                Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r
                \r
                """);
        assertThat(idle.readHead()).startsWith("HTTP/1.1 101 ");

        assertThat(gateway.plain().send(SLOW).readToEnd()).startsWith("HTTP/1.1 408 ");
        idle.send("up");
        upstream.readUntil("up");
        upstream.send("down");
        assertThat(idle.read(4)).isEqualTo("down");
    }

    @Test
    void an_upload_that_is_too_slow_is_recorded_as_such() throws IOException {
        try (AccountedPlane plane = new AccountedPlane(LeastRatesTest::hurrying)) {
            plane.plain().send(SLOW).readToEnd();

            assertSlow(plane, 408);
        }
    }

    @Test
    void one_that_is_told_so_by_a_fault_of_the_status_500_has_its_connection_closed_too() throws IOException {
        String errors = "\"errors\": [{\"form\": \"soap\", \"status\": \"binding\"}]";
        try (AccountedPlane plane = new AccountedPlane(LeastRatesTest::hurrying, errors)) {
            String slow = plane.plain().send(SLOW).readToEnd();

            assertThat(slow)
                    .startsWith("HTTP/1.1 500 ")
                    .contains("Connection: close", "<status>408</status>", "soap:Client");
            assertSlow(plane, 500);
        }
    }

    @Test
    void an_answer_that_is_taken_too_slowly_is_recorded_as_such() throws Exception {
        try (AccountedPlane plane = new AccountedPlane(LeastRatesTest::hurrying)) {
            plane.plain().send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            RawConnection upstream = plane.upstream.accept();
            upstream.readHead();
            upstream.send("HTTP/1.1 200 OK\r\nContent-Length: " + (64 << 20) + "\r\n\r\n");
            try (Upload answer = Upload.to(upstream, 0)) {
                answer.awaitEnough();

                assertSlow(plane, 200);
            }
        }
    }

    /// More than any client takes, since sockets take some megabytes at once.
    private static DataPlaneSettings hurrying(DataPlaneSettings settings) {
        return settings.withTimeouts(LONG, LONG, LONG)
                .withLeastRates(new LeastRates(240, Integer.MAX_VALUE, Duration.ofMillis(300)));
    }

    private static void assertSlow(AccountedPlane plane, int status) throws IOException {
        plane.awaitEnded(1);

        assertThat(plane.accounts()).containsExactly(AccountedPlane.Account.of(status, "client-slow"));
    }

    private void answer(int bytes) throws IOException {
        RawConnection upstream = gateway.upstream.accept();
        upstream.readHead();
        upstream.send("HTTP/1.1 200 OK\r\nContent-Length: " + bytes + "\r\n\r\n" + "x".repeat(bytes));
    }

    private static void takes(Http2Wire client, int bytes) throws IOException {
        for (int taken = 0; taken < bytes; )
            taken += client.next(Http2Wire.DATA).payload().length();
    }
}
