package gateway.app.transform;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import gateway.app.DefinedGateway;
import gateway.wire.http1.RawClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `request-size-limit` and `mock-response` of a whole gateway, as bytes on sockets.
@Timeout(60)
final class GatewaySizesAndMocksTest {
    private static final String SIZES =
            "{\"type\": \"request-size-limit\", \"max\": 20, \"min\": 4, \"headers\": 200, \"query\": 8}";
    private static final String MOCK = """
            {"type": "mock-response", "template": true, "delay": "1ms",
             "headers": {"X-Item": "{request.path.id}"},
             "json": {"id": "{request.path.id}", "name": "{request.query.name}"},
             "examples": [{"name": "missing", "status": 404, "json": {"missing": "{request.path.id}"}}]}""";

    @TempDir
    private Path data;

    private final List<String> arrived = new CopyOnWriteArrayList<>();
    private HttpServer upstream;
    private DefinedGateway gateway;

    @BeforeEach
    void start() throws IOException {
        upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        upstream.createContext("/", exchange -> {
            try (exchange) {
                arrived.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
                exchange.sendResponseHeaders(200, -1);
            }
        });
        upstream.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        upstream.start();
    }

    @AfterEach
    void stop() {
        gateway.close();
        upstream.stop(0);
    }

    private void serve(String path, String policy) {
        gateway = DefinedGateway.start(
                data, """
                {"id": "orders", "match": {"path": "%s"}, "policies": [%s],
                 "upstream": {"targets": [{"url": "http://127.0.0.1:%d"}]}}""".formatted(path, policy, upstream.getAddress().getPort()));
    }

    private String sent(String line, String rest) throws IOException {
        return RawClient.exchange(
                gateway.address().getPort(), line + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n" + rest);
    }

    @Test
    void what_is_too_small_too_large_or_without_length_never_reaches_the_upstream() throws IOException {
        serve("/", SIZES);

        assertThat(sent("POST /", "Content-Length: 3\r\n\r\nabc"))
                .startsWith("HTTP/1.1 400 ")
                .contains("body-too-small");
        assertThat(sent("POST /", "Content-Length: 0\r\n\r\n")).startsWith("HTTP/1.1 400 ");
        assertThat(sent("POST /", "Content-Length: 21\r\n\r\n" + "a".repeat(21)))
                .startsWith("HTTP/1.1 413 ");
        assertThat(sent("POST /", "Transfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n0\r\n\r\n"))
                .startsWith("HTTP/1.1 411 ")
                .contains("length-required");
        assertThat(sent("GET /", "X-A: " + "a".repeat(200) + "\r\n\r\n"))
                .startsWith("HTTP/1.1 431 ")
                .contains("headers-too-large");
        assertThat(sent("GET /?a=1234567", "\r\n")).startsWith("HTTP/1.1 414 ").contains("query-too-long");
        assertThat(arrived).isEmpty();

        assertThat(sent("POST /?a=123456", "Content-Length: 4\r\n\r\nabcd")).startsWith("HTTP/1.1 200 ");
        assertThat(sent("GET /", "\r\n")).startsWith("HTTP/1.1 200 ");
        assertThat(arrived).containsExactly("abcd", "");
    }

    @Test
    void mocks_are_made_of_the_request_and_cannot_be_broken_by_it() throws IOException {
        serve("/items/{id}", MOCK);

        String usual = sent("GET /items/7?name=%22%7D%0D%0AX-Evil:1", "\r\n");
        String missing = sent("GET /items/8", "Prefer: code=404\r\n\r\n");

        assertThat(usual)
                .startsWith("HTTP/1.1 200 ")
                .contains("X-Item: 7\r\n", "Vary: Prefer\r\n")
                .endsWith("\r\n\r\n{\"id\":\"7\",\"name\":\"\\\"}\\u000D\\u000AX-Evil:1\"}");
        assertThat(missing)
                .startsWith("HTTP/1.1 404 ")
                .contains("Preference-Applied: example=missing\r\n")
                .endsWith("\r\n\r\n{\"missing\":\"8\"}");
        assertThat(arrived).isEmpty();
    }

    @Test
    void a_page_of_a_mock_is_read_as_it_was_escaped() throws IOException {
        serve("/", """
                {"type": "mock-response", "template": true, "headers": {"Content-Type": "text/html"},
                 "body": "<p title='{request.query.a}'>{request.query.a}</p>"}""");

        assertThat(sent("GET /?a=%27%3Cscript%3E%1B%24B", "\r\n"))
                .contains("Content-Type: text/html; charset=utf-8\r\n")
                .endsWith("\r\n\r\n<p title='&#39;&lt;script&gt;\u001B$B'>&#39;&lt;script&gt;\u001B$B</p>");
    }
}
