package gateway.app.peers;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.KeepAliveLoad;
import gateway.app.proxy.Http;
import gateway.app.proxy.RawConnection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// nginx behind the gateway as a server of files: ranges, validators, packed content, refusals, reloads and crashes.
@Timeout(120)
final class NginxFilesTest {
    private static final int LARGE = 10_000_000;
    private static final String HTTP = """
        gzip on;
        gzip_proxied any;
        gzip_types text/plain;
        default_type text/plain;
        server {
            listen 127.0.0.1:{port};
            root {folder}/files;
            client_max_body_size 1k;
            location /small { return 200 small; }
            location /upload { proxy_pass http://127.0.0.1:1/; }
        }
        """;

    private static Peers peers;
    private static Nginx one;
    private static PeerGateway gateway;

    @BeforeAll
    static void start(@TempDir Path root) throws IOException {
        peers = new Peers(root);
        one = files();
        Nginx two = files();
        gateway = peers.add(PeerGateway.start(peers.folder(), Map.of(), """
            {"targets": [{"url": "http://%s"}, {"url": "http://%s"}], "ejection": {"failures": 1},
             "retry": {"attempts": 3, "on": ["unreachable", "broken"], "backoff": "0ms"}}""".formatted(one.place(), two.place())));
    }

    private static Nginx files() throws IOException {
        Path folder = peers.folder();
        Path files = Files.createDirectory(folder.resolve("files"));
        Files.writeString(files.resolve("large"), "0123456789".repeat(LARGE / 10));
        return peers.add(Nginx.start(folder, HTTP));
    }

    @AfterAll
    static void stop() {
        peers.close();
    }

    private static String head(RawConnection client, String... lines) throws IOException {
        return client.send(Http.head(lines)).readHead();
    }

    @Test
    void ranges_and_validators_work_through_the_gateway() throws IOException {
        try (RawConnection client = RawConnection.to(gateway.address())) {
            String whole = head(client, "HEAD /large HTTP/1.1", "Host: a");
            assertThat(Http.only(whole, "Content-Length")).isEqualTo("" + LARGE);

            String part = head(client, "GET /large HTTP/1.1", "Host: a", "Range: bytes=10-14");
            assertThat(part).startsWith("HTTP/1.1 206 ").contains("bytes 10-14/" + LARGE);
            assertThat(client.read(5)).isEqualTo("01234");

            String same = head(
                    client,
                    "GET /large HTTP/1.1",
                    "Host: a",
                    "If-Modified-Since: " + Http.only(whole, "Last-Modified"));
            assertThat(same).startsWith("HTTP/1.1 304 ");
            assertThat(client.send(Http.head("GET /small HTTP/1.1", "Host: a")).readAnswer())
                    .endsWith("small");
        }
    }

    @Test
    void packed_chunks_pass_as_they_are() throws IOException {
        try (RawConnection client = RawConnection.to(gateway.address())) {
            String packed = head(client, "GET /large HTTP/1.1", "Host: a", "Accept-Encoding: gzip");

            assertThat(packed).contains("Content-Encoding: gzip", "ETag: W/");
            var content = new java.io.ByteArrayInputStream(
                    client.readChunked().getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
            assertThat(new java.util.zip.GZIPInputStream(content).readAllBytes())
                    .hasSize(LARGE);
        }
    }

    @Test
    void a_body_that_is_too_large_for_it_is_refused_while_it_is_on_its_way() throws Exception {
        for (String framing : new String[] {"Content-Length: " + LARGE, "Transfer-Encoding: chunked"}) {
            var over = new CountDownLatch(1);
            try (RawConnection client = RawConnection.to(gateway.address())) {
                client.send(Http.head("POST /upload HTTP/1.1", "Host: a", framing));
                Thread.ofVirtual().start(() -> upload(client, over));

                assertThat(client.readHead()).as(framing).startsWith("HTTP/1.1 413 ");
            }
            over.await();
        }
    }

    /// In chunks of 100,000 octets; with a length their borders are content too.
    private static void upload(RawConnection client, CountDownLatch over) {
        try {
            for (int i = 0; i < LARGE / 100_000; i++) client.send("186A0\r\n" + "x".repeat(100_000) + "\r\n");
        } catch (IOException e) {
            // closed meanwhile, as it may be
        } finally {
            over.countDown();
        }
    }

    @Test
    void reloads_under_load_fail_no_request() {
        try (KeepAliveLoad load = KeepAliveLoad.start(gateway.address(), "/small", "none", 8)) {
            for (int i = 0; i < 5; i++) {
                one.reload();
                load.await(200);
            }

            assertThat(load.stop()).isEmpty();
        }
    }

    @Test
    void crashes_under_load_fail_no_request_that_may_be_repeated() {
        try (KeepAliveLoad load = KeepAliveLoad.start(gateway.address(), "/small", "none", 8)) {
            for (int i = 0; i < 3; i++) {
                load.await(100);
                one.kill();
                load.await(100);
                one.restart();
            }
            load.await(100);

            assertThat(load.stop()).isEmpty();
        }
    }
}
