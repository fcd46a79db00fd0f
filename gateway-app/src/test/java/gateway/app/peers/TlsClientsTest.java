package gateway.app.peers;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.wire.tls.TestAuthority;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Clients of the TLS listener that others wrote: curl, openssl, nghttp and h2load.
@Timeout(120)
final class TlsClientsTest {
    private static final TestAuthority AUTHORITY = new TestAuthority();
    private static Peers peers;
    private static PeerGateway gateway;
    private static String authority;

    @BeforeAll
    static void start(@TempDir Path root) {
        peers = new Peers(root);
        Path folder = peers.folder();
        authority = AUTHORITY.write(folder.resolve("ca.pem")).toString();
        Path own = AUTHORITY.issue("localhost", "localhost").write(folder.resolve("own.pem"));
        String upstream = """
            {"targets": [{"url": "http://%s"}], "connectTimeout": "30s"}""".formatted(peers.node().place());
        var settings = Map.of(
                "GATEWAY_TLS_LISTEN", "127.0.0.1:0",
                "GATEWAY_TLS_CERTIFICATES", own.toString(),
                "GATEWAY_REQUESTS_IN_FLIGHT", "2000"); // h2load has 1,000 under way at once
        gateway = peers.add(PeerGateway.start(peers.folder(), settings, upstream));
    }

    @AfterAll
    static void stop() {
        peers.close();
    }

    private static String url(String path) {
        return "https://localhost:" + gateway.securePort() + path;
    }

    private static String run(String input, String... command) {
        ProgramEnd end = ProgramEnd.of(input, command);
        assertThat(end.status()).as(end.output()).isZero();
        return end.output();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"--http1.1 --tlsv1.3", "--http1.1 --tls-max 1.2", "--http2 --tlsv1.3", "--http2 --tls-max 1.2"})
    void curl_is_served_by_each_version_of_tls_and_http(String how) {
        String[] options = how.split(" ", -1);
        String[] command = Stream.of(
                        Stream.of("curl", "-sS", "-i", "--cacert", authority),
                        Arrays.stream(options),
                        Stream.of(url("/"), url("/bytes?count=0")))
                .flatMap(part -> part)
                .toArray(String[]::new);

        assertThat(run("", command))
                .startsWith(how.contains("http2") ? "HTTP/2 200" : "HTTP/1.1 200")
                .contains("hello");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-tls1_3", "-tls1_2"})
    void openssl_verifies_the_certificate_and_is_served(String version) {
        String output = run(
                "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                "openssl",
                "s_client",
                "-connect",
                "127.0.0.1:" + gateway.securePort(),
                "-servername",
                "localhost",
                "-verify_hostname",
                "localhost",
                "-verify_return_error",
                "-CAfile",
                authority,
                "-alpn",
                "http/1.1",
                "-ign_eof",
                version);

        assertThat(output).contains("Verify return code: 0 (ok)", "ALPN protocol: http/1.1", "HTTP/1.1 200", "hello");
    }

    @Test
    void nghttp_uploads_and_is_served_over_tls() throws Exception {
        Path file = peers.folder().resolve("body");
        java.nio.file.Files.write(file, new byte[1_000_000]);
        String output = run("", "nghttp", "-v", "-d", file.toString(), url("/digest"));

        assertThat(output).contains(":status: 200", "d29751f2649b32ff572b5e0a9f541ea660a50f94ff0beedfb0b692b924cc8025");
    }

    @Test
    void h2load_has_all_of_ten_thousand_requests_answered() {
        String output = run("", "h2load", "-n", "10000", "-c", "10", "-m", "100", url("/"));

        assertThat(output).contains("10000 succeeded, 0 failed, 0 errored, 0 timeout");
    }
}
