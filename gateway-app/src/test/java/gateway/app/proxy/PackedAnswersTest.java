package gateway.app.proxy;

import static gateway.Eventually.until;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import gateway.app.proxy.OneRoute.WithBodies;
import gateway.policies.message.Compression;
import gateway.policies.message.MediaRanges;
import gateway.policy.Condition;
import gateway.policy.FakeServices;
import gateway.policy.Policy;
import gateway.policy.PolicyDefinition;
import gateway.policy.Stage;
import gateway.wire.io.RequestThreadMode;
import gateway.wire.memory.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Answers that are packed while their upstream still sends them, as bytes on sockets.
@Timeout(60)
final class PackedAnswersTest {
    private static final String ASK = "GET / HTTP/1.0\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n";

    private static Proxy packing() throws IOException {
        var rules = Compression.of(new MediaRanges(List.of("text/*")), 1, 4, false);
        var definition = new PolicyDefinition("compression", Stage.GUARD, rules, Condition.ALWAYS);
        Policy policy = rules.compile(definition.placeIn("orders"), new FakeServices());
        return Proxy.in(RequestThreadMode.IO)
                .ioThreads(1)
                .policies(new WithBodies(rules.bodyUse(), policy))
                .start();
    }

    private static long held(Proxy proxy) {
        return proxy.dataPlane().memory().of(Kind.BODIES).taken();
    }

    @Test
    void events_are_packed_and_come_one_by_one() throws IOException {
        try (Proxy proxy = packing()) {
            RawConnection client = proxy.client().send(ASK);
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            upstream.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n");
            assertThat(Http.only(client.readHead(), "Content-Encoding")).isEqualTo("gzip");
            var events = new GZIPInputStream(client.in());

            assertThat(events.readNBytes(9)).isEqualTo("data: 1\n\n".getBytes(US_ASCII));
            upstream.send("data: 2\n\n");
            assertThat(events.readNBytes(9)).isEqualTo("data: 2\n\n".getBytes(US_ASCII));
            assertThat(held(proxy)).isGreaterThan(256 * 1024);
            upstream.close();
            assertThat(events.read()).isEqualTo(-1);
            until(() -> held(proxy) <= 64 * 1024);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"br", "zstd"})
    void events_come_one_by_one_to_curl_and_leave_no_memory_taken(String coding) throws Exception {
        try (Proxy proxy = packing()) {
            Process curl = curl(proxy, coding);
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            upstream.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n");
            try (InputStream events = curl.getInputStream()) {
                assertThat(events.readNBytes(9)).isEqualTo("data: 1\n\n".getBytes(US_ASCII));
                upstream.send("data: 2\n\n");
                assertThat(events.readNBytes(9)).isEqualTo("data: 2\n\n".getBytes(US_ASCII));
                assertThat(held(proxy)).isGreaterThan(1024 * 1024);
                upstream.close();
                assertThat(events.read()).isEqualTo(-1);
            }
            assertThat(curl.waitFor()).isZero();
            until(() -> held(proxy) <= 64 * 1024);
        }
    }

    private static Process curl(Proxy proxy, String coding) throws IOException, InterruptedException {
        try {
            Process asked = new ProcessBuilder("curl", "--version").start();
            String version = new String(asked.getInputStream().readAllBytes(), US_ASCII);
            assumeTrue(version.contains(coding.equals("br") ? "brotli" : coding), "curl has no " + coding);
            String url = "http://127.0.0.1:" + proxy.dataPlane().address().getPort() + "/";
            return new ProcessBuilder("curl", "-sSN", "--compressed", "-H", "Accept-Encoding: " + coding, url)
                    .redirectError(Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            return Assumptions.abort("curl is not here: " + e.getMessage());
        }
    }

    @Test
    void what_the_upstream_breaks_off_never_looks_whole() throws IOException {
        try (Proxy proxy = packing()) {
            RawConnection client = proxy.client().send(ASK);
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            upstream.send("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\nhello");
            client.readHead();
            upstream.close();

            assertThatThrownBy(() -> new GZIPInputStream(client.in()).readAllBytes())
                    .isInstanceOf(IOException.class);
            until(() -> held(proxy) <= 64 * 1024);
        }
    }
}
