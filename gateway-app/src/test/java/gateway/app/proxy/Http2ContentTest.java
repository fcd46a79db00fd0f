package gateway.app.proxy;

import static gateway.app.proxy.Http2Wire.number;
import static gateway.app.proxy.Http2Wire.setting;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Content of HTTP/2 in the clear, frame by frame: as long as announced, as much as the windows let through.
final class Http2ContentTest {
    private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final String EMPTY = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

    @RegisterExtension
    private final FramedClient framed = FramedClient.start();

    private final Http2Gateway gateway = framed.gateway();
    private final Http2Wire client = framed.wire();

    @Test
    void an_end_without_content_that_comes_late_ends_the_request() throws IOException {
        client.post(1, "/").data(1, false, "abc");
        client.post(3, "/", "content-length", "3").data(3, false, "abc");
        for (int i = 0; i < 2; i++) {
            RawConnection upstream = gateway.upstream.accept();
            boolean chunked = upstream.readHead().contains("chunked");
            upstream.readUntil(chunked ? "abc\r\n" : "abc");

            client.data(chunked ? 1 : 3, true, "");

            if (chunked) assertThat(upstream.readUntil("0\r\n\r\n")).endsWith("0\r\n\r\n");
            upstream.send(EMPTY);
            assertThat(client.answer(chunked ? 1 : 3).status()).isEqualTo("200");
        }
    }

    @Test
    void content_is_sent_as_far_as_the_windows_of_stream_and_connection_reach() throws IOException {
        client.frame(Http2Wire.SETTINGS, 0, 0, setting(4, 5)).get(1, "/");
        RawConnection upstream = gateway.upstream.accept();
        upstream.readHead();
        upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n0123456789");

        assertThat(client.next(Http2Wire.DATA).payload()).isEqualTo("01234");
        client.frame(Http2Wire.WINDOW_UPDATE, 0, 1, number(2));
        assertThat(client.next(Http2Wire.DATA).payload()).isEqualTo("56");
        client.frame(Http2Wire.SETTINGS, 0, 0, setting(4, 6)); // one more for each stream
        assertThat(client.next(Http2Wire.DATA).payload()).isEqualTo("7");
        client.frame(Http2Wire.SETTINGS, 0, 0, setting(4, 0)).frame(Http2Wire.WINDOW_UPDATE, 0, 1, number(8));
        Http2Wire.Frame last = client.next(Http2Wire.DATA);
        assertThat(last.payload()).isEqualTo("89");
        assertThat(last.ends() || client.next(Http2Wire.DATA).ends()).isTrue();
    }

    @Test
    void streams_that_are_over_leave_their_io_thread_nothing_to_do() throws IOException {
        client.post(1, "/answered-early").data(1, false, "abc");
        RawConnection early = gateway.upstream.accept();
        early.readHead();
        early.send("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n");
        assertThat(client.answer(1).status()).isEqualTo("401");
        client.data(1, true, "def");
        client.post(3, "/reset").data(3, false, "abc");
        RawConnection cut = gateway.upstream.accept();
        cut.readHead();
        client.frame(Http2Wire.RST_STREAM, 0, 3, number(8));
        assertThat(cut.isClosedByPeer()).isTrue();

        long before = ioThreadNanos();
        LockSupport.parkNanos(IDLE_NANOS);
        assertThat(ioThreadNanos() - before).isLessThan(IDLE_NANOS / 2);
    }

    private static long ioThreadNanos() {
        var threads = ManagementFactory.getThreadMXBean();
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("gateway I/O"))
                .mapToLong(thread -> Math.max(0, threads.getThreadCpuTime(thread.threadId())))
                .sum();
    }

    @Test
    void a_stream_whose_window_is_shut_does_not_keep_others_from_theirs() throws IOException {
        client.frame(Http2Wire.SETTINGS, 0, 0, setting(4, 0)).get(1, "/shut").get(3, "/open");
        RawConnection one = gateway.upstream.accept();
        RawConnection other = gateway.upstream.accept();
        for (RawConnection each : new RawConnection[] {one, other}) {
            each.readHead();
            each.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabcd");
        }
        client.frame(Http2Wire.WINDOW_UPDATE, 0, 3, number(100));

        Http2Wire.Frame content = client.next(Http2Wire.DATA);
        assertThat(content.stream()).isEqualTo(3);
        assertThat(content.payload()).isEqualTo("abcd");
    }

    @Test
    void an_upload_that_nobody_reads_is_held_back_by_its_window_and_no_other() throws IOException {
        client.post(1, "/stuck");
        RawConnection stuck = gateway.upstream.accept();
        stuck.readHead();

        assertThat(floodUntilReset(1).code()).isEqualTo(Http2Wire.FLOW_CONTROL_ERROR);
        assertThat(stuck.isClosedByPeer()).isTrue();
        client.get(3, "/next");
        RawConnection next = gateway.upstream.accept();
        next.readHead();
        next.send(EMPTY);
        assertThat(client.answer(3).status()).isEqualTo("200");
    }

    /// Sends content whatever the window says, and waits every few frames until the gateway has seen them, lest it take
    /// what follows the reset for abuse.
    private Http2Wire.Frame floodUntilReset(int stream) throws IOException {
        for (int i = 0; i < 500; i++) {
            for (int j = 0; j < 8; j++) client.data(stream, false, "x".repeat(16_000));
            client.frame(Http2Wire.PING, 0, 0, new byte[8]);
            for (Http2Wire.Frame frame = client.next(); frame.type() != Http2Wire.PING; frame = client.next()) {
                if (frame.type() == Http2Wire.RST_STREAM) return frame;
            }
        }
        throw new AssertionError("64 MB were taken that nobody reads");
    }

    @Test
    void content_that_is_not_as_long_as_announced_resets_the_stream_and_breaks_the_upload_off() throws IOException {
        client.post(1, "/", "content-length", "100000").data(1, false, "abc");
        RawConnection upstream = gateway.upstream.accept();
        upstream.readHead();
        upstream.read(3);
        client.data(1, true, "");

        assertThat(client.next(Http2Wire.RST_STREAM).code()).isEqualTo(Http2Wire.PROTOCOL_ERROR);
        assertThat(upstream.isClosedByPeer()).isTrue();
        client.post(3, "/", "content-length", "5").data(3, true, "abcdef");
        assertThat(client.next(Http2Wire.RST_STREAM).code()).isEqualTo(Http2Wire.PROTOCOL_ERROR);
        client.post(5, "/", "content-length", "5").data(5, false, "abc").headers(5, true, "x", "y");
        assertThat(client.next(Http2Wire.RST_STREAM).code()).isEqualTo(Http2Wire.PROTOCOL_ERROR);
    }

    @Test
    void content_for_a_stream_that_was_answered_early_is_credited_to_the_connection() throws IOException {
        try (Http2Gateway small = Http2Gateway.withMaxBody(10);
                Http2Wire early = small.wire()) {
            for (int stream = 1; stream < 80; stream += 2) {
                early.post(stream, "/", "content-length", "1000000");
                for (int i = 0; i < 3; i++) early.data(stream, false, "x".repeat(16_000));

                assertThat(early.answer(stream).status()).isEqualTo("413");
                assertThat(early.next(Http2Wire.RST_STREAM).code()).isZero();
            }
        }
    }
}
