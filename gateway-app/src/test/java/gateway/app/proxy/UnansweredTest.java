package gateway.app.proxy;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.proxy.AccountedPlane.Account;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// How requests are accounted for that got no whole answer: none of them as if it had been answered well.
@Timeout(60)
final class UnansweredTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String UPLOAD = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\nhello";
    private static final String SMALL_UPLOAD = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhello";
    private static final String CHUNKS =
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n";
    private static final String BEGUN = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello";
    private static final String ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SHORT = Duration.ofMillis(300);

    private AccountedPlane plane;

    private void start(UnaryOperator<DataPlaneSettings> change) throws IOException {
        plane = new AccountedPlane(change);
    }

    private void start() throws IOException {
        start(same -> same);
    }

    /// The client stands still for too long in the middle of a message.
    private void startImpatient() throws IOException {
        start(settings -> settings.withTimeouts(LONG, LONG, SHORT));
    }

    @AfterEach
    void stop() throws IOException {
        plane.close();
    }

    private RawConnection asked() throws IOException {
        RawConnection upstream = plane.upstream.accept();
        upstream.readHead();
        return upstream;
    }

    private void assertAccounted(int status, String outcome) throws IOException {
        plane.awaitEnded(1);

        assertThat(plane.accounts()).containsExactly(Account.of(status, outcome));
        assertThat(plane.meters()).isEqualTo(Map.of(status / 100 + "xx", 1, outcome, 1));
    }

    @Test
    void a_client_that_leaves_before_the_answer() throws IOException {
        start();
        RawConnection client = plane.plain().send(GET);
        asked();
        client.close();

        assertAccounted(499, "client-gone");
    }

    @Test
    void one_that_leaves_by_a_reset() throws IOException {
        start();
        RawConnection client = plane.plain().send(GET);
        asked();
        client.reset();

        assertAccounted(499, "client-gone");
    }

    @Test
    void one_over_tls() throws IOException {
        start();
        RawConnection client = plane.secure().send(GET);
        asked();
        client.close();

        assertAccounted(499, "client-gone");
    }

    @Test
    void one_that_resets_its_stream() throws IOException {
        start();
        Http2Wire client = plane.framed().get(1, "/");
        asked();
        client.frame(Http2Wire.RST_STREAM, 0, 1, Http2Wire.number(Http2Wire.CANCEL));

        assertAccounted(499, "client-gone");
    }

    @Test
    void one_that_closes_its_connection_of_streams() throws IOException {
        start();
        Http2Wire client = plane.secureFramed().get(1, "/");
        asked();
        client.close();

        assertAccounted(499, "client-gone");
    }

    @Test
    void one_that_leaves_in_its_upload() throws IOException {
        start();
        RawConnection client = plane.plain().send(UPLOAD);
        asked();
        client.close();

        assertAccounted(499, "client-gone");
    }

    @Test
    void one_that_leaves_while_it_waits_for_a_place() throws IOException {
        start(settings -> settings.withMaxInFlight(1).withWaiting(new WaitingLimits(1, LONG)));
        RawConnection first = plane.plain().send(GET);
        RawConnection upstream = asked();
        RawConnection second = plane.plain().send(GET);
        until(() -> plane.dataPlane().requestsWaiting() >= 1);
        second.close();
        until(() -> plane.dataPlane().connections() <= 1);
        upstream.send(ANSWER);
        first.readAnswer();
        plane.awaitEnded(2);

        assertThat(plane.accounts())
                .containsExactlyInAnyOrder(Account.of(200, "complete"), Account.of(499, "client-gone"));
        assertThat(plane.meters()).isEqualTo(Map.of("2xx", 1, "4xx", 1, "client-gone", 1));
    }

    @Test
    void one_that_leaves_in_its_answer_was_answered() throws IOException {
        start();
        RawConnection client = plane.plain().send(GET);
        asked().send(BEGUN);
        client.readUntil("hello");
        client.close();

        assertAccounted(200, "client-gone");
    }

    @Test
    void one_that_resets_its_stream_in_its_answer_was_answered() throws IOException {
        start();
        Http2Wire client = plane.framed().get(1, "/");
        asked().send(BEGUN);
        client.next(Http2Wire.DATA);
        client.frame(Http2Wire.RST_STREAM, 0, 1, Http2Wire.number(Http2Wire.CANCEL));

        assertAccounted(200, "client-gone");
    }

    @Test
    void one_that_does_not_go_on_with_its_upload() throws IOException {
        startImpatient();
        RawConnection client = plane.plain().send(UPLOAD);

        assertThat(Http.start(client.readToEnd())).isEqualTo("HTTP/1.1 408 Request Time-out");
        assertAccounted(408, "client-slow");
    }

    @Test
    void one_that_does_not_go_on_with_an_upload_that_is_not_passed_on_in_parts() throws IOException {
        startImpatient();
        RawConnection client = plane.plain().send(SMALL_UPLOAD);

        assertThat(Http.start(client.readToEnd())).isEqualTo("HTTP/1.1 408 Request Time-out");
        assertAccounted(408, "client-slow");
    }

    @Test
    void one_that_leaves_in_an_upload_that_is_not_passed_on_in_parts() throws IOException {
        start();
        RawConnection client = plane.plain().send(SMALL_UPLOAD);
        until(() -> plane.dataPlane().requestsAwaitingClients() >= 1);
        client.close();

        assertAccounted(499, "client-gone");
    }

    @Test
    void one_that_does_not_go_on_with_its_stream() throws IOException {
        startImpatient();
        Http2Wire client = plane.framed().post(1, "/").data(1, false, "hello");

        assertThat(client.next(Http2Wire.RST_STREAM).stream()).isEqualTo(1);
        assertAccounted(408, "client-slow");
    }

    @Test
    void one_that_does_not_go_on_with_a_frame_of_its_stream() throws IOException {
        startImpatient();
        Http2Wire client = plane.framed().post(1, "/");
        client.connection().send(new byte[] {0, 0, 100, 0, 0, 0, 0, 0, 1, 'h'});

        assertThat(client.next(Http2Wire.GOAWAY).code()).isEqualTo(Http2Wire.ENHANCE_YOUR_CALM);
        assertAccounted(408, "client-slow");
    }

    @Test
    void one_that_does_not_read_its_answer() throws Exception {
        startImpatient();
        plane.plain().send(GET);
        RawConnection upstream = asked();
        upstream.send("HTTP/1.1 200 OK\r\nContent-Length: " + (64 << 20) + "\r\n\r\n");
        try (Upload answer = Upload.to(upstream, 0)) {
            answer.awaitEnough();

            assertAccounted(200, "client-slow");
        }
    }

    @Test
    void one_whose_chunks_are_malformed() throws IOException {
        start();
        RawConnection client = plane.plain().send(CHUNKS);
        asked();
        client.send("nonsense\r\n");

        assertThat(Http.start(client.readToEnd())).isEqualTo("HTTP/1.1 400 Bad Request");
        assertAccounted(400, "client-malformed");
    }

    @Test
    void one_that_sends_more_than_it_announced() throws IOException {
        start();
        Http2Wire client = plane.framed().post(1, "/", "content-length", "2").data(1, false, "hello");

        assertThat(client.next(Http2Wire.RST_STREAM).code()).isEqualTo(Http2Wire.PROTOCOL_ERROR);
        assertAccounted(400, "client-malformed");
    }

    @Test
    void one_whose_frames_break_the_protocol() throws IOException {
        start();
        Http2Wire client = plane.framed().get(1, "/");
        asked();
        client.frame(Http2Wire.PUSH_PROMISE, 0, 1, new byte[8]);

        assertThat(client.next(Http2Wire.GOAWAY).code()).isEqualTo(Http2Wire.PROTOCOL_ERROR);
        assertAccounted(400, "client-malformed");
    }

    @Test
    void an_upstream_that_breaks_off_before_its_answer_is_told_of() throws IOException {
        start();
        RawConnection client = plane.plain().send(GET);
        asked().close();

        assertThat(Http.start(client.readAnswer())).isEqualTo("HTTP/1.1 502 Bad Gateway");
        plane.awaitEnded(1);
        assertThat(plane.accounts()).isEqualTo(List.of(new Account(502, "complete", "502", "502")));
    }

    @Test
    void an_upstream_that_breaks_off_in_its_answer() throws IOException {
        start();
        RawConnection client = plane.plain().send(GET);
        RawConnection upstream = asked();
        upstream.send(BEGUN);
        client.readUntil("hello");
        upstream.close();

        assertAccounted(200, "upstream-broke-off");
    }

    @Test
    void nothing_that_was_not_sent_is_told_of_an_upstreams_answer() throws IOException {
        start();
        Http2Wire client = plane.framed()
                .headers(1, true, Http2Wire.joined(Http2Wire.head("POST", "/"), "content-type", "application/grpc"));
        asked();
        client.frame(Http2Wire.RST_STREAM, 0, 1, Http2Wire.number(Http2Wire.CANCEL));

        assertAccounted(499, "client-gone");
    }
}
