package gateway.app;

import static gateway.http.Gzip.gzip;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import gateway.json.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Bodies in the traffic log of a whole process, in front of an upstream that gives back what it gets.
final class TrafficBodiesTest {
    private static final String CAPTURE = """
            {"capture": {"request": {"body": "100B"}, "response": {"body": "100B"}},
            "mask": {"json": ["$.password"], "query": ["token"]}}""";
    private static final String JSON = "application/json";

    @TempDir
    private Path data;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private HttpServer upstream;
    private Gateway gateway;

    @BeforeEach
    void start_echo() throws IOException {
        upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        upstream.createContext("/", TrafficBodiesTest::echo);
        upstream.start();
    }

    /// In chunks where the request asks for `?chunked`, packed for `?gzip`.
    private static void echo(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            String query = String.valueOf(exchange.getRequestURI().getQuery());
            if (query.equals("gzip")) {
                body = gzip(body);
                exchange.getResponseHeaders().set("Content-Encoding", "gzip");
            }
            String type = exchange.getRequestHeaders().getFirst("Content-Type");
            if (type != null) exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(200, query.equals("chunked") ? 0 : body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @AfterEach
    void stop() {
        client.close();
        if (gateway != null) gateway.close();
        upstream.stop(0);
    }

    @Test
    void bodies_are_recorded_masked_and_pass_as_they_are() throws Exception {
        start(CAPTURE);

        String answer = text(post("/?chunked", JSON, text("{\"user\": \"bob\", \"password\": \"s3cret\"}")));

        assertThat(answer).isEqualTo("{\"user\": \"bob\", \"password\": \"s3cret\"}");
        JsonNode record = records(1).getFirst();
        String masked = "{\"user\":\"bob\",\"password\":\"***\"}";
        assertThat(record.at("/http/request/body/content").asString()).isEqualTo(masked);
        assertThat(record.at("/http/request/body/bytes").asInt()).isEqualTo(37);
        assertThat(record.at("/gateway/request/body_state").asString()).isEqualTo("whole");
        assertThat(record.at("/http/response/body/content").asString()).isEqualTo(masked);
        assertThat(record.at("/http/response/body/bytes").asInt()).isEqualTo(37);
        assertThat(record.at("/gateway/response/body_state").asString()).isEqualTo("whole");
        assertThat(record.toString()).doesNotContain("s3cret");
    }

    @Test
    void chunked_bodies_are_counted_and_captured_without_their_framing() throws Exception {
        start(CAPTURE);
        byte[] body = "{\"password\": \"s3cret\", \"a\": [1, 2]}".getBytes(StandardCharsets.UTF_8);

        post("/", JSON, BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body)));

        JsonNode record = records(1).getFirst();
        assertThat(record.at("/http/request/body/bytes").asInt()).isEqualTo(body.length);
        assertThat(record.at("/http/request/body/content").asString()).isEqualTo("{\"password\":\"***\",\"a\":[1,2]}");
        assertThat(record.at("/gateway/request/body_state").asString()).isEqualTo("whole");
    }

