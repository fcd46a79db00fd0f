package gateway.app.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import gateway.config.TargetDefinition;
import gateway.config.UpstreamProtocol;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// HTTP/2 towards an upstream that the test plays frame by frame.
final class Http2UpstreamFramesTest {
    private RawUpstream upstream;
    private Http2Gateway gateway;

    @BeforeEach
    void start() throws IOException {
        upstream = new RawUpstream();
        gateway = Http2Gateway.inFrontOf(
                OneRoute.to(new TargetDefinition(URI.create(upstream.url()), 1).by(UpstreamProtocol.H2C)));
    }

    @AfterEach
    void stop() throws IOException {
        gateway.close();
        upstream.close();
    }

    private Http2Wire accept() throws IOException {
        Http2Wire server = Http2Wire.serving(upstream.accept());
        server.frame(Http2Wire.SETTINGS, 0, 0);
        return server;
    }

    @Test
    void a_request_goes_on_as_a_stream_and_its_answer_comes_back() throws IOException {
        RawConnection client = gateway.plain().send("GET /x?y=z HTTP/1.1\r\nHost: a.example\r\nAccept: b\r\n\r\n");
        Http2Wire server = accept();

        Http2Wire.Frame head = server.next(Http2Wire.HEADERS);

        assertThat(head.stream()).isEqualTo(1);
        assertThat(head.ends()).isTrue();
        assertThat(server.fields(head))
                .contains(
                        entry(":method", "GET"),
                        entry(":scheme", "http"),
                        entry(":authority", URI.create(upstream.url()).getAuthority()),
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
        Http2Wire server = accept();

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
        Http2Wire server = accept();
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
    void requests_share_one_connection() throws IOException {
        Http2Wire client = gateway.wire().get(1, "/a").get(3, "/b").get(5, "/c");
        Http2Wire server = accept();
        for (int i = 0; i < 3; i++) server.next(Http2Wire.HEADERS);

        for (int id : new int[] {5, 1, 3})
            server.headers(id, false, ":status", "200").data(id, true, "no " + id);

        assertThat(client.answer(5).content()).isEqualTo("no 5");
        assertThat(client.answer(1).content()).isEqualTo("no 1");
        assertThat(client.answer(3).content()).isEqualTo("no 3");
        assertThat(upstream.nobodyElseCalls()).isTrue();
    }
}
