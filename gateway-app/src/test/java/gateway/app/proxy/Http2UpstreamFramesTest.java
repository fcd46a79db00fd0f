package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Requests and answers of HTTP/2 towards an upstream that the test plays frame by frame.
@Timeout(60)
final class Http2UpstreamFramesTest {
    @RegisterExtension
    private final FramedUpstream upstream = FramedUpstream.start();

    private final Http2Gateway gateway = upstream.gateway();

    @Test
    void a_request_goes_on_as_a_stream_and_its_answer_comes_back() throws IOException {
        RawConnection client = gateway.plain().send("GET /x?y=z HTTP/1.1\r\nHost: a.example\r\nAccept: b\r\n\r\n");
        Http2Wire server = upstream.accept();

        Http2Wire.Frame head = server.next(Http2Wire.HEADERS);

        assertThat(head.stream()).isEqualTo(1);
        assertThat(head.ends()).isTrue();
        assertThat(server.fields(head))
                .contains(
                        entry(":method", "GET"),
                        entry(":scheme", "http"),
                        entry(":authority", upstream.authority()),
                        entry(":path", "/x?y=z"),
                        entry("accept", "b"))
                .doesNotContainKeys("host", "Host", "connection");
        server.headers(1, false, ":status", "200", "content-length", "5").data(1, true, "hello");
        assertThat(client.readAnswer()).startsWith("HTTP/1.1 200 ").endsWith("hello");
    }

    @Test
    void trailers_pass_both_ways_and_so_does_te() throws IOException {
        Http2Wire client = gateway.wire().post(1, "/x", "te", "trailers", "content-type", "application/grpc");
        client.data(1, false, "ping").headers(1, true, "checksum", "1");
        Http2Wire server = upstream.accept();

        Http2Wire.Frame head = server.next(Http2Wire.HEADERS);
        assertThat(server.fields(head)).contains(entry("te", "trailers"), entry(":method", "POST"));
        assertThat(server.next(Http2Wire.DATA).payload()).isEqualTo("ping");
        Http2Wire.Frame trailers = server.next(Http2Wire.HEADERS);
        assertThat(trailers.ends()).isTrue();
        assertThat(server.fields(trailers)).containsExactly(entry("checksum", "1"));

        server.headers(1, false, ":status", "200").data(1, false, "pong").headers(1, true, "grpc-status", "0");
        Http2Wire.Answer answer = client.answer(1);
        assertThat(answer.status()).isEqualTo("200");
        assertThat(answer.content()).isEqualTo("pong");
        assertThat(answer.trailers()).containsExactly(entry("grpc-status", "0"));
    }

    @Test
    void both_directions_stream_at_the_same_time() throws IOException {
        Http2Wire client = gateway.wire().post(1, "/chat");
        Http2Wire server = upstream.accept();
        server.next(Http2Wire.HEADERS);
        server.headers(1, false, ":status", "200");

        assertThat(client.fields(client.next(Http2Wire.HEADERS))).contains(entry(":status", "200"));
        for (String word : List.of("one", "two", "three")) {
            client.data(1, false, word);
            assertThat(server.next(Http2Wire.DATA).payload()).isEqualTo(word);
            server.data(1, false, word + "!");
            assertThat(client.next(Http2Wire.DATA).payload()).isEqualTo(word + "!");
        }
        client.data(1, true, "");
        assertThat(server.next(Http2Wire.DATA).ends()).isTrue();
        server.headers(1, true, "grpc-status", "0");
        assertThat(client.fields(client.next(Http2Wire.HEADERS))).contains(entry("grpc-status", "0"));
    }

    @Test
    void interim_answers_come_first() throws IOException {
        RawConnection client = gateway.plain().send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n");
        Http2Wire server = upstream.accept();
        server.next(Http2Wire.HEADERS);

        server.headers(1, false, ":status", "103", "link", "</style.css>").headers(1, true, ":status", "204");

        assertThat(client.readHead()).startsWith("HTTP/1.1 103 ").contains("link: </style.css>");
        assertThat(client.readHead()).startsWith("HTTP/1.1 204 ");
    }

    @Test
    void the_upstream_asks_for_the_body() throws IOException {
        RawConnection client = gateway.plain()
                .send("POST /x HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n");
        Http2Wire server = upstream.accept();

        assertThat(server.fields(server.next(Http2Wire.HEADERS)))
                .contains(entry("expect", "100-continue"), entry("content-length", "4"));
        server.headers(1, false, ":status", "100");
        assertThat(client.readHead()).startsWith("HTTP/1.1 100 ");
        client.send("body");
        assertThat(server.next(Http2Wire.DATA).payload()).isEqualTo("body");
        server.headers(1, true, ":status", "200");
        assertThat(client.readHead()).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void answers_without_content_end_with_their_head() throws IOException {
        Http2Wire client = gateway.wire();
        Http2Wire server = upstream.proven(client);

        client.headers(3, true, Http2Wire.head("HEAD", "/x")).get(5, "/none").get(7, "/same");
        for (int i = 0; i < 3; i++) server.next(Http2Wire.HEADERS);
        server.headers(3, true, ":status", "200", "content-length", "12")
                .headers(5, true, ":status", "204")
                .headers(7, true, ":status", "304", "content-length", "7");

        assertThat(client.answer(3).fields()).contains(entry("content-length", "12"));
        assertThat(client.answer(5).status()).isEqualTo("204");
        assertThat(client.answer(7).status()).isEqualTo("304");
        server.frame(Http2Wire.PING, 0, 0, new byte[8]);
        assertThat(server.next(Http2Wire.PING).flags()).isEqualTo(1);
    }

    @Test
    void an_early_answer_is_passed_on_and_the_upload_cancelled() throws IOException {
        Http2Wire client = gateway.wire();
        Http2Wire server = upstream.proven(client);
        client.post(3, "/up").data(3, false, "begin");
        server.next(Http2Wire.DATA);

        server.headers(3, true, ":status", "413").frame(Http2Wire.RST_STREAM, 0, 3, Http2Wire.number(0));

        assertThat(client.fields(client.next(Http2Wire.HEADERS))).contains(entry(":status", "413"));
    }

    @Test
    void a_socket_handshake_goes_on_as_a_plain_request() throws IOException {
        String head = """
                GET /chat HTTP/1.1
                Host: a
                Connection: Upgrade
                Upgrade: websocket
                Sec-WebSocket-Version: 13
                Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==

                """;
        RawConnection client = gateway.plain().send(head.replace("\n", "\r\n"));
        Http2Wire server = upstream.accept();

        assertThat(server.fields(server.next(Http2Wire.HEADERS))).doesNotContainKeys("upgrade", "connection");
        server.headers(1, true, ":status", "426");

        assertThat(client.readHead()).startsWith("HTTP/1.1 426 ");
    }
}
