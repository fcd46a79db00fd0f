package gateway.app;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// WebSockets of a whole gateway: who opens them, and the open ones while its definitions change and when it stops.
final class WebSocketGatewayTest {
    private static final String AGREED = String.join(
            "\r\n",
            "HTTP/1.1 101 Switching Protocols",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
            "",
            "");

    @TempDir
    private Path data;

    private ServerSocket upstream;

    @BeforeEach
    void listen() throws IOException {
        upstream = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        upstream.setSoTimeout(10_000);
    }

    @AfterEach
    void stop() throws IOException {
        upstream.close();
    }

    @Test
    void a_socket_needs_a_key_outlives_its_api_and_is_recorded_at_its_end() throws Exception {
        Gateway gateway = start(Map.of("GATEWAY_TRAFFIC_LOG", "file", "GATEWAY_DRAIN_TIMEOUT", "1s"));
        try (gateway;
                AdminClient admin = admin(gateway)) {
            admin.call("POST", "/apis", api("\"policies\": [{\"type\": \"key-auth\"}], "));
            String key = admin.issue("alice", "chat");

            try (Socket stranger = connect(gateway, "")) {
                assertThat(head(stranger)).startsWith("HTTP/1.1 401 ");
            }
            try (Socket client = connect(gateway, "Authorization: " + key + "\r\n");
                    Socket server = upstream.accept()) {
                head(server);
                say(server, AGREED);
                assertThat(head(client)).startsWith("HTTP/1.1 101 ");
                admin.call("PUT", "/apis/chat", api(""));
                assertThat(exchanged(client, server)).isTrue();
                admin.delete("/apis/chat");
                assertThat(exchanged(client, server)).isTrue();
                String metrics = admin.get("/metrics").body();
                assertThat(metrics).contains("gateway_websockets 1.0").contains("gateway_requests_in_flight 0.0");

                gateway.close();

                assertThat(client.getInputStream().read()).isEqualTo(-1);
                assertThat(server.getInputStream().read()).isEqualTo(-1);
            }
        }
        JsonNode record =
                Json.parse(Files.readAllLines(data.resolve("traffic.ndjson")).getLast());
        assertThat(record.at("/http/response/status_code").asInt()).isEqualTo(101);
        assertThat(record.at("/http/request/body/bytes").asInt()).isEqualTo(8);
        assertThat(record.at("/http/response/body/bytes").asInt()).isEqualTo(10);
        assertThat(record.at("/service/name").asString()).isEqualTo("chat");
        assertThat(record.at("/user/id").asString()).isEqualTo("alice");
        assertThat(record.at("/event/duration").asLong()).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(900));
    }

    @Test
    void an_api_that_takes_none_serves_handshakes_as_requests() throws Exception {
        try (Gateway gateway = start(Map.of());
                AdminClient admin = admin(gateway)) {
            admin.call("POST", "/apis", api("\"webSocket\": false, "));
            try (Socket client = connect(gateway, "");
                    Socket server = upstream.accept()) {
                assertThat(head(server)).doesNotContain("Upgrade");
                say(server, "HTTP/1.1 204 No Content\r\n\r\n");
                assertThat(head(client)).startsWith("HTTP/1.1 204 ").doesNotContain("close");
            }
        }
    }

    @Test
    void a_gateway_that_takes_none_serves_handshakes_as_requests() throws Exception {
        try (Gateway gateway = start(Map.of("GATEWAY_WEB_SOCKETS", "0"));
                AdminClient admin = admin(gateway)) {
            admin.call("POST", "/apis", api(""));
            try (Socket client = connect(gateway, "");
                    Socket server = upstream.accept()) {
                assertThat(head(server)).doesNotContain("Upgrade");
                say(server, "HTTP/1.1 204 No Content\r\n\r\n");
                assertThat(head(client)).startsWith("HTTP/1.1 204 ");
            }
        }
    }

    @Test
    void an_open_socket_keeps_its_place_in_the_bulkhead_of_its_upstream() throws Exception {
        try (Gateway gateway = start(Map.of());
                AdminClient admin = admin(gateway)) {
            admin.call(
                    "POST", "/apis", api("").replace("{\"targets\"", "{\"bulkhead\": {\"requests\": 1}, \"targets\""));
            try (Socket client = connect(gateway, "");
                    Socket server = upstream.accept()) {
                head(server);
                say(server, AGREED);
                assertThat(head(client)).startsWith("HTTP/1.1 101 ");

                try (Socket other = connect(gateway, "")) {
                    assertThat(head(other)).startsWith("HTTP/1.1 503 ");
                }
            }
            assertThat(agreedAgain(gateway)).isTrue();
        }
    }

    @Test
    void a_version_of_an_api_takes_sockets_too() throws Exception {
        try (Gateway gateway = start(Map.of());
                AdminClient admin = admin(gateway)) {
            admin.call(
                    "POST",
                    "/apis",
                    api(
                            "\"versions\": {\"in\": \"header\", \"name\": \"X-V\", \"default\": \"v1\", \"list\": [{\"name\": \"v1\"}]},"));

            assertThat(agreedAgain(gateway)).isTrue();
        }
    }

    @Test
    void no_page_of_another_site_opens_one_of_an_api_with_csrf() throws Exception {
        try (Gateway gateway = start(Map.of());
                AdminClient admin = admin(gateway)) {
            admin.call("POST", "/apis", api("\"policies\": [{\"type\": \"csrf\"}], "));
            try (Socket stranger = connect(gateway, "Origin: https://evil.example\r\n");
                    Socket unknown = connect(gateway, "");
                    Socket own = connect(gateway, "Origin: http://a\r\n")) {
                assertThat(head(stranger)).startsWith("HTTP/1.1 403 ");
                assertThat(head(unknown)).startsWith("HTTP/1.1 403 ");
                try (Socket server = upstream.accept()) {
                    assertThat(head(server)).contains("Origin: http://a");
                    say(server, AGREED);
                    assertThat(head(own)).startsWith("HTTP/1.1 101 ");
                }
            }
        }
    }

    /// Opens sockets until one is agreed to: an upstream learns of the end of the one before a little later.
    private boolean agreedAgain(Gateway gateway) throws IOException {
        for (int attempt = 0; attempt < 100; attempt++) {
            try (Socket client = connect(gateway, "");
                    Socket server = acceptSoon()) {
                if (server == null) continue;
                head(server);
                say(server, AGREED);
                return head(client).startsWith("HTTP/1.1 101 ") && exchanged(client, server);
            }
        }
        return false;
    }

    private @Nullable Socket acceptSoon() throws IOException {
        upstream.setSoTimeout(300);
        try {
            return upstream.accept();
        } catch (SocketTimeoutException e) {
            return null;
        }
    }

    private static boolean exchanged(Socket client, Socket server) throws IOException {
        say(client, "ping");
        say(server, "-pong");
        return new String(server.getInputStream().readNBytes(4), StandardCharsets.ISO_8859_1).equals("ping")
                && new String(client.getInputStream().readNBytes(5), StandardCharsets.ISO_8859_1).equals("-pong");
    }

    private static Socket connect(Gateway gateway, String credential) throws IOException {
        var socket =
                new Socket(InetAddress.getLoopbackAddress(), gateway.address().getPort());
        socket.setSoTimeout(10_000);
        say(
                socket,
                "GET /chat HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
                        + credential
                        + "\r\n");
        return socket;
    }

    private static void say(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static String head(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            assertThat(next).as("more, after: " + head).isNotNegative();
            head.append((char) next);
        }
        return head.toString();
    }

    private String api(String more) {
        return """
            {"id": "chat", "match": {"path": "/chat"}, %s
             "upstream": {"targets": [{"url": "http://127.0.0.1:%d"}]}}""".formatted(more, upstream.getLocalPort());
    }

    private static AdminClient admin(Gateway gateway) {
        return AdminClient.of(
                URI.create("http:/" + gateway.adminAddress()),
                gateway.adminToken().reveal());
    }

    private Gateway start(Map<String, String> settings) {
        var all = new HashMap<>(Map.of(
                "GATEWAY_LISTEN",
                "127.0.0.1:0",
                "GATEWAY_ADMIN_LISTEN",
                "127.0.0.1:0",
                "GATEWAY_TRAFFIC_LOG_FILE",
                data.resolve("traffic.ndjson").toString(),
                "GATEWAY_DATA",
                data.toString()));
        all.putAll(settings);
        return Gateway.start(Settings.read(Optional.empty(), all));
    }
}
