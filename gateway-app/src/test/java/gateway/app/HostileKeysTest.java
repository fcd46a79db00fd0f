package gateway.app;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import gateway.json.Json;
import gateway.wire.http1.RawClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Keys and bodies made to break what looks at them, on raw sockets against the whole process.
final class HostileKeysTest {
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicLong bodyBytes = new AtomicLong();

    @TempDir
    private Path data;

    private HttpServer upstream;
    private Gateway gateway;
    private String secret;

    @BeforeEach
    void start() throws IOException {
        upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        upstream.createContext("/", exchange -> {
            try (exchange) {
                requests.incrementAndGet();
                bodyBytes.addAndGet(exchange.getRequestBody().readAllBytes().length);
                exchange.sendResponseHeaders(204, -1);
            }
        });
        upstream.start();
        gateway = Gateway.start(Settings.read(
                Optional.empty(),
                Map.of(
                        "GATEWAY_LISTEN", "127.0.0.1:0",
                        "GATEWAY_ADMIN_LISTEN", "127.0.0.1:0",
                        "GATEWAY_DATA", data.toString(),
                        "GATEWAY_DRAIN_TIMEOUT", "1s")));
        admin("apis", """
                {"id": "a", "match": {"path": "/"}, "upstream": {"targets": [{"url": "http://127.0.0.1:%d"}]},
                 "policies": [{"type": "key-auth", "header": "X-Key", "query": "key"},
                              {"type": "request-size-limit", "max": "64KiB"}]}""".formatted(upstream.getAddress().getPort()));
        secret = Json.parse(admin("keys", "{\"apis\": {\"a\": {}}}"))
                .get("secret")
                .stringValue();
    }

    @AfterEach
    void stop() {
        gateway.close();
        upstream.stop(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"*", "{slot}", "{gw}*", "key_*", "../pepper", "null", "%s%n", "' OR 1=1", "\u00ff\u00fe"})
    void a_key_that_means_something_elsewhere_means_nothing_here(String key) throws IOException {
        assertThat(get("/", "X-Key: " + key)).startsWith("HTTP/1.1 401 ");
        assertThat(requests).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a%0d%0aX-Injected:%201", "%00", "%2a", "%7bslot%7d"})
    void an_encoded_key_in_the_query_is_data_and_never_a_line(String key) throws IOException {
        assertThat(get("/?key=" + key, "A: b")).startsWith("HTTP/1.1 401 ").doesNotContain("X-Injected");
        assertThat(requests).hasValue(0);
    }

    @Test
    void a_key_wrong_at_its_first_or_last_byte_or_too_long_opens_nothing() throws IOException {
        assertThat(get("/", "X-Key: " + secret)).startsWith("HTTP/1.1 204 ");

        assertThat(get("/", "X-Key: x" + secret.substring(1))).startsWith("HTTP/1.1 401 ");
        assertThat(get("/", "X-Key: " + secret.substring(0, secret.length() - 1) + "-"))
                .startsWith("HTTP/1.1 401 ");
        assertThat(get("/", "X-Key: " + secret + "a".repeat(400))).startsWith("HTTP/1.1 401 ");
        assertThat(get("/", "X-Key: " + "a".repeat(1 << 20))).startsWith("HTTP/1.1 431 ");
        assertThat(requests).hasValue(1);
    }

    @Test
    void a_gzip_bomb_is_counted_as_it_came_and_never_inflated() throws IOException {
        byte[] bomb = gzipped(32 << 20);
        assertThat(bomb.length).isLessThan(64 << 10);

        String answer = RawClient.exchange(gateway.address().getPort(), post(bomb));

        assertThat(answer).startsWith("HTTP/1.1 204 ");
        assertThat(bodyBytes).hasValue(bomb.length);
    }

    @Test
    void a_body_past_its_limit_is_refused_whatever_its_encoding() throws IOException {
        byte[] large = gzipped(128 << 20);
        assertThat(large.length).isGreaterThan(64 << 10);

        String answer = RawClient.exchange(gateway.address().getPort(), post(large));

        assertThat(answer).startsWith("HTTP/1.1 413 ");
        assertThat(bodyBytes).hasValue(0);
    }

    private String post(byte[] body) {
        return "POST / HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\nContent-Encoding: gzip\r\nX-Key: " + secret
                + "\r\nContent-Length: " + body.length + "\r\n\r\n" + new String(body, ISO_8859_1);
    }

    private String get(String target, String field) throws IOException {
        return RawClient.exchange(
                gateway.address().getPort(),
                "GET " + target + " HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n" + field + "\r\n\r\n");
    }

    private String admin(String path, String body) throws IOException {
        String answer = RawClient.exchange(
                gateway.adminAddress().getPort(),
                "POST /admin/v1/" + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer "
                        + gateway.adminToken().reveal() + "\r\nContent-Type: application/json\r\nContent-Length: "
                        + body.length() + "\r\n\r\n" + body);
        assertThat(answer).startsWith("HTTP/1.1 201 ");
        return answer.substring(answer.indexOf("\r\n\r\n") + 4);
    }

    private static byte[] gzipped(int zeros) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(bytes)) {
            byte[] block = new byte[1 << 16];
            for (int i = 0; i < zeros / block.length; i++) gzip.write(block);
        }
        return bytes.toByteArray();
    }
}
