package gateway.app.proxy;

import static gateway.app.proxy.Http2Wire.HEADERS;
import static gateway.app.proxy.Http2Wire.SETTINGS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import gateway.app.DefinedGateway;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What the policy `headers` takes from an answer's head does not come back behind its content.
@Timeout(60)
final class RemovedTrailersTest {
    private static final String REMOVING = """
            {"type": "headers", "response": {"remove": ["X-Internal-*", "X-Exact", "grpc-*", "grpc-status"],
             "set": {"X-Written": "gateway", "X-Emptied": "{key.metadata.plan}"},
             "rename": {"X-Old": "X-New"}}}""";
    private static final String[] REMOVED = {
        "x-internal-node",
        "7",
        "x-internal-",
        "8",
        "x-exact",
        "9",
        "x-written",
        "upstream",
        "x-emptied",
        "a",
        "x-old",
        "b"
    };
    private static final String[] STATUS = {"grpc-status", "0", "grpc-message", "fine", "grpc-status-details-bin", "AA"
    };

    @TempDir
    private Path data;

    @Test
    void nor_by_http_1() throws IOException {
        try (var upstream = new RawUpstream();
                DefinedGateway gateway = gateway(upstream, "http1");
                RawConnection client = RawConnection.to(gateway.address())) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            RawConnection server = upstream.accept();
            server.readHead();
            server.send(Http.head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked"))
                    .send("5\r\nhello\r\n0\r\n" + lines(REMOVED) + lines(STATUS) + "X-Sum: 7\r\n\r\n");

            client.readHead();
            assertThat(client.readChunked()).isEqualTo("hello");
            assertThat(client.readHead()).isEqualTo("X-Sum: 7\r\n\r\n");
        }
    }

    @Test
    void nor_by_http_2() throws IOException {
        try (var upstream = new RawUpstream();
                DefinedGateway gateway = gateway(upstream, "h2c")) {
            Http2Wire client = new Http2Wire(gateway.address()).begin().get(1, "/");
            answer(upstream);

            assertThat(client.answer(1).trailers()).containsOnly(entry("x-sum", "7"));
        }
    }

    @Test
    void but_a_call_of_grpc_keeps_what_tells_how_it_ended() throws IOException {
        try (var upstream = new RawUpstream();
                DefinedGateway gateway = gateway(upstream, "h2c")) {
            Http2Wire client = new Http2Wire(gateway.address())
                    .begin()
                    .post(1, "/", "content-type", "application/grpc", "te", "trailers");
            client.data(1, true, "");
            answer(upstream);

            assertThat(client.answer(1).trailers())
                    .containsOnly(
                            entry("grpc-status", "0"),
                            entry("grpc-message", "fine"),
                            entry("grpc-status-details-bin", "AA"),
                            entry("x-sum", "7"));
        }
    }

    private DefinedGateway gateway(RawUpstream upstream, String protocol) {
        return DefinedGateway.start(
                data, Map.of("GATEWAY_HTTP2", "all"), """
                {"id": "a", "match": {"path": "/"}, "policies": [%s],
                 "upstream": {"targets": [{"url": "%s"}], "protocol": "%s"}}""".formatted(REMOVING, upstream.url(), protocol));
    }

    private static void answer(RawUpstream upstream) throws IOException {
        Http2Wire server = Http2Wire.serving(upstream.accept()).frame(SETTINGS, 0, 0);
        server.next(HEADERS);
        server.headers(1, false, ":status", "200")
                .data(1, false, "hello")
                .headers(1, true, Http2Wire.joined(Http2Wire.joined(STATUS, REMOVED), "x-sum", "7"));
    }

    private static String lines(String[] fields) {
        var lines = new StringBuilder();
        for (int i = 0; i < fields.length; i += 2) lines.append(fields[i] + ": " + fields[i + 1] + "\r\n");
        return lines.toString();
    }
}
