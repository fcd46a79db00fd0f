package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.wire.io.RequestThreadMode;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Where messages begin and end, on both sides.
@ParameterizedClass
@EnumSource(RequestThreadMode.class)
final class FramingTest {
    @Parameter
    RequestThreadMode mode;

    @Test
    void streams_a_chunked_upload() throws IOException {
        try (Proxy proxy = Proxy.in(mode).start()) {
            RawConnection client = proxy.client()
                    .send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
            RawConnection upstream = proxy.upstream().accept();
            String head = upstream.readHead();
            client.send("1;x=y\r\n,\r\n6\r\n world\r\n0\r\n\r\n");
            String body = upstream.readChunked();
            upstream.read(2);
            upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");

            assertThat(Http.only(head, "Transfer-Encoding")).isEqualTo("chunked");
            assertThat(Http.all(head, "Content-Length")).isEmpty();
            assertThat(body).isEqualTo("hello, world");
            assertThat(Http.start(client.readHead())).isEqualTo("HTTP/1.1 200 OK");
        }
    }

    @Test
    void streams_a_chunked_answer_and_reuses_the_connection() throws IOException {
        try (Proxy proxy = Proxy.in(mode).ioThreads(1).start()) {
            RawConnection client = proxy.client().send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            upstream.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
            String head = client.readHead();
            String first = client.readUntil("hello\r\n");
            upstream.send("6\r\n world\r\n0\r\n\r\n");
            String rest = client.readChunked();
            client.read(2);
            client.send("GET /2 HTTP/1.1\r\nHost: a\r\n\r\n");

            assertThat(Http.only(head, "Transfer-Encoding")).isEqualTo("chunked");
            assertThat(first).endsWith("5\r\nhello\r\n");
            assertThat(rest).isEqualTo(" world");
            assertThat(Http.start(upstream.readHead())).isEqualTo("GET /2 HTTP/1.1");
        }
    }

