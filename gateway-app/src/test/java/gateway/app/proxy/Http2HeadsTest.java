package gateway.app.proxy;

import static gateway.app.proxy.Http2Wire.END_HEADERS;
import static gateway.app.proxy.Http2Wire.END_STREAM;
import static gateway.app.proxy.Http2Wire.head;
import static gateway.app.proxy.Http2Wire.joined;
import static gateway.app.proxy.Http2Wire.section;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Heads of HTTP/2 requests as they must not be, sent to a real listener.
final class Http2HeadsTest {
    @RegisterExtension
    private static final RecordedHttp2 HTTP2 = RecordedHttp2.start();

    /// A head, and the status that it is answered with.
    record Malformed(String what, int status, List<String> fields) {
        @Override
        public String toString() {
            return what;
        }
    }

    private static Malformed malformed(String what, int status, String... fields) {
        return new Malformed(what, status, List.of(fields));
    }

    private static Malformed with(String what, int status, String... more) {
        return malformed(what, status, joined(head("GET", "/"), more));
    }

    private static Malformed path(String path) {
        return malformed("path " + path, 400, head("GET", path));
    }

    static List<Malformed> heads() {
        var heads = new ArrayList<>(List.of(
                with("a host that differs from the authority", 400, "host", "b.example"),
                with("two hosts", 400, "host", "a.example", "host", "a.example"),
                malformed("no authority and no host", 400, ":method", "GET", ":scheme", "http", ":path", "/"),
                malformed(
                        "user information",
                        400,
                        ":method",
                        "GET",
                        ":scheme",
                        "http",
                        ":authority",
                        "a@b",
                        ":path",
                        "/"),
                malformed("no method", 400, ":scheme", "http", ":authority", "a", ":path", "/"),
                malformed("no path", 400, ":method", "GET", ":scheme", "http", ":authority", "a"),
                malformed("no scheme", 400, ":method", "GET", ":authority", "a", ":path", "/"),
                malformed(
                        "an unknown scheme", 400, ":method", "GET", ":scheme", "file", ":authority", "a", ":path", "/"),
                with("a pseudo field twice", 400, ":path", "/b"),
                with("an unknown pseudo field", 400, ":protocol", "websocket"),
                with("a response's pseudo field", 400, ":status", "200"),
                malformed(
                        "a pseudo field behind others",
                        400,
                        ":method",
                        "GET",
                        ":scheme",
                        "http",
                        ":authority",
                        "a",
                        "x",
                        "y",
                        ":path",
                        "/"),
                malformed(
                        "a method that is no token",
                        400,
                        ":method",
                        "GE T",
                        ":scheme",
                        "http",
                        ":authority",
                        "a",
                        ":path",
                        "/"),
                malformed("CONNECT", 400, ":method", "CONNECT", ":authority", "a:443"),
                with("an upper-case name", 400, "X-Upper", "a"),
                with("a name with a blank", 400, "x a", "b"),
                with("a name with a colon", 400, "x:a", "b"),
                with("a line end in a value", 400, "x", "a\r\nx-user: admin"),
                with("a NUL in a value", 400, "x", "a\0b"),
                with("a blank before a value", 400, "x", " a"),
                with("a blank behind a value", 400, "x", "a\t"),
                with("Connection", 400, "connection", "close"),
                with("Keep-Alive", 400, "keep-alive", "a"),
                with("Proxy-Connection", 400, "proxy-connection", "a"),
                with("Transfer-Encoding", 400, "transfer-encoding", "chunked"),
                with("Upgrade", 400, "upgrade", "h2c"),
                with("TE other than trailers", 400, "te", "gzip"),
                with("a length that is no number", 400, "content-length", "5x"),
                with("a length with a sign", 400, "content-length", "+5"),
                with("a length below zero", 400, "content-length", "-1"),
                with("two lengths", 400, "content-length", "5", "content-length", "5"),
                with("a length and no content", 400, "content-length", "5"),
                with("a head of 40 KB", 431, "x", "y".repeat(40_000)),
                malformed("a path of 20 KB", 414, head("GET", "/" + "a".repeat(20_000))),
                malformed(
                        "101 fields",
                        431,
                        joined(
                                head("GET", "/"),
                                IntStream.range(0, 101)
                                        .boxed()
                                        .flatMap(i -> Stream.of("x-" + i, "y"))
                                        .toArray(String[]::new)))));
        for (String path : List.of(
                "",
                "x",
                "*",
                "/a b",
                "/a#b",
                "/a\u007f",
                "/\u00e9",
                "http://b/",
                "/a/..%2fadmin",
                "/%2e%2e/admin",
                "//admin",
                "/admin%00",
                "/a\\b",
                "/public/..;/admin")) heads.add(path(path));
        return heads;
    }

    @ParameterizedTest
    @MethodSource("heads")
    void refuses_and_tells_the_upstream_nothing(Malformed head) throws IOException {
        try (Http2Wire client = HTTP2.gateway.wire()) {
            byte[] section = section(head.fields().toArray(String[]::new));
            int from = 0;
            for (int type = Http2Wire.HEADERS; from < section.length; type = Http2Wire.CONTINUATION) {
                int to = Math.min(section.length, from + 16_384);
                int flags = (to == section.length ? END_HEADERS : 0) | (type == Http2Wire.HEADERS ? END_STREAM : 0);
                client.frame(type, flags, 1, Arrays.copyOfRange(section, from, to));
                from = to;
            }

            Http2Wire.Answer answer = client.answer(1);
            assertThat(answer.status()).isEqualTo(Integer.toString(head.status()));
            assertThat(answer.fields()).containsEntry("content-type", "application/problem+json");
            client.get(3, "/good");
            assertThat(client.answer(3).content()).isEqualTo("served GET /good HTTP/1.1");
            assertThat(HTTP2.upstream.requests).hasSize(1);
        }
    }
}
