package gateway.app.proxy;

import static gateway.app.proxy.Http2Wire.END_HEADERS;
import static gateway.app.proxy.Http2Wire.END_STREAM;
import static gateway.app.proxy.Http2Wire.head;
import static gateway.app.proxy.Http2Wire.joined;
import static gateway.app.proxy.Http2Wire.number;
import static gateway.app.proxy.Http2Wire.section;
import static gateway.app.proxy.Http2Wire.setting;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// HTTP/2 in the clear, frame by frame: what the JDK's client does not do, or does not show.
final class Http2FramesTest {
    private static final String EMPTY = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

    @RegisterExtension
    private final FramedClient framed = FramedClient.start();

    private final Http2Gateway gateway = framed.gateway();
    private final Http2Wire client = framed.wire();

    @Test
    void says_first_what_it_allows() throws IOException {
        Http2Wire.Frame settings = client.next(Http2Wire.SETTINGS);

        byte[] expected = new byte[18];
        System.arraycopy(setting(3, 128), 0, expected, 0, 6);
        System.arraycopy(setting(6, 32 * 1024), 0, expected, 6, 6);
        System.arraycopy(setting(8, 1), 0, expected, 12, 6);
        assertThat(settings.octets()).isEqualTo(expected);
        assertThat(client.next(Http2Wire.SETTINGS).flags()).isEqualTo(1);
    }

    @Test
    void a_plain_listener_tells_by_the_first_bytes_which_http_comes() throws IOException {
        RawConnection http1 = gateway.plain();
        http1.send("P").send("OST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nConnection: close\r\n\r\nab");
        RawConnection upstream = gateway.upstream.accept();
        upstream.readHead();
        upstream.read(2);
        upstream.send(EMPTY);
        String first = http1.readToEnd();
        client.get(1, "/x");
        assertThat(upstream.readHead()).startsWith("GET /x HTTP/1.1\r\n").contains("X-Forwarded-Host: a.example\r\n");
        upstream.send(EMPTY);

        assertThat(first).startsWith("HTTP/1.1 200");
        assertThat(client.answer(1).status()).isEqualTo("200");
        http1.close();
    }

    @Test
    void a_preface_may_come_octet_by_octet() throws IOException {
        try (var slow = new Http2Wire(gateway.dataPlane().address())) {
            for (char c : "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".toCharArray())
                slow.connection().send(String.valueOf(c));
            for (byte b : Http2Wire.bytes(Http2Wire.SETTINGS, 0, 0))
                slow.connection().send(new byte[] {b});

            assertThat(slow.next(Http2Wire.SETTINGS).flags()).isZero();
        }
    }

    @Test
    void trailers_pass_both_ways() throws IOException {
        client.post(1, "/", "te", "trailers").data(1, false, "abc").headers(1, true, "x-checksum", "77");
        RawConnection upstream = gateway.upstream.accept();
        String head = upstream.readHead();
        String body = upstream.readUntil("0\r\n") + upstream.readHead();
        upstream.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\ngrpc-status: 0\r\n\r\n");

        assertThat(head).contains("Transfer-Encoding: chunked").doesNotContainIgnoringCase("x-checksum", "te:");
        assertThat(body).contains("abc").containsIgnoringCase("x-checksum: 77");
        Http2Wire.Answer answer = client.answer(1);
        assertThat(answer.content()).isEqualTo("ok");
        assertThat(answer.trailers()).containsEntry("grpc-status", "0");
    }

    @Test
    void trailers_that_come_while_the_upstream_waits_for_them_pass() throws IOException {
        client.post(1, "/", "te", "trailers").data(1, false, "abc");
        RawConnection upstream = gateway.upstream.accept();
        upstream.readHead();
        upstream.readUntil("abc\r\n");

        client.headers(1, true, "x-checksum", "77");

        assertThat(upstream.readUntil("0\r\n") + upstream.readHead()).containsIgnoringCase("x-checksum: 77");
        upstream.send(EMPTY);
        assertThat(client.answer(1).status()).isEqualTo("200");
    }

    @Test
    void cookies_go_on_in_one_line() throws IOException {
        client.headers(1, true, joined(head("GET", "/"), "cookie", "a=1", "cookie", "b=2"));

        assertThat(gateway.upstream.accept().readHead()).containsIgnoringCase("cookie: a=1; b=2\r\n");
    }

