package gateway.app.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import gateway.service.TrafficLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// HTTP/2 with clients that others wrote. One that is not installed is skipped.
final class Http2PeersTest {
    @RegisterExtension
    private static final RecordedHttp2 HTTP2 = RecordedHttp2.start();

    private static String run(String... command) throws Exception {
        return output(begin(command));
    }

    static Process begin(String... command) throws IOException {
        boolean installed = Arrays.stream(System.getenv("PATH").split(":", -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, command[0])));
        assumeTrue(installed, command[0] + " is not installed");
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    /// What the program prints, on either output, until it ends well.
    static String output(Process process) throws Exception {
        try {
            String output = new String(process.getInputStream().readAllBytes(), UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(output).isZero();
            return output;
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void curl_with_prior_knowledge_is_served() throws Exception {
        String output = run("curl", "-sS", "-i", "--http2-prior-knowledge", "-d", "a=b", HTTP2.gateway.plainUrl("/x"));

        assertThat(output).startsWith("HTTP/2 200").endsWith("served POST /x HTTP/1.1");
        assertThat(HTTP2.upstream.requests.getFirst().body()).isEqualTo("a=b");
    }

    @Test
    void curl_uploads_a_file_over_tls() throws Exception {
        Path file = Files.createTempFile("upload", "");
        String authority = HTTP2.gateway.certificateAuthority().toString();
        try {
            Files.write(file, new byte[3_000_000]);
            String output = run(
                    "curl",
                    "-sS",
                    "-i",
                    "--http2",
                    "--cacert",
                    authority,
                    "-T",
                    file.toString(),
                    HTTP2.gateway.url("/up"));

            assertThat(output).contains("HTTP/2 200").endsWith("served PUT /up HTTP/1.1");
            assertThat(HTTP2.upstream.requests.getFirst().body()).hasSize(3_000_000);
        } finally {
            Files.delete(file);
        }
    }

    @Test
    void curl_that_asks_to_upgrade_is_served_as_http_1() throws Exception {
        assertThat(run("curl", "-sS", "-i", "--http2", HTTP2.gateway.plainUrl("/x")))
                .startsWith("HTTP/1.1 200");
    }

    @Test
    void nghttp_is_served_several_resources_at_once() throws Exception {
        String output = run(
                "nghttp",
                "-nv",
                HTTP2.gateway.plainUrl("/a"),
                HTTP2.gateway.plainUrl("/b"),
                HTTP2.gateway.plainUrl("/c"));

        assertThat(output).contains(":status: 200").doesNotContain("RST_STREAM", "error_code=PROTOCOL_ERROR");
        assertThat(HTTP2.upstream.requests).hasSize(3);
    }

    @Test
    void h2load_has_every_request_of_many_answered() throws Exception {
        String output = run("h2load", "-n", "5000", "-c", "8", "-m", "32", HTTP2.gateway.plainUrl("/x"));

        assertThat(output).contains("5000 succeeded, 0 failed, 0 errored, 0 timeout");
        assertThat(HTTP2.upstream.requests).hasSize(5000);
    }

    @Test
    void records_say_which_http_the_client_speaks() throws Exception {
        List<String> versions = new CopyOnWriteArrayList<>();
        TrafficLog log = record -> versions.add(record.request().httpVersion());
        try (Http2Gateway telling = Http2Gateway.telling(log, HTTP2.upstream.url());
                Http2Wire http2 = telling.wire();
                RawConnection http1 = telling.plain();
                RawConnection old = telling.plain()) {
            http2.get(1, "/%00").answer(1); // no route, so recorded whatever the API says
            http1.send("GET /%00 HTTP/1.1\r\nHost: a\r\n\r\n").readToEnd();
            old.send("GET /%00 HTTP/1.0\r\n\r\n").readToEnd();
        }

        assertThat(versions).containsExactlyInAnyOrder("2", "1.1", "1.0");
    }
}
