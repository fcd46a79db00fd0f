package gateway.app.message;

import static gateway.app.message.MessageGateway.status;
import static gateway.http.Gzip.gzip;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.wire.http1.RawClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Policies that only report, and bodies that they cannot read, as bytes on sockets.
@Timeout(120)
final class GatewayReportTest {
    private static final String JSON = "Content-Type: application/json";
    private static final String LIMITS =
            "{\"type\": \"content-limits\", \"mode\": \"report\", \"on\": \"both\", \"maxBody\": \"LARGEST\"}";
    private static final byte[] LARGE = large();

    @TempDir
    private Path data;

    private static byte[] large() {
        var large = new byte[300_000];
        new Random(7).nextBytes(large);
        return large;
    }

    private static String limits(String largest) {
        return LIMITS.replace("LARGEST", largest);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1KiB", "64KiB", "128KiB"})
    void what_is_larger_than_a_policy_takes_passes_as_it_came(String largest) throws IOException {
        try (var gateway = MessageGateway.start(data, limits(largest))) {
            assertThat(status(gateway.post(JSON, LARGE))).isEqualTo(200);
            assertThat(gateway.arrived()).containsExactly(new String(LARGE, ISO_8859_1));

            for (int size : List.of(100, 7_000, 40_000)) {
                assertThat(status(RawClient.exchange(gateway.port(), chunked(LARGE, size))))
                        .isEqualTo(200);
                assertThat(gateway.arrived()).containsExactly(new String(LARGE, ISO_8859_1));
            }
        }
    }

    @Test
    void answers_pass_likewise() {
        try (var gateway = MessageGateway.start(data, limits("64KiB"))) {
            gateway.answers(JSON, LARGE);
            assertThat(body(gateway.postJson("{}"))).isEqualTo(new String(LARGE, ISO_8859_1));
            gateway.answersInChunks(JSON, LARGE);
            assertThat(unchunked(gateway.postJson("{}"))).isEqualTo(new String(LARGE, ISO_8859_1));
        }
    }

    /// One after the other has a part of it, and the last has all.
    @Test
    void several_that_take_more_and_more_or_less_and_less_lose_nothing() throws IOException {
        for (String policies : List.of(
                limits("1KiB") + ',' + limits("64KiB") + ',' + limits("1024KiB"),
                limits("128KiB") + ',' + limits("1KiB"))) {
            try (var gateway = MessageGateway.start(data, policies)) {
                assertThat(status(RawClient.exchange(gateway.port(), chunked(LARGE, 5_000))))
                        .isEqualTo(200);
                assertThat(gateway.arrived()).containsExactly(new String(LARGE, ISO_8859_1));
                gateway.answersInChunks(JSON, LARGE);
                String answer = gateway.postJson("{}");
                String came = answer.contains("Content-Length") ? body(answer) : unchunked(answer);
                assertThat(came).isEqualTo(new String(LARGE, ISO_8859_1));
            }
        }
    }

    @Test
    void a_policy_that_enforces_behind_one_that_reports_refuses() throws IOException {
        String policies = limits("1KiB") + ", {\"type\": \"json-schema\", \"schema\": {}, \"maxBody\": \"64KiB\"}";
        try (var gateway = MessageGateway.start(data, policies)) {
            assertThat(status(RawClient.exchange(gateway.port(), chunked(LARGE, 5_000))))
                    .isEqualTo(413);
            assertThat(gateway.arrived()).isEmpty();
        }
    }

    @Test
    void what_cannot_be_unpacked_or_is_no_json_passes() {
        try (var gateway = MessageGateway.start(data, limits("64KiB"))) {
            for (String coding : List.of("gzip", "compress", "br", "gzip, gzip, gzip, gzip")) {
                String fields = JSON + "\nContent-Encoding: " + coding;
                assertThat(status(gateway.post(fields, "{}".getBytes(UTF_8)))).isEqualTo(200);
                assertThat(gateway.arrived()).containsExactly("{}");
                gateway.answers(fields, "{}".getBytes(UTF_8));
                assertThat(gateway.postJson("{}")).startsWith("HTTP/1.1 200 ").endsWith("{}");
                gateway.arrived();
            }
            byte[] bomb = gzip(new byte[10 << 20]);
            assertThat(status(gateway.post(JSON + "\nContent-Encoding: gzip", bomb)))
                    .isEqualTo(200);
            assertThat(gateway.arrived()).containsExactly(new String(bomb, ISO_8859_1));
        }
    }

    private static String chunked(byte[] body, int size) {
        var request = new StringBuilder("POST /items HTTP/1.1\r\nHost: a\r\nConnection: close\r\n")
                .append(JSON)
                .append("\r\nTransfer-Encoding: chunked\r\n\r\n");
        String text = new String(body, ISO_8859_1);
        for (int at = 0; at < text.length(); at += size) {
            String chunk = text.substring(at, Math.min(text.length(), at + size));
            request.append(Integer.toHexString(chunk.length()))
                    .append("\r\n")
                    .append(chunk)
                    .append("\r\n");
        }
        return request.append("0\r\n\r\n").toString();
    }

    private static String body(String answer) {
        return answer.substring(answer.indexOf("\r\n\r\n") + 4);
    }

    private static String unchunked(String answer) {
        var whole = new StringBuilder();
        String rest = body(answer);
        while (true) {
            int end = rest.indexOf("\r\n");
            int size = Integer.parseInt(rest.substring(0, end), 16);
            if (size == 0) return whole.toString();
            whole.append(rest, end + 2, end + 2 + size);
            rest = rest.substring(end + 2 + size + 2);
        }
    }
}
