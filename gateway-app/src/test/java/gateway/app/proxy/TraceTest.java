package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.DefinedGateway;
import gateway.wire.http1.RawClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `TRACE` where an API lists it, by both HTTPs.
@Timeout(60)
final class TraceTest {
    private static final String[] SECRETS = {"authorization", "Basic c2VjcmV0", "cookie", "a=secret", "x-api-key", "k"};

    @TempDir
    private Path data;

    private RecordingUpstream upstream;
    private DefinedGateway gateway;

    @BeforeEach
    void start() throws IOException {
        upstream = new RecordingUpstream();
        gateway = DefinedGateway.start(data, Map.of("GATEWAY_HTTP2", "all"), """
                {"id": "traced", "match": {"path": "/up", "methods": ["GET", "TRACE"]},
                 "upstream": {"targets": [{"url": "%s"}]}}""".formatted(upstream.url()));
    }

    @AfterEach
    void stop() throws IOException {
        gateway.close();
        upstream.close();
    }

    @Test
    void one_that_may_go_further_is_forwarded_and_counts_the_gateway() throws IOException {
        assertThat(ask("Max-Forwards: 3\r\n")).startsWith("HTTP/1.1 200 ").endsWith("served TRACE /up?q HTTP/1.1");
        assertThat(upstream.requests.getFirst().all("Max-Forwards")).containsExactly("2");

        Http2Wire.Answer answer = ask(new String[] {"max-forwards", "1"});
        assertThat(answer.content()).isEqualTo("served TRACE /up?q HTTP/1.1");
        assertThat(upstream.requests.getLast().all("Max-Forwards")).containsExactly("0");
    }

    @Test
    void one_without_a_limit_is_forwarded_as_it_came() throws IOException {
        assertThat(ask("")).endsWith("served TRACE /up?q HTTP/1.1");
        assertThat(ask(new String[0]).content()).isEqualTo("served TRACE /up?q HTTP/1.1");
        assertThat(upstream.requests).allMatch(each -> each.all("Max-Forwards").isEmpty());
    }

    @Test
    void the_gateway_is_the_last_for_one_that_may_go_no_further_and_shows_its_way_and_no_secret() throws IOException {
        String way = "TRACE /up HTTP/1.1\r\nHost: a.example\r\nVia: 1.0 first, 1.1 second\r\nMax-Forwards: 0\r\n\r\n";

        String answer = ask(String.join(
                "\r\n",
                "Via: 1.0 first, 1.1 second",
                "Max-Forwards: 0",
                "Authorization: Basic c2VjcmV0",
                "Cookie: a=secret",
                "X-Api-Key: k",
                ""));
        assertThat(answer).startsWith("HTTP/1.1 200 OK\r\n").contains("Content-Type: message/http\r\n");
        assertThat(answer.substring(answer.indexOf("\r\n\r\n") + 4)).isEqualTo(way);

        Http2Wire.Answer second = ask(Http2Wire.joined(SECRETS, "via", "1.0 first, 1.1 second", "max-forwards", "0"));
        assertThat(second.status()).isEqualTo("200");
        assertThat(second.fields()).containsEntry("content-type", "message/http");
        assertThat(second.content()).isEqualTo(way);
        assertThat(upstream.requests).isEmpty();
    }

    private String ask(String fields) throws IOException {
        return RawClient.exchange(
                gateway.address().getPort(),
                "TRACE /up?q HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n" + fields + "\r\n");
    }

    private Http2Wire.Answer ask(String[] fields) throws IOException {
        try (var client = new Http2Wire(gateway.address()).begin()) {
            client.headers(1, true, Http2Wire.joined(Http2Wire.head("TRACE", "/up?q"), fields));
            return client.answer(1);
        }
    }
}
