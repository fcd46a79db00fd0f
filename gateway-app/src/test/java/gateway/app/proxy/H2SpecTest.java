package gateway.app.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/// HTTP/2 held to RFC 9113 and RFC 7541 by h2spec, a program that others wrote. Skipped where it is not installed.
@Timeout(300)
final class H2SpecTest {
    private static final Pattern FAILED = Pattern.compile("^ *× \\d+: (.*)$", Pattern.MULTILINE);

    @RegisterExtension
    private static final RecordedHttp2 HTTP2 = RecordedHttp2.start();

    /// What it says of the gateway at `port`.
    private static String judged(int port, String... more) throws Exception {
        String[] command = Stream.concat(
                        Stream.of("h2spec", "-h", "localhost", "-p", Integer.toString(port)), Stream.of(more))
                .toArray(String[]::new);
        Process process = Http2PeersTest.begin(command);
        try {
            return new String(process.getInputStream().readAllBytes(), UTF_8);
        } finally {
            process.destroyForcibly();
        }
    }

    private static List<String> failed(String said) {
        return FAILED.matcher(said)
                .results()
                .map(result -> result.group(1))
                .distinct()
                .toList();
    }

    /// What is no preface of HTTP/2 is HTTP/1 there, and answered as such.
    @Test
    void every_case_but_one_passes_in_the_clear() throws Exception {
        String said = judged(HTTP2.gateway.dataPlane().address().getPort());

        assertThat(failed(said)).containsExactly("Sends invalid connection preface");
        assertThat(said).contains("145 tests, 144 passed, 0 skipped, 1 failed");
    }

    @Test
    void every_case_passes_over_tls() throws Exception {
        int port = HTTP2.gateway.dataPlane().secureAddress().orElseThrow().getPort();
        String said = judged(port, "-t", "-k");

        assertThat(failed(said)).isEmpty();
        assertThat(said).contains("145 tests, 145 passed, 0 skipped, 0 failed");
    }
}
