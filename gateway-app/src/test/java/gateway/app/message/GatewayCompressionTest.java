package gateway.app.message;

import static gateway.http.Gzip.gzip;
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
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Answers that are packed for clients of other makers, who unpack them.
@Timeout(120)
final class GatewayCompressionTest {
    private static final byte[] LONG =
            "{\"text\":\"äöü and more\"}\n".repeat(40_000).getBytes(UTF_8);
    private static final String POLICY = "{\"type\": \"compression\"}";

    private static final Map<String, String> NAMES = Map.of("br", "brotli", "zstd", "zstd"); // as its version says

    @TempDir
    private Path data;

    private static boolean isInstalled(String tool) {
        return Arrays.stream(System.getenv("PATH").split(":", -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, tool)));
    }

    private Process curl(List<String> arguments) throws IOException {
        assumeTrue(isInstalled("curl"), "curl is not installed");
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

    @Test
    void what_a_client_has_packed_comes_to_the_upstream_plain_where_the_definition_says_so() {
        try (var gateway = MessageGateway.start(data, "{\"type\": \"unpack\"}")) {
            String plain =
                    IntStream.range(0, 100_000).mapToObj(Integer::toString).collect(Collectors.joining(";"));
            byte[] packed = gzip(plain.getBytes(UTF_8));

            String taken = gateway.post("Content-Type: text/plain\r\nContent-Encoding: gzip", packed);

            assertThat(MessageGateway.status(taken)).isEqualTo(200);
            assertThat(gateway.arrived()).containsExactly(plain);
            String other = gateway.post("Content-Encoding: x-own", packed);
            assertThat(other).startsWith("HTTP/1.1 415 ").contains("Accept-Encoding: gzip");
            assertThat(MessageGateway.status(gateway.post("Content-Encoding: gzip", new byte[100])))
                    .isEqualTo(400);
            assertThat(gateway.arrived()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "--http1.1,gzip",
        "--http2-prior-knowledge,gzip",
        "--http1.1,br",
        "--http2-prior-knowledge,br",
        "--http1.1,zstd",
        "--http2-prior-knowledge,zstd"
    })
    void curl_unpacks_what_it_is_sent(String version, String coding) throws Exception {
        assumeTrue(coding.equals("gzip") || said("--version").contains(NAMES.get(coding)), "curl has no " + coding);
        try (var gateway = MessageGateway.start(data, POLICY)) {
            gateway.answers("Content-Type: application/json\nETag: \"1\"", LONG);
            Path plain = data.resolve("plain");
            String url = "http://127.0.0.1:" + gateway.port() + "/";

            String told = said(
                    version,
                    "-H",
                    "Accept-Encoding: " + coding,
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
                    .contains("content-encoding: " + coding, "vary: accept-encoding", "etag: w/\"1\"")
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
                    gateway.port(),
                    "GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: deflate\r\nConnection: close\r\n\r\n");
            assertThat(plain)
                    .contains("Content-Length: " + LONG.length, "Vary: Accept-Encoding")
                    .doesNotContain("Content-Encoding");
        }
    }

    @Test
    void what_the_upstream_has_packed_is_not_packed_twice() throws Exception {
        try (var gateway = MessageGateway.start(data, POLICY)) {
            byte[] packed = gzip(LONG);
            gateway.answers("Content-Type: application/json\nContent-Encoding: gzip", packed);
            Path plain = data.resolve("plain");

            said("--compressed", "-o", plain.toString(), "http://127.0.0.1:" + gateway.port() + "/");

            assertThat(Files.readAllBytes(plain)).isEqualTo(LONG);
        }
    }

    @ParameterizedTest
    @CsvSource({"br,brotli", "zstd,zstd"})
    void what_comes_out_is_what_the_tools_of_their_makers_unpack(String coding, String tool) throws Exception {
        try (var gateway = MessageGateway.start(data, POLICY)) {
            gateway.answers("Content-Type: application/json", LONG);
            Path packed = data.resolve("packed");

            said("--raw", "-H", "Accept-Encoding: " + coding, "-o", packed.toString(), "-0", url(gateway));

            assertThat(unpacked(tool, packed)).isEqualTo(LONG);
        }
    }

    /// Attack 22 by codings other than gzip.
    @ParameterizedTest
    @CsvSource({"br,brotli", "zstd,zstd"})
    void bombs_are_refused_and_what_is_honest_is_read(String coding, String tool) throws Exception {
        try (var gateway = MessageGateway.start(data, "{\"type\": \"content-limits\", \"json\": {\"depth\": 5}}")) {
            String fields = "Content-Type: application/json\nContent-Encoding: " + coding;
            byte[] bomb = packed(tool, "[%s]".formatted(" ".repeat(50_000_000)).getBytes(UTF_8));

            assertThat(bomb.length).isLessThan(100_000);
            assertThat(MessageGateway.status(gateway.post(fields, bomb))).isEqualTo(413);
            assertThat(gateway.arrived()).isEmpty();
            byte[] deep = packed(tool, "[[[[[[[]]]]]]]".getBytes(UTF_8));
            assertThat(MessageGateway.status(gateway.post(fields, deep))).isEqualTo(400);
            assertThat(gateway.arrived()).isEmpty();
            assertThat(MessageGateway.status(gateway.post(fields, packed(tool, "[[]]".getBytes(UTF_8)))))
                    .isEqualTo(200);
        }
    }

    private static String url(MessageGateway gateway) {
        return "http://127.0.0.1:" + gateway.port() + "/";
    }

    private byte[] unpacked(String tool, Path packed) throws Exception {
        return through(packed, tool, "-dc", "-");
    }

    private byte[] packed(String tool, byte[] plain) throws Exception {
        Path from = Files.write(data.resolve("plain"), plain);
        return tool.equals("brotli")
                ? through(from, tool, "-c", "-w", "22", "-") // unless told, it asks decoders for 16 MiB
                : through(from, tool, "-c", "-");
    }

    private byte[] through(Path from, String... command) throws Exception {
        assumeTrue(isInstalled(command[0]), command[0] + " is not installed");
        Path to = data.resolve("made");
        Process process = new ProcessBuilder(command)
                .redirectInput(from.toFile())
                .redirectOutput(to.toFile())
                .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
        return Files.readAllBytes(to);
    }
}
