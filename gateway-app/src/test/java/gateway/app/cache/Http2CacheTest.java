package gateway.app.cache;

import static gateway.app.cache.CountingUpstream.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Kept answers over HTTP/2, as curl gets them.
@Timeout(120)
final class Http2CacheTest {
    private final CountingUpstream upstream = CountingUpstream.start(
            number -> answer("Cache-Control: max-age=60\nETag: \"1\"", "x".repeat(100_000) + number));

    @TempDir
    private Path data;

    private CachedGateway gateway;

    @BeforeEach
    void start() {
        CachedGateway.define(data, "orders", CachedGateway.definition("orders", "/", "", upstream.port()));
        gateway = CachedGateway.start(data, Map.of("GATEWAY_HTTP2", "all"));
    }

    @AfterEach
    void stop() {
        gateway.close();
        upstream.close();
    }

    @Test
    void an_answer_is_given_again_whole_in_part_or_as_known() throws Exception {
        String url = "http://localhost:" + gateway.gateway().address().getPort() + "/a";
        String first = curl("-i", url);
        String again = curl("-i", url);
        String part = curl("-i", "-H", "Range: bytes=99999-", url);
        String known = curl("-i", "-H", "If-None-Match: \"1\"", url);

        assertThat(first).contains("HTTP/2 200", "fwd=miss; stored").endsWith("x1");
        assertThat(again).contains("HTTP/2 200", "hit; ttl=").endsWith("x1");
        assertThat(part)
                .contains("HTTP/2 206", "content-range: bytes 99999-100000/100001")
                .endsWith("x1");
        assertThat(known).contains("HTTP/2 304");
        assertThat(upstream.asked()).isEqualTo(1);
    }

    private static String curl(String... arguments) throws Exception {
        boolean installed = Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "curl")));
        assumeTrue(installed, "curl is not installed");
        var command = new ArrayList<>(List.of("curl", "-sS", "--http2-prior-knowledge"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }
}