    @Test
    void a_head_in_pieces_goes_on_when_it_is_whole() throws IOException {
        byte[] section = section(joined(head("GET", "/x"), "x-a", "b".repeat(20_000)));
        client.frame(Http2Wire.HEADERS, END_STREAM, 1, Arrays.copyOf(section, 30));
        client.frame(Http2Wire.PING, 0, 0, new byte[8]);

        assertThat(client.next(Http2Wire.GOAWAY).code()).isEqualTo(Http2Wire.PROTOCOL_ERROR);
        try (Http2Wire whole = gateway.wire()) {
            whole.frame(Http2Wire.HEADERS, END_STREAM, 1, Arrays.copyOf(section, 30));
            whole.frame(Http2Wire.CONTINUATION, 0, 1, Arrays.copyOfRange(section, 30, 15_000));
            whole.frame(Http2Wire.CONTINUATION, END_HEADERS, 1, Arrays.copyOfRange(section, 15_000, section.length));

            assertThat(gateway.upstream.accept().readHead())
                    .startsWith("GET /x HTTP/1.1\r\n")
                    .contains("x-a: bbbbb");
        }
    }

    @Test
    void padding_and_priority_are_taken_off() throws IOException {
        var padded = new ByteArrayOutputStream();
        padded.write(3);
        padded.writeBytes(new byte[] {0, 0, 0, 0, 15});
        padded.writeBytes(section(head("POST", "/x")));
        padded.writeBytes(new byte[3]);
        client.frame(Http2Wire.HEADERS, END_HEADERS | 0x8 | 0x20, 1, padded.toByteArray());
        client.frame(Http2Wire.DATA, END_STREAM | 0x8, 1, "\2hey..".getBytes(ISO_8859_1));
        RawConnection upstream = gateway.upstream.accept();

        assertThat(upstream.readHead()).startsWith("POST /x HTTP/1.1\r\n");
        assertThat(upstream.readChunked()).isEqualTo("hey");
    }

    @Test
    void a_reset_ends_the_call_to_the_upstream() throws IOException {
        client.get(1, "/slow");
        RawConnection upstream = gateway.upstream.accept();
        upstream.readHead();
        client.frame(Http2Wire.RST_STREAM, 0, 1, number(Http2Wire.CANCEL));

        assertThat(upstream.isClosedByPeer()).isTrue();
        client.get(3, "/next");
        RawConnection next = gateway.upstream.accept();
        next.readHead();
        next.send(EMPTY);
        assertThat(client.answer(3).status()).isEqualTo("200");
    }

    @Test
    void interim_responses_come_first_and_do_not_end_the_stream() throws IOException {
        client.post(1, "/", "content-length", "2", "expect", "100-continue");
        RawConnection upstream = gateway.upstream.accept();
        assertThat(upstream.readHead()).contains("Expect: 100-continue\r\n");
        upstream.send("HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n");

        assertThat(client.fields(client.next(Http2Wire.HEADERS)))
                .containsEntry(":status", "103")
                .containsEntry("link", "</a.css>");
        assertThat(client.fields(client.next(Http2Wire.HEADERS))).containsEntry(":status", "100");
        client.data(1, true, "ab");
        assertThat(upstream.read(2)).isEqualTo("ab");
        upstream.send(EMPTY);
        assertThat(client.answer(1).status()).isEqualTo("200");
    }

    @Test
    void pings_are_answered_and_frames_of_unknown_types_passed_over() throws IOException {
        client.frame(42, 0, 0, new byte[] {1, 2, 3}).frame(Http2Wire.PING, 0, 0, "12345678".getBytes(ISO_8859_1));

        Http2Wire.Frame pong = client.next(Http2Wire.PING);
        assertThat(pong.payload()).isEqualTo("12345678");
        assertThat(pong.flags()).isEqualTo(1);
    }

    @Test
    void draining_says_so_serves_what_is_under_way_and_then_closes() throws Exception {
        client.get(1, "/");
        RawConnection upstream = gateway.upstream.accept();
        upstream.readHead();
        var stopped = CompletableFuture.supplyAsync(() -> gateway.dataPlane().stop(Duration.ofSeconds(30)));

        Http2Wire.Frame farewell = client.next(Http2Wire.GOAWAY);
        assertThat(farewell.code()).isZero();
        assertThat(farewell.payload()).startsWith("\177\377\377\377");
        client.get(3, "/late");
        RawConnection late = gateway.upstream.accept();
        late.readHead();
        late.send(EMPTY);
        assertThat(client.answer(3).status()).isEqualTo("200");
        upstream.send(EMPTY);
        assertThat(client.answer(1).status()).isEqualTo("200");
        Http2Wire.Frame last = client.next(Http2Wire.GOAWAY);
        assertThat(last.payload()).startsWith("\0\0\0\3");
        assertThat(client.connection().isClosedByPeer()).isTrue();
        assertThat(stopped.get()).isTrue();
    }

    @Test
    void a_client_that_goes_away_ends_all_its_calls() throws IOException {
        client.get(1, "/a").get(3, "/b");
        RawConnection one = gateway.upstream.accept();
        RawConnection other = gateway.upstream.accept();
        one.readHead();
        other.readHead();
        client.close();

        assertThat(one.isClosedByPeer()).isTrue();
        assertThat(other.isClosedByPeer()).isTrue();
    }
}
