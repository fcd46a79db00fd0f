package gateway.app.identity;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import gateway.app.AdminClient;
import gateway.app.Gateway;
import gateway.app.Settings;
import gateway.json.Json;
import gateway.wire.http1.RawClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/// Requests that a whole gateway signs, as `http-message-signatures` verifies them.
@Timeout(400)
final class ForeignVerifierTest {
    private static final String SECRET = "a secret of more than thirty-two characters";
    private static final List<String> TARGETS = List.of("/", "/items/7", "/a%20b/%C3%BC?x=1&y=%7e", "/q?", "/c/d/?");

    @TempDir
    private Path data;

    private final List<ObjectNode> sent = new CopyOnWriteArrayList<>();
    private HttpServer upstream;
    private Gateway gateway;
    private AdminClient admin;

    @BeforeEach
    void start() throws Exception {
        upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        upstream.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        upstream.createContext("/", exchange -> {
            try (exchange) {
                var seen = Json.mapper()
                        .createObjectNode()
                        .put("method", exchange.getRequestMethod())
                        .put("url", "http://" + host() + exchange.getRequestURI())
                        .put("body", new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
                ObjectNode headers = seen.putObject("headers");
                exchange.getRequestHeaders().forEach((name, values) -> headers.put(name, String.join(", ", values)));
                sent.add(seen);
                exchange.sendResponseHeaders(200, -1);
            }
        });
        upstream.start();
        gateway = Gateway.start(Settings.read(
                Optional.empty(),
                Map.of(
                        "GATEWAY_LISTEN", "127.0.0.1:0",
                        "GATEWAY_ADMIN_LISTEN", "127.0.0.1:0",
                        "GATEWAY_DATA", data.toString())));
        admin = AdminClient.of(
                URI.create("http://127.0.0.1:" + gateway.adminAddress().getPort()),
                gateway.adminToken().reveal());
    }

    @AfterEach
    void stop() {
        admin.close();
        gateway.close();
        upstream.stop(0);
    }

    @Test
    void a_verifier_of_another_maker_takes_what_the_gateway_signs_and_nothing_that_was_changed() throws Exception {
        Path python = ForeignTools.python("http-message-signatures==3.0.0");
        KeyPair ed25519 = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        ask("ed25519", pem(ed25519), publicPem(ed25519));
        KeyPairGenerator curve = KeyPairGenerator.getInstance("EC");
        curve.initialize(new ECGenParameterSpec("secp256r1"));
        KeyPair p256 = curve.generateKeyPair();
        ask("ecdsa-p256-sha256", pem(p256), publicPem(p256));
        KeyPair rsa = KeyPairGenerator.getInstance("RSA").generateKeyPair();
        ask("rsa-v1_5-sha256", pem(rsa), publicPem(rsa));
        ask("hmac-sha256", SECRET, SECRET);
        assertThat(sent).hasSize(4 * 2 * TARGETS.size());
        List<ObjectNode> changed = sent.stream().map(ObjectNode::deepCopy).toList();
        for (int i = 0; i < changed.size(); i++) change(changed.get(i), i % 3);

        List<String> good = verified(python, sent);
        List<String> bad = verified(python, changed);

        String covered = "\"@method\" \"@authority\" \"@path\" \"@query\" \"content-digest\"";
        assertThat(good).allSatisfy(each -> assertThat(each).startsWith("verified: " + covered));
        assertThat(good).filteredOn(each -> each.contains("\"x-part\"")).hasSize(4 * TARGETS.size());
        assertThat(bad).allSatisfy(each -> assertThat(each).startsWith("refused: "));
    }

    private static void change(ObjectNode request, int how) {
        switch (how) {
            case 0 -> request.put("method", "PUT");
            case 1 -> request.put("body", request.get("body").stringValue() + "!");
            default -> request.put("url", request.get("url").stringValue() + "x");
        }
    }

    private void ask(String algorithm, String key, String verifier) throws Exception {
        String value = Json.compact(Json.mapper().createObjectNode().put("value", key));
        admin.call("PUT", "/secrets/" + algorithm.replace('_', '-'), value);
        admin.call("PUT", "/apis/signed", """
                {"match": {"path": "/"}, "upstream": {"targets": [{"url": "http://%s"}]}, "policies": [
                 {"type": "upstream-auth", "signature": {"host": "%s", "algorithm": "%s", "keyId": "gateway",
                  "key": {"secret": "%s"}, "tag": "orders",
                  "cover": ["@method", "@authority", "@path", "@query", "content-digest", "x-part"]}}]}""".formatted(host(), host(), algorithm, algorithm.replace('_', '-')));
        int before = sent.size();
        for (String target : TARGETS) {
            send("GET " + target
                    + " HTTP/1.1\r\nHost: a\r\nSignature: mine=:AA==:\r\nSignature-Input: mine=()\r\n\r\n");
            send("POST " + target
                    + " HTTP/1.1\r\nHost: a\r\nX-Part:  one \r\nX-Part: two\r\nContent-Length: 4\r\n\r\nabcd");
        }
        for (ObjectNode each : sent.subList(before, sent.size()))
            each.put("algorithm", algorithm).put("key", verifier);
    }

    private void send(String request) throws IOException {
        try (var client = new RawClient(gateway.address().getPort())) {
            assertThat(client.send(request).readUntil("\r\n\r\n")).startsWith("HTTP/1.1 200 ");
        }
    }

    private String host() {
        return "127.0.0.1:" + upstream.getAddress().getPort();
    }

    private List<String> verified(Path python, List<ObjectNode> requests) throws Exception {
        Path program = ForeignTools.program("verify_requests.py", data);
        Process process = new ProcessBuilder(python.toString(), program.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        var said = new ArrayList<String>();
        try (var in = process.outputWriter(StandardCharsets.UTF_8);
                var out = process.inputReader(StandardCharsets.UTF_8)) {
            for (ObjectNode each : requests) {
                in.write(Json.compact(each) + "\n");
                in.flush();
                said.add(String.valueOf(out.readLine()));
            }
        }
        return said;
    }

    private static String pem(KeyPair pair) {
        return block("PRIVATE KEY", pair.getPrivate()) + publicPem(pair);
    }

    private static String publicPem(KeyPair pair) {
        return block("PUBLIC KEY", pair.getPublic());
    }

    private static String block(String label, Key key) {
        String content = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key.getEncoded());
        return "-----BEGIN " + label + "-----\n" + content + "\n-----END " + label + "-----\n";
    }
}
