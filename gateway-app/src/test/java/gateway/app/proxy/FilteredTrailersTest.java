package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.DefinedGateway;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Trailers behind content, of messages in whose heads a filter looks.
@Timeout(60)
final class FilteredTrailersTest {
    private static final String HEADERS = "{\"name\": \"secret\", \"words\": [\"secret\"], \"in\": [\"headers\"]}";
    private static final String NAMED = "{\"name\": \"named\", \"words\": [\"secret\"], \"in\": [\"header:x-note\"]}";
    private static final String BODIES = "{\"name\": \"body\", \"words\": [\"secret\"], \"in\": [\"body\"]}";

    @TempDir
    private Path data;

    private interface Exchange {
        void with(RawConnection client, RawUpstream upstream) throws IOException;
    }

    private void behind(String rules, Exchange exchange) throws IOException {
        try (var upstream = new RawUpstream();
                DefinedGateway gateway = DefinedGateway.start(data, """
                        {"id": "a", "match": {"path": "/"}, "upstream": {"targets": [{"url": "%s"}]},
                         "policies": [{"type": "content-filter", "on": "both", "otherTypes": "pass", "rules": [%s]}]}""".formatted(upstream.url(), rules));
                RawConnection client = RawConnection.to(gateway.address())) {
            exchange.with(client, upstream);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {HEADERS, NAMED, HEADERS + ',' + BODIES})
    void those_of_requests_do_not_pass_unseen(String rules) throws IOException {
        for (String type : new String[] {"text/plain", "image/png"}) {
            behind(rules, (client, upstream) -> {
                client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Type: " + type
                        + "\r\nTrailer: X-Note\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + "1\r\nx\r\n0\r\nX-Note: a secret\r\n\r\n");

                assertThat(asked(upstream)).doesNotContainIgnoringCase("x-note");
            });
        }
    }

    /// The head that came, and what came behind the content, where that is in chunks.
    private static String asked(RawUpstream upstream) throws IOException {
        RawConnection connection = upstream.accept();
        String head = connection.readHead();
        if (!head.toLowerCase(Locale.ROOT).contains("chunked")) return head;
        assertThat(connection.readChunked()).isEqualTo("x");
        return head + connection.readUntil("\r\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {HEADERS, NAMED})
    void those_of_answers_do_not_pass_unseen(String rules) throws IOException {
        behind(rules, (client, upstream) -> {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            RawConnection server = upstream.accept();
            server.readHead();
            server.send("""
                    HTTP/1.1 200 OK\r
                    Content-Type: image/png\r
                    Trailer: X-Note\r
                    Transfer-Encoding: chunked\r
                    \r
                    1\r
                    x\r
                    0\r
                    X-Note: a secret\r
                    \r
                    """);

            assertThat(client.readHead()).doesNotContainIgnoringCase("x-note");
            assertThat(client.readChunked()).isEqualTo("x");
            assertThat(client.readUntil("\r\n")).isEqualTo("\r\n");
        });
    }

    @Test
    void a_filter_of_bodies_leaves_them() throws IOException {
        behind(BODIES, (client, upstream) -> {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            RawConnection server = upstream.accept();
            server.readHead();
            server.send("""
                    HTTP/1.1 200 OK\r
                    Content-Type: image/png\r
                    Transfer-Encoding: chunked\r
                    \r
                    1\r
                    x\r
                    0\r
                    X-Note: 7\r
                    \r
                    """);

            client.readHead();
            assertThat(client.readChunked()).isEqualTo("x");
            assertThat(client.readHead()).isEqualTo("X-Note: 7\r\n\r\n");
        });
    }
}
