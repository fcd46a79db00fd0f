package gateway.app;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import gateway.config.PolicyPage;
import gateway.json.ConfigNode;
import gateway.json.Json;
import gateway.policy.PolicyType;
import gateway.service.SecretReference.Origin;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// A whole gateway with every policy of this project in an API of its own: what requests take of memory, places and
/// workers is given back, however they end.
@Timeout(180)
final class PolicyMemoryTest {
    private static final Path PAGES = Path.of("../docs/policies");
    private static final String SECRET = "hush-a-secret-as-long-as-any-key-has-to-be-here-and-longer-still";
    private static final String CONTENT = "{\"a\": \"" + "x".repeat(100_000) + "\"}";
    private static final int ROUNDS = 3;

    /// What one IO thread keeps at hand.
    private static final double AT_HAND = 64 * 1024;

    @TempDir
    private Path data;

    private HttpServer upstream;

    @BeforeEach
    void start() throws IOException {
        upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        upstream.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        upstream.createContext("/", exchange -> {
            try (exchange) {
                exchange.getRequestBody().readAllBytes();
                byte[] content = CONTENT.getBytes(StandardCharsets.UTF_8);
                exchange.getResponseHeaders().set("Content-Type", "application/json");
                exchange.sendResponseHeaders(200, content.length);
                exchange.getResponseBody().write(content);
            }
        });
        upstream.start();
    }

    @AfterEach
    void stop() {
        upstream.stop(0);
    }

    @Test
    void whatever_policies_it_met_a_request_gives_all_back_answered_or_left() throws Exception {
        List<PolicyType> types = ServiceLoader.load(PolicyType.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(type -> type.getClass().getName().startsWith("gateway.policies."))
                .toList();
        assertThat(types).hasSizeGreaterThan(20);
        try (DefinedGateway gateway = DefinedGateway.start(data, Map.of("GATEWAY_IO_THREADS", "1"))) {
            for (PolicyType type : types) define(gateway, type);

            for (int round = 0; round < ROUNDS; round++) {
                for (PolicyType type : types) {
                    String path = '/' + type.name();
                    answered(gateway, path);
                    left(gateway, post(path) + CONTENT.substring(0, 50_000));
                    left(gateway, post(path) + CONTENT);
                    left(gateway, "GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n");
                }
            }

            for (String none : List.of(
                    "gateway_requests_in_flight", "gateway_requests_awaiting_clients", "gateway_workers_running")) {
                until(() -> metric(gateway, none) == 0);
            }
            for (String kind : List.of("bodies", "heads", "frames")) {
                until(() -> metric(gateway, "gateway_memory_held{kind=\"" + kind + "\"}") <= AT_HAND);
            }
        }
    }

    private void define(DefinedGateway gateway, PolicyType type) throws Exception {
        var page = PolicyPage.of(PAGES, type);
        JsonNode example = Json.parse(page.example());
        storeSecrets(gateway, example);
        for (Map.Entry<String, String> each : page.resources().entrySet()) {
            HttpResponse<String> stored =
                    gateway.admin().send("PUT", "/admin/v1/resources/" + each.getKey(), each.getValue());
            assertThat(stored.statusCode()).as(stored.body()).isLessThan(300);
        }
        gateway.define(type.name(), example.toString(), upstream.getAddress());
    }

    private static void storeSecrets(DefinedGateway gateway, JsonNode node) throws Exception {
        JsonNode name = node.path(ConfigNode.word(Origin.SECRET));
        if (node.size() == 1 && name.isString()) {
            gateway.admin().call("PUT", "/secrets/" + name.stringValue(), "{\"value\": \"" + SECRET + "\"}");
        }
        for (JsonNode each : node.values()) storeSecrets(gateway, each);
    }

    private static String post(String path) {
        return "POST " + path + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\n"
                + "Content-Length: " + CONTENT.length() + "\r\n\r\n";
    }

    private static void answered(DefinedGateway gateway, String path) throws IOException {
        try (Socket socket = socket(gateway)) {
            socket.getOutputStream().write((post(path) + CONTENT).getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            assertThat(answer).as(path).startsWith("HTTP/1.1 ").doesNotStartWith("HTTP/1.1 500");
        }
    }

    /// Sends it and resets the connection, as who is killed does.
    private static void left(DefinedGateway gateway, String text) throws IOException {
        try (Socket socket = socket(gateway)) {
            socket.setSoLinger(true, 0);
            socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        }
    }

    private static Socket socket(DefinedGateway gateway) throws IOException {
        return new Socket(gateway.address().getAddress(), gateway.address().getPort());
    }

    private static double metric(DefinedGateway gateway, String name) throws Exception {
        return gateway.admin()
                .get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith(name + ' '))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .findFirst()
                .orElseThrow();
    }
}
