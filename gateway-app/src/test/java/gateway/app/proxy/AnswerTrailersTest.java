package gateway.app.proxy;

import static gateway.app.proxy.Http2Wire.HEADERS;
import static gateway.app.proxy.Http2Wire.SETTINGS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import gateway.config.TargetDefinition;
import gateway.net.UpstreamProtocol;
import gateway.wire.io.RequestThreadMode;
import java.io.IOException;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Trailers of answers that have a meaning only in a head.
@Timeout(60)
final class AnswerTrailersTest {
    private static final String[] SMUGGLED = {
        "set-cookie", "a=b",
        "host", "evil.example",
        "authorization", "Basic eDp5",
        "content-type", "text/html",
        "location", "https://evil.example",
        "cache-control", "max-age=31536000"
    };
    private static final String GET = "GET /x HTTP/1.1\r\nHost: a\r\n\r\n";

    private interface Exchange {
        void with(Http2Gateway gateway, RawUpstream upstream) throws IOException;
    }

    private static void byHttp2(Exchange exchange) throws IOException {
        try (var upstream = new RawUpstream();
                Http2Gateway gateway = Http2Gateway.inFrontOf(
                        OneRoute.to(new TargetDefinition(URI.create(upstream.url()), 1).by(UpstreamProtocol.H2C)))) {
            exchange.with(gateway, upstream);
        }
    }

    /// Answers the request that comes, with these trailers.
    private static void answer(RawUpstream upstream, String... trailers) throws IOException {
        Http2Wire server = Http2Wire.serving(upstream.accept()).frame(SETTINGS, 0, 0);
        server.next(HEADERS);
        server.headers(1, false, ":status", "200").data(1, false, "hello").headers(1, true, trailers);
    }

    private static String trailersAfterChunks(RawConnection client) throws IOException {
        client.readHead();
        assertThat(client.readChunked()).isEqualTo("hello");
        return client.readHead();
    }

    @Test
    void those_of_an_upstream_of_http_2_do_not_reach_clients_of_http_1() throws IOException {
        byHttp2((gateway, upstream) -> {
            RawConnection client = gateway.plain().send(GET);

            answer(upstream, Http2Wire.joined(SMUGGLED, "checksum", "7"));

            assertThat(trailersAfterChunks(client)).isEqualTo("checksum: 7\r\n\r\n");
        });
    }

    @Test
    void nor_clients_of_http_2() throws IOException {
        byHttp2((gateway, upstream) -> {
            Http2Wire client = gateway.wire().get(1, "/x");

            answer(upstream, Http2Wire.joined(new String[] {"grpc-status", "0", "x-made-up-bin", "AA"}, SMUGGLED));

            assertThat(client.answer(1).trailers())
                    .containsOnly(entry("grpc-status", "0"), entry("x-made-up-bin", "AA"));
        });
    }

    @Test
    void an_answer_with_no_others_ends_without_any() throws IOException {
        byHttp2((gateway, upstream) -> {
            Http2Wire client = gateway.wire().get(1, "/x");

            answer(upstream, SMUGGLED);

            Http2Wire.Answer got = client.answer(1);
            assertThat(got.content()).isEqualTo("hello");
            assertThat(got.trailers()).isEmpty();
        });
    }

    @Test
    void those_of_an_upstream_of_http_1_are_dropped_as_well() throws IOException {
        try (Proxy proxy = Proxy.in(RequestThreadMode.IO).start()) {
            RawConnection client = proxy.client().send(GET);
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();

            upstream.send(Http.head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked"))
                    .send(Http.head(
                            "5", "hello", "0", "Set-Cookie: a=b", "X-Total: 8", "host: evil.example", "Age: 1"));

            assertThat(trailersAfterChunks(client)).isEqualTo("X-Total: 8\r\n\r\n");
        }
    }
}
