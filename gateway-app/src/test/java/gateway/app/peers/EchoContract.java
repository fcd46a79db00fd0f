package gateway.app.peers;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.app.proxy.Http;
import gateway.app.proxy.RawConnection;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What a client sees of an [PeerEchoServer], whatever stands between the two; the gateway always does.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
abstract class EchoContract {
    static final int LARGE = 10_000_000;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private Peers peers;
    private URI entry;

    /// Starts what stands between, the echo server last.
    ///
    /// @return where the client calls
    abstract String chain(Peers with);

    /// Answers that break off and that what stands between passes on as such.
    List<String> breaks() {
        return List.of("/broken", "/broken-chunks");
    }

    @BeforeAll
    void start(@TempDir Path root) {
        peers = new Peers(root);
        entry = URI.create(chain(peers));
    }

    @AfterAll
    void stop() {
        client.shutdownNow();
        peers.close();
    }

    RawConnection raw() throws IOException {
        return RawConnection.to(new InetSocketAddress(entry.getHost(), entry.getPort()));
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(entry.resolve(path)).timeout(Duration.ofSeconds(60));
    }

    HttpResponse<byte[]> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), BodyHandlers.ofByteArray());
    }

    private String get(String path) throws IOException, InterruptedException {
        return new String(send(request(path)).body(), US_ASCII);
    }

    static byte[] pattern(int count) {
        byte[] content = new byte[count];
        for (int i = 0; i < count; i++) content[i] = (byte) (i % 251);
        return content;
    }

    static String digest(byte[] content) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    }

    /// Its length is not known ahead, so that it goes in chunks.
    static BodyPublisher chunked(byte[] content) {
        return BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(content));
    }

    @Test
    void many_requests_over_kept_connections_are_answered() throws Exception {
        for (int i = 0; i < 200; i++) assertThat(get("/")).isEqualTo("hello");
    }

    @Test
    void a_connection_that_the_client_ends_is_answered_and_closed() throws IOException {
        for (int i = 0; i < 20; i++) {
            try (RawConnection once = raw()) {
                String answer = once.send("GET / HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n")
                        .readToEnd();
                assertThat(answer).startsWith("HTTP/1.1 200 ").endsWith("hello");
            }
        }
    }

    @Test
    void a_large_upload_with_a_length_arrives_whole() throws Exception {
        var answer = send(request("/digest").POST(BodyPublishers.ofByteArray(pattern(LARGE))));

        assertThat(new String(answer.body(), US_ASCII)).isEqualTo(digest(pattern(LARGE)));
    }

    @Test
    void a_large_upload_in_chunks_arrives_whole() throws Exception {
        var answer = send(request("/digest").POST(chunked(pattern(LARGE))));

        assertThat(new String(answer.body(), US_ASCII)).isEqualTo(digest(pattern(LARGE)));
    }

    @Test
    void a_large_answer_with_a_length_arrives_whole() throws Exception {
        var answer = send(request("/bytes?count=" + LARGE));

        assertThat(digest(answer.body())).isEqualTo(digest(pattern(LARGE)));
    }

    @Test
    void a_large_answer_in_chunks_arrives_whole() throws Exception {
        var answer = send(request("/chunks?count=10040000"));

        assertThat(digest(answer.body())).isEqualTo(digest(pattern(10_040_000)));
    }

    @Test
    void answers_without_content_end_with_their_head() throws IOException {
        try (RawConnection kept = raw()) {
            String head = kept.send("HEAD /bytes?count=1234 HTTP/1.1\r\nHost: a.example\r\n\r\n")
                    .readHead();
            assertThat(Http.only(head, "Content-Length")).isEqualTo("1234");

            String none =
                    kept.send("GET /none HTTP/1.1\r\nHost: a.example\r\n\r\n").readHead();
            assertThat(none).startsWith("HTTP/1.1 204 ");
            assertThat(Http.all(none, "Content-Length")).isEmpty();
            assertThat(Http.all(none, "Transfer-Encoding")).isEmpty();

            String same = kept.send("GET /same HTTP/1.1\r\nHost: a.example\r\nIf-None-Match: \"a\"\r\n\r\n")
                    .readHead();
            assertThat(same).startsWith("HTTP/1.1 304 ");
            assertThat(Http.only(same, "ETag")).isEqualTo("\"a\"");

            assertThat(kept.send("GET / HTTP/1.1\r\nHost: a.example\r\n\r\n").readAnswer())
                    .endsWith("\r\n\r\nhello");
        }
    }

    @Test
    void packed_content_passes_as_it_is() throws Exception {
        var answer = send(request("/gzip").header("Accept-Encoding", "gzip"));

        assertThat(answer.headers().firstValue("Content-Encoding")).contains("gzip");
        assertThat(new GZIPInputStream(new ByteArrayInputStream(answer.body())).readAllBytes())
                .asString()
                .isEqualTo("packed ".repeat(1000));
    }

    @Test
    void an_event_arrives_before_the_next_one_is_sent() throws Exception {
        var answer = client.send(request("/events").build(), BodyHandlers.ofInputStream());
        try (var events = answer.body()) {
            assertThat(events.readNBytes(13)).asString().isEqualTo("data: first\n\n");
            assertThat(get("/release")).isEqualTo("released");
            assertThat(events.readAllBytes()).asString().isEqualTo("data: second\n\n");
        }
    }

    @Test
    void a_body_that_waits_to_be_asked_for_is_asked_for() throws Exception {
        try (RawConnection patient = raw()) {
            patient.send(
                    Http.head("POST /digest HTTP/1.1", "Host: a.example", "Content-Length: 5", "Expect: 100-continue"));

            assertThat(patient.readHead()).startsWith("HTTP/1.1 100 ");
            String head = patient.send("hello").readHead();
            while (head.startsWith("HTTP/1.1 100 ")) head = patient.readHead(); // Caddy asks for itself, too
            assertThat(patient.read(Http.contentLength(head))).isEqualTo(digest("hello".getBytes(US_ASCII)));
        }
    }

    @Test
    void an_answer_ahead_of_a_large_body_is_read() throws Exception {
        try (RawConnection eager = raw()) {
            eager.send("POST /early HTTP/1.1\r\nHost: a.example\r\nContent-Length: " + LARGE + "\r\n\r\n");
            Thread.ofVirtual().start(() -> {
                try {
                    eager.send(pattern(LARGE));
                } catch (IOException e) {
                    // closed meanwhile, as it may be
                }
            });

            assertThat(eager.readHead()).startsWith("HTTP/1.1 413 ");
        }
        assertThat(get("/")).isEqualTo("hello");
    }

    @Test
    void an_answer_that_breaks_off_does_not_look_whole() {
        for (String path : breaks())
            assertThatThrownBy(() -> send(request(path))).as(path).isInstanceOf(IOException.class);
    }

    @Test
    void a_connection_that_ends_without_an_answer_is_a_bad_gateway() throws Exception {
        assertThat(send(request("/gone").POST(BodyPublishers.ofString("x"))).statusCode())
                .isEqualTo(502);
        assertThat(get("/")).isEqualTo("hello");
    }
}