    @Test
    void chunked_bodies_are_counted_where_none_are_captured() throws Exception {
        start("true");
        byte[] body = new byte[300_000];

        post("/", JSON, BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body)));
        post("/", JSON, BodyPublishers.noBody());

        List<JsonNode> records = records(2);
        assertThat(records.getFirst().at("/http/request/body/bytes").asInt()).isEqualTo(300_000);
        assertThat(records.getLast().at("/http/request/body/bytes").asInt()).isZero();
        assertThat(records.toString()).doesNotContain("content", "body_state");
    }

    @Test
    void of_a_large_body_the_beginning_is_recorded_and_all_of_it_passes() throws Exception {
        start(CAPTURE);
        byte[] body = new byte[4 << 20];
        new Random(7).nextBytes(body);
        byte[] head = ("{\"password\": \"" + "s3cret".repeat(100)).getBytes(StandardCharsets.UTF_8);
        System.arraycopy(head, 0, body, 0, head.length);

        byte[] answer = post("/?chunked", JSON, BodyPublishers.ofByteArray(body));

        assertThat(Arrays.equals(answer, body)).isTrue();
        JsonNode record = records(1).getFirst();
        for (String message : List.of("request", "response")) {
            assertThat(record.at("/http/" + message + "/body/bytes").asInt()).isEqualTo(4 << 20);
            assertThat(record.at("/http/" + message + "/body/content").asString())
                    .isEqualTo("{\"password\":\"***\"");
            assertThat(record.at("/gateway/" + message + "/body_state").asString())
                    .isEqualTo("truncated");
        }
        assertThat(record.toString()).doesNotContain("s3cret");
    }

    @Test
    void what_is_packed_or_no_text_or_not_to_be_masked_is_left_out_and_says_so() throws Exception {
        start(CAPTURE);

        post("/?gzip", JSON, text("{\"a\": 1}"));
        post("/", "image/png", text("\u0089PNG"));
        post("/", "text/plain", text("the password is s3cret"));

        List<JsonNode> records = records(3);
        assertThat(records.stream()
                        .map(record -> record.at("/gateway/response/body_state").asString()))
                .containsExactly("encoded", "binary", "unmaskable");
        assertThat(records.stream()
                        .map(record -> record.at("/http/response/body/content").isMissingNode()))
                .containsExactly(true, true, true);
        assertThat(records.toString()).doesNotContain("s3cret", "PNG");
    }

    @Test
    void forms_are_masked_like_queries() throws Exception {
        start(CAPTURE);

        post("/", "application/x-www-form-urlencoded", text("a=1&token=s3cret&tok%65n=s3cret"));

        assertThat(records(1).getFirst().at("/http/request/body/content").asString())
                .isEqualTo("a=1&token=***&tok%65n=***");
    }

    @Test
    void of_an_upload_that_breaks_off_what_came_is_recorded() throws Exception {
        start(CAPTURE);
        try (var socket =
                new Socket(gateway.address().getAddress(), gateway.address().getPort())) {
            socket.getOutputStream().write("""
                    POST /echo HTTP/1.1\r
                    Host: h\r
                    Content-Type: application/json\r
                    Transfer-Encoding: chunked\r
                    \r
                    1f\r
                    {"a":1,"password":"s3cret-and-m\r
                    """.getBytes(StandardCharsets.US_ASCII));
        }

        JsonNode record = records(1).getFirst();
        assertThat(record.at("/gateway/outcome").asString()).isEqualTo("client-gone");
        assertThat(record.at("/http/request/body/bytes").asInt()).isEqualTo(31);
        assertThat(record.at("/http/request/body/content").asString()).isEqualTo("{\"a\":1,\"password\":\"***\"");
        assertThat(record.at("/gateway/request/body_state").asString()).isEqualTo("truncated");
    }

    @Test
    void only_requests_of_the_sample_are_captured() throws Exception {
        start("{\"sample\": 0, \"capture\": {\"request\": {\"body\": 10}}}");

        post("/", JSON, text("{\"a\": 1}"));
        gateway.close();

        assertThat(data.resolve("traffic.ndjson")).isEmptyFile();
    }

    private void start(String trafficLog) throws IOException {
        Path file = Files.createDirectories(data.resolve("apis")).resolve("echo.json");
        Files.writeString(file, """
                {"id": "echo", "name": "echo", "match": {"path": "/echo"}, "stripPath": true,
                "upstream": {"targets": [{"url": "http://127.0.0.1:%d"}]}, "trafficLog": %s}
                """.formatted(upstream.getAddress().getPort(), trafficLog));
        gateway = Gateway.start(Settings.read(
                Optional.empty(),
                Map.of(
                        "GATEWAY_LISTEN", "127.0.0.1:0",
                        "GATEWAY_ADMIN_LISTEN", "127.0.0.1:0",
                        "GATEWAY_DATA", data.toString(),
                        "GATEWAY_TRAFFIC_LOG", "file",
                        "GATEWAY_TRAFFIC_LOG_FLUSH", "10ms")));
    }

    private byte[] post(String path, String type, BodyPublisher body) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + gateway.address().getPort() + "/echo" + path))
                .header("Content-Type", type)
                .POST(body)
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofByteArray()).body();
    }

    private static BodyPublisher text(String text) {
        return BodyPublishers.ofString(text);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /// A record is made once the exchange is over, which may be after the client has its answer.
    private List<JsonNode> records(int count) throws IOException {
        long deadline = System.nanoTime() + 20_000_000_000L;
        Path file = data.resolve("traffic.ndjson");
        List<String> lines = Files.readAllLines(file);
        while (lines.size() < count && System.nanoTime() < deadline) {
            LockSupport.parkNanos(5_000_000);
            lines = Files.readAllLines(file);
        }
        assertThat(lines).hasSize(count);
        return lines.stream().map(Json::parse).toList();
    }
}
