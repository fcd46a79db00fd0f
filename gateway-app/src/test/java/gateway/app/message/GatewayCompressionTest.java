package gateway.app.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import gateway.wire.http1.RawClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Answers that are packed for clients of other makers, who unpack them.
@Timeout(120)
final class GatewayCompressionTest {
    private static final byte[] LONG =
            "{\"text\":\"äöü and more\"}\n".repeat(40_000).getBytes(UTF_8);
    private static final String POLICY = "{\"type\": \"compression\"}";

    @TempDir
    private Path data;

    private Process curl(List<String> arguments) throws IOException {
        boolean installed = Arrays.stream(System.getenv("PATH").split(":", -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "curl")));
        assumeTrue(installed, "curl is not installed");
        var command = new ArrayList<>(List.of("curl", "-sS"));
        command.addAll(arguments);
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(data.resolve("said").toFile())
                .start();
    }

    private String said(String... arguments) throws Exception {
        Process process = curl(List.of(arguments));
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        String said = Files.readString(data.resolve("said"));
        assertThat(process.exitValue()).as(said).isZero();
        return said;
    }

    @ParameterizedTest
    @ValueSource(strings = {"--http1.1", "--http2-prior-knowledge"})
    void curl_unpacks_what_it_is_sent(String version) throws Exception {
        try (var gateway = MessageGateway.start(data, POLICY)) {
            gateway.answers("Content-Type: application/json\nETag: \"1\"", LONG);
            Path plain = data.resolve("plain");
            String url = "http://127.0.0.1:" + gateway.port() + "/";

            String told = said(
                    version,
                    "-H",
                    "Accept-Encoding: gzip",
                    "--compressed",
                    "-D",
                    "-",
                    "-o",
                    plain.toString(),
                    "-w",
                    "bytes=%{size_download}",
                    url);

            assertThat(Files.readAllBytes(plain)).isEqualTo(LONG);
            assertThat(told.toLowerCase(Locale.ROOT))
                    .contains("content-encoding: gzip", "vary: accept-encoding", "etag: w/\"1\"")
                    .doesNotContain("content-length");
            int bytes = Integer.parseInt(told.substring(told.indexOf("bytes=") + "bytes=".length()));
            assertThat(bytes).isLessThan(LONG.length / 20);
        }
    }

    @Test
    void one_who_does_not_take_it_gets_it_plain() throws Exception {
        try (var gateway = MessageGateway.start(data, POLICY)) {
            gateway.answers("Content-Type: application/json", LONG);

            String plain = RawClient.exchange(
                    gateway.port(), "GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: br\r\nConnection: close\r\n\r\n");
            assertThat(plain)
                    .contains("Content-Length: " + LONG.length, "Vary: Accept-Encoding")
                    .doesNotContain("Content-Encoding");
        }
    }

    @Test
    void what_the_upstream_has_packed_is_not_packed_twice() throws Exception {
        try (var gateway = MessageGateway.start(data, POLICY)) {
            byte[] packed = MessageGateway.gzip(LONG);
            gateway.answers("Content-Type: application/json\nContent-Encoding: gzip", packed);
            Path plain = data.resolve("plain");

            said("--compressed", "-o", plain.toString(), "http://127.0.0.1:" + gateway.port() + "/");

            assertThat(Files.readAllBytes(plain)).isEqualTo(LONG);
        }
    }
}
