package gateway.app.identity;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.Headers;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
import tools.jackson.databind.JsonNode;

/// Requests that a whole gateway signs for AWS, byte by byte as `botocore` signs them.
@Timeout(400)
final class ForeignAwsTest {
    private static final String ID = "AKIDEXAMPLE12345";
    private static final String SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
    private static final List<String> TARGETS = List.of(
            "/", "/items/7", "/a%20b/%C3%BC?x=1", "/a/b/c/", "/a+b~c*d?b=2&a=1&a=0&empty=&bare&A=%2F", "/q?=&%20=x");

    private record Sent(String method, String path, String query, Headers fields, String body) {}

    @TempDir
    private Path data;

    private final List<Sent> sent = new CopyOnWriteArrayList<>();
    private HttpServer upstream;
    private Gateway gateway;
    private AdminClient admin;

    @BeforeEach
    void start() throws Exception {
        upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        upstream.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        upstream.createContext("/", exchange -> {
            try (exchange) {
                URI uri = exchange.getRequestURI();
                String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
                String query = uri.getRawQuery() == null ? "" : uri.getRawQuery();
                sent.add(new Sent(
                        exchange.getRequestMethod(), uri.getRawPath(), query, exchange.getRequestHeaders(), body));
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
        for (var each :
                Map.of("id", ID, "key", SECRET, "session", "session/token+1=").entrySet()) {
            admin.call("PUT", "/secrets/" + each.getKey(), "{\"value\": \"" + each.getValue() + "\"}");
        }
    }

    @AfterEach
    void stop() {
        admin.close();
        gateway.close();
        upstream.stop(0);
    }

    @Test
    void signs_as_botocore_does() throws Exception {
        Path python = ForeignTools.python("botocore==1.44.5");
        for (String service : List.of("execute-api", "s3")) {
            ask(service, "");
            ask(service, ", \"sessionToken\": {\"secret\": \"session\"}");
        }
        ask("s3", ", \"payload\": \"unsigned\"");

        List<String> signed = signedBy(python);

        assertThat(sent).hasSize(5 * 2 * TARGETS.size());
        assertThat(sent.stream()
                        .map(each -> each.fields().getFirst("Authorization"))
                        .toList())
                .isEqualTo(signed);
    }

    private void ask(String service, String more) throws Exception {
        admin.call("PUT", "/apis/aws", """
                {"match": {"path": "/"}, "upstream": {"targets": [{"url": "http://%s"}]}, "policies": [
                 {"type": "upstream-auth", "aws": {"host": "%s", "region": "eu-central-1", "service": "%s",
                  "accessKey": {"secret": "id"}, "secretKey": {"secret": "key"}%s}}]}""".formatted(host(), host(), service, more));
        for (String target : TARGETS) {
            int before = sent.size();
            send("GET " + target + " HTTP/1.1\r\nHost: a\r\nX-Amz-Date: 19700101T000000Z\r\n\r\n");
            send("POST " + target + " HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nabcd");
            if (sent.size() == before) throw new AssertionError(target + " did not arrive");
        }
    }

    private void send(String request) throws IOException {
        try (var client = new RawClient(gateway.address().getPort())) {
            assertThat(client.send(request).readUntil("\r\n\r\n")).startsWith("HTTP/1.1 200 ");
        }
    }

    private String host() {
        return "127.0.0.1:" + upstream.getAddress().getPort();
    }

    private List<String> signedBy(Path python) throws Exception {
        Path program = ForeignTools.program("sign_aws.py", data);
        Process process = new ProcessBuilder(python.toString(), program.toString())
                .redirectError(data.resolve("python.log").toFile())
                .start();
        var signed = new ArrayList<String>();
        try (var in = process.outputWriter(StandardCharsets.UTF_8);
                var out = process.inputReader(StandardCharsets.UTF_8)) {
            for (Sent each : sent) {
                in.write(Json.compact(asked(each)) + "\n");
                in.flush();
                String line = out.readLine();
                assertThat(line)
                        .as(Files.readString(data.resolve("python.log")))
                        .isNotNull();
                signed.add(Json.parse(line).get("authorization").stringValue());
            }
        }
        return signed;
    }

    private JsonNode asked(Sent each) {
        String scope = each.fields().getFirst("Authorization").split("[=,]", -1)[1];
        var asked = Json.mapper()
                .createObjectNode()
                .put("accessKey", ID)
                .put("secretKey", SECRET)
                .put("service", scope.split("/", -1)[3])
                .put("region", "eu-central-1")
                .put("host", host())
                .put("method", each.method())
                .put("path", each.path())
                .put("query", each.query())
                .put("body", each.body())
                .put("payload", each.fields().getFirst("X-Amz-Content-SHA256"))
                .put("time", each.fields().getFirst("X-Amz-Date"));
        String token = each.fields().getFirst("X-Amz-Security-Token");
        if (token != null) asked.put("token", token);
        return asked;
    }
}
