package gateway.policies.message;

import static gateway.http.Gzip.gzip;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Exchanges;
import org.junit.jupiter.api.Test;

final class UnpackTest {
    private final PolicyRun run = PolicyRun.of("{\"type\": \"unpack\", \"maxBody\": \"64KiB\"}");

    private static Exchanges posting(String coding, byte[] body) {
        return Exchanges.of("POST", "/")
                .with("Content-Type", "text/csv")
                .with("Content-Encoding", coding)
                .with("Content-Digest", "sha-256=:AAAA:")
                .body(body);
    }

    @Test
    void the_upstream_gets_plain_what_was_packed_once_or_twice() {
        byte[] packed = gzip("a,b".getBytes(UTF_8));

        run.send(posting("gzip", packed));
        assertThat(run.arrived()).isEqualTo("a,b");
        assertThat(run.last().headers().contains("Content-Encoding")).isFalse();
        assertThat(run.last().headers().contains("Content-Digest")).isFalse();
        assertThat(run.last().headers().first("Content-Type")).contains("text/csv");

        run.send(posting("gzip, gzip", gzip(packed)));
        assertThat(run.arrived()).isEqualTo("a,b");
    }

    @Test
    void nothing_is_not_said_to_be_packed() {
        for (byte[] nothing : new byte[][] {new byte[0], gzip(new byte[0])}) {
            assertThat(run.send(posting("gzip", nothing)).status()).isEqualTo(200);
            assertThat(run.arrived()).isEmpty();
            assertThat(run.last().headers().contains("Content-Encoding")).isFalse();
        }
    }

    @Test
    void what_is_not_packed_streams_past() {
        run.send(Exchanges.of("POST", "/").chunked("x".repeat(100_000)));

        assertThat(run.arrived()).hasSize(100_000);
    }

    @Test
    void what_cannot_be_unpacked_goes_nowhere() {
        assertThat(run.send(posting("gzip", "no gzip".getBytes(UTF_8))).status())
                .isEqualTo(400);
        assertThat(run.send(posting("x-own", "a".getBytes(UTF_8))).status()).isEqualTo(415);
        assertThat(run.send(posting("gzip", gzip(new byte[100_000]))).status()).isEqualTo(413);
        assertThat(run.arrived()).isEmpty();
    }
}