    @Test
    void passes_trailers_to_clients_that_want_the_connection_closed() throws IOException {
        try (Proxy proxy = Proxy.in(mode).start()) {
            RawConnection client = proxy.client().send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            upstream.send(Http.head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "Trailer: X-Sum"))
                    .send("5\r\nhello\r\n0\r\nX-Sum: 7\r\n\r\n");
            String head = client.readHead();

            assertThat(Http.only(head, "Transfer-Encoding")).isEqualTo("chunked");
            assertThat(Http.only(head, "Connection")).isEqualTo("close");
            assertThat(Http.only(head, "Trailer")).isEqualTo("X-Sum");
            assertThat(client.readChunked()).isEqualTo("hello");
            assertThat(client.readHead()).isEqualTo("X-Sum: 7\r\n\r\n");
            assertThat(client.isClosedByPeer()).isTrue();
        }
    }

    @Test
    void passes_trailers_in_both_directions() throws IOException {
        try (Proxy proxy = Proxy.in(mode).start()) {
            RawConnection client = proxy.client()
                    .send(
                            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nX-Sum: 7\r\n\r\n");
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            upstream.readChunked();
            String up = upstream.readHead();
            upstream.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\ny\r\n0\r\nX-Total: 8\r\n\r\n");
            client.readHead();
            client.readChunked();
            String down = client.readHead();

            assertThat(up).isEqualTo("X-Sum: 7\r\n\r\n");
            assertThat(down).isEqualTo("X-Total: 8\r\n\r\n");
        }
    }

    @Test
    void turns_an_answer_that_ends_with_the_connection_into_chunks() throws IOException {
        try (Proxy proxy = Proxy.in(mode).start()) {
            RawConnection client = proxy.client().send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            upstream.send("HTTP/1.0 200 OK\r\n\r\nhello").close();

            assertThat(Http.only(client.readHead(), "Transfer-Encoding")).isEqualTo("chunked");
            assertThat(client.readChunked()).isEqualTo("hello");
        }
    }

    @Test
    void answers_an_old_client_by_closing() throws IOException {
        try (Proxy proxy = Proxy.in(mode).start()) {
            RawConnection client = proxy.client().send("GET / HTTP/1.0\r\nHost: a\r\n\r\n");
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            upstream.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n");
            String answer = client.readToEnd();

            assertThat(Http.all(answer, "Transfer-Encoding")).isEmpty();
            assertThat(Http.body(answer)).isEqualTo("hello");
        }
    }

    @Test
    void an_old_client_is_told_of_no_trailers() throws IOException {
        try (Proxy proxy = Proxy.in(mode).start()) {
            for (String head : List.of(
                    "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX-Sum: 7\r\n\r\n",
                    "Content-Length: 5\r\n\r\nhello")) {
                RawConnection client = proxy.client().send("GET / HTTP/1.0\r\nHost: a\r\n\r\n");
                RawConnection upstream = proxy.upstream().accept();
                upstream.readHead();
                upstream.send("HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nConnection: close\r\n" + head)
                        .close();
                String answer = client.readToEnd();

                assertThat(Http.all(answer, "Trailer")).isEmpty();
                assertThat(Http.body(answer)).isEqualTo("hello");
            }
        }
    }

    /// As `ab -k` does, which waits for the end of the connection otherwise.
    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD"})
    void tells_an_old_client_that_asks_for_it_that_the_connection_stays(String method) throws IOException {
        try (Proxy proxy = Proxy.in(mode).ioThreads(1).start()) {
            RawConnection client = proxy.client();
            RawConnection upstream = null;
            for (int request = 0; request < 2; request++) {
                client.send(method + " / HTTP/1.0\r\nHost: a\r\nConnection: Keep-Alive\r\n\r\n");
                if (upstream == null || method.equals("HEAD"))
                    upstream = proxy.upstream().accept();
                upstream.readHead();
                String content = method.equals("HEAD") ? "" : "hello";
                upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n" + content);
                String head = client.readHead();

                assertThat(Http.only(head, "Connection")).isEqualToIgnoringCase("keep-alive");
                assertThat(Http.only(head, "Content-Length")).isEqualTo("5");
                assertThat(client.read(content.length())).isEqualTo(content);
            }
        }
    }

    @Test
    void expects_no_content_after_head() throws IOException {
        try (Proxy proxy = Proxy.in(mode).ioThreads(1).start()) {
            RawConnection client = proxy.client().send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n");
            RawConnection upstream = proxy.upstream().accept();
            String request = upstream.readHead();
            upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 1234\r\nConnection: close\r\n\r\n");
            String answer = client.readHead();
            client.send("GET /next HTTP/1.1\r\nHost: a\r\n\r\n");

            assertThat(Http.start(request)).isEqualTo("HEAD / HTTP/1.1");
            assertThat(Http.only(answer, "Content-Length")).isEqualTo("1234");
            assertThat(Http.start(proxy.upstream().accept().readHead())).isEqualTo("GET /next HTTP/1.1");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"204 No Content", "304 Not Modified"})
    void expects_no_content_where_there_is_none(String status) throws IOException {
        try (Proxy proxy = Proxy.in(mode).ioThreads(1).start()) {
            RawConnection client = proxy.client().send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            upstream.send("HTTP/1.1 " + status + "\r\nETag: \"1\"\r\nConnection: close\r\n\r\n");
            String answer = client.readHead();
            client.send("GET /next HTTP/1.1\r\nHost: a\r\n\r\n");

            assertThat(Http.start(answer)).isEqualTo("HTTP/1.1 " + status);
            assertThat(Http.only(answer, "ETag")).isEqualTo("\"1\"");
            assertThat(Http.start(proxy.upstream().accept().readHead())).isEqualTo("GET /next HTTP/1.1");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"204 No Content", "304 Not Modified"})
    void announces_no_content_where_there_is_none_to_nobody_who_asks_for_the_head(String status) throws IOException {
        try (Proxy proxy = Proxy.in(mode).ioThreads(1).start()) {
            RawConnection client = proxy.client().send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n");
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            upstream.send("HTTP/1.1 " + status + "\r\nETag: \"1\"\r\nConnection: close\r\n\r\n");
            String answer = client.readHead();
            client.send("GET /next HTTP/1.1\r\nHost: a\r\n\r\n");

            assertThat(Http.start(answer)).isEqualTo("HTTP/1.1 " + status);
            assertThat(answer)
                    .doesNotContainIgnoringCase("transfer-encoding")
                    .doesNotContainIgnoringCase("content-length");
            assertThat(Http.start(proxy.upstream().accept().readHead())).isEqualTo("GET /next HTTP/1.1");
        }
    }

    @Test
    void passes_an_early_hint_on_and_swallows_an_unasked_continue() throws IOException {
        try (Proxy proxy = Proxy.in(mode).start()) {
            RawConnection client = proxy.client().send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            upstream.send("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n");
            String hint = client.readHead();
            upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
            String answer = client.readAnswer();

            assertThat(Http.start(hint)).startsWith("HTTP/1.1 103 ");
            assertThat(Http.only(hint, "Link")).isEqualTo("</a.css>");
            assertThat(Http.start(answer)).isEqualTo("HTTP/1.1 200 OK");
            assertThat(Http.all(answer, "Link")).isEmpty();
        }
    }

    @Test
    void interim_responses_without_end_are_a_bad_answer() throws IOException {
        try (Proxy proxy = Proxy.in(mode).start()) {
            RawConnection client = proxy.client().send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            String hint = "HTTP/1.1 103 Early Hints\r\nLink: " + "a".repeat(1000) + "\r\n\r\n";
            upstream.send(hint.repeat(70));

            String head = client.readHead();
            for (int i = 0; head.startsWith("HTTP/1.1 103") && i < 70; i++) head = client.readHead();

            assertThat(Http.start(head)).startsWith("HTTP/1.1 502 ");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\nContent-Length: 2\n\nok",
                "HTTP/1.1 200 OK\r\nContent-Length: 2\n\nok",
                "HTTP/1.1 200 OK\r\nX: 1\r\n\nContent-Length: 2\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\nhi\n0\n\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\nhi\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\n\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\ng\r\nhi\r\n0\r\n\r\n"
            })
    void a_malformed_line_is_502_without_waiting_for_more(String answer) throws IOException {
        try (Proxy proxy = Proxy.in(mode).start()) {
            RawConnection client = proxy.client().send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            upstream.send(answer);

            assertThat(Http.start(client.readAnswer())).isEqualTo("HTTP/1.1 502 Bad Gateway");
            assertThat(upstream.isClosedByPeer()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"2\r\nhi\r\n0\r\n\r\n", "2\r\nhi\r\n", "2\r\nh", "2\r"})
    void chunks_that_come_with_the_head_pass(String begun) throws IOException {
        try (Proxy proxy = Proxy.in(mode).start()) {
            RawConnection client = proxy.client().send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            upstream.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + begun);

            assertThat(Http.start(client.readHead())).isEqualTo("HTTP/1.1 200 OK");
            upstream.send("2\r\nhi\r\n0\r\n\r\n".substring(begun.length()));
            assertThat(client.readChunked()).isEqualTo("hi");
        }
    }

    private static void answer(Proxy proxy, String answer) throws IOException {
        RawConnection upstream = proxy.upstream().accept();
        upstream.readHead();
        upstream.send(answer);
    }

    @ParameterizedTest
    @ValueSource(ints = {299, 599, 600, 999})
    void passes_every_status_on_that_is_none(int status) throws IOException {
        try (Proxy proxy = Proxy.in(mode).start()) {
            RawConnection client = proxy.client().send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            answer(proxy, "HTTP/1.1 " + status + " Odd\r\nContent-Length: 2\r\n\r\nok");
            String answer = client.readAnswer();

            assertThat(Http.start(answer)).startsWith("HTTP/1.1 " + status + " ");
            assertThat(Http.body(answer)).isEqualTo("ok");
        }
    }

    @Test
    void takes_an_answer_of_a_later_http_1_for_1_1() throws IOException {
        try (Proxy proxy = Proxy.in(mode).start()) {
            RawConnection client = proxy.client().send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            answer(proxy, "HTTP/1.2 200 OK\r\nContent-Length: 2\r\n\r\nok");

            assertThat(client.readAnswer()).startsWith("HTTP/1.1 200 OK").endsWith("ok");
        }
    }

    @Test
    void takes_blanks_before_a_colon_out_of_an_answer_and_heeds_the_field() throws IOException {
        try (Proxy proxy = Proxy.in(mode).start()) {
            RawConnection client = proxy.client().send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            answer(proxy, "HTTP/1.1 200 OK\r\nX-Odd \t: 1\r\nTransfer-Encoding : chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n");
            String head = client.readHead();

            assertThat(Http.only(head, "X-Odd")).isEqualTo("1");
            assertThat(Http.only(head, "Transfer-Encoding")).isEqualTo("chunked");
        }
    }

    @Test
    void tells_both_sides_which_trailers_are_to_come() throws IOException {
        try (Proxy proxy = Proxy.in(mode).start()) {
            RawConnection client = proxy.client()
                    .send(
                            "POST / HTTP/1.1\r\nHost: a\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-Sum: 1\r\n\r\n");
            RawConnection upstream = proxy.upstream().accept();
            String request = upstream.readHead();
            upstream.send(
                    "HTTP/1.1 200 OK\r\nTrailer: X-End\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-End: 1\r\n\r\n");

            assertThat(Http.only(request, "Trailer")).isEqualTo("X-Sum");
            assertThat(Http.only(client.readHead(), "Trailer")).isEqualTo("X-End");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\nContent-Length: 0\n\n",
                "HTTP/1.1 200 OK\r\n folded\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
                "HTTP/1.1 200 OK\r\nBad Name: 1\r\n\r\n",
                "HTTP/1.1 101 Switching Protocols\r\n\r\n",
                "HTTP/2 200\r\n\r\n",
                "SSH-2.0-OpenSSH_9.6\r\n\r\n"
            })
    void answers_502_to_what_is_not_strict_http(String answer) throws IOException {
        try (Proxy proxy = Proxy.in(mode).start()) {
            RawConnection client = proxy.client().send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            upstream.send(answer).finishSending();

            assertThat(Http.start(client.readAnswer())).isEqualTo("HTTP/1.1 502 Bad Gateway");
            assertThat(upstream.isClosedByPeer()).isTrue();
        }
    }
}
