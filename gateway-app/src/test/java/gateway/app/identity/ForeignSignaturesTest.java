package gateway.app.identity;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.json.Json;
import gateway.wire.http1.RawClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Requests that programs of other makers have signed: `http-message-signatures` after RFC 9421, `httpsig` after the
/// draft, and as Tyk's clients do.
@Timeout(400)
final class ForeignSignaturesTest {
    private static final String SECRET = "0123456789abcdef".repeat(4);
    private static final String HOST = "api.example.com";
    private static final List<String> IDS =
            List.of("httpsig-hmac-sha256", "httpsig-hmac-sha512", "tyk-hmac-sha256", "tyk-hmac-sha1");

    @TempDir
    private Path data;

    @Test
    void requests_signed_by_http_message_signatures_pass_when_they_are_good_and_only_then() throws Exception {
        List<String> lines = lines("http-message-signatures==3.0.0", "sign_requests.py", "http://" + HOST);
        JsonNode keys = Json.parse(lines.getFirst());
        String signers = keys.propertyNames().stream()
                .map(name -> "{\"id\": \"%s\", \"algorithm\": \"%s\", \"pem\": %s}"
                        .formatted(name, name, Json.compact(keys.get(name))))
                .collect(Collectors.joining(", "));
        String policy = """
                {"type": "http-signature", "once": true, "maxAge": "5m", "keys": [%s,
                  {"id": "hmac-sha256", "algorithm": "hmac-sha256", "secret": {"env": "GATEWAY_SECRET_SHARED"}}]}""".formatted(signers);
        try (var gateway = GuardedGateway.start(data, policy, Map.of("GATEWAY_SECRET_SHARED", SECRET))) {
            assertAnswered(gateway, lines.subList(1, lines.size()));
            assertThat(lines).hasSize(1 + 6 * 12);
        }
    }

    @Test
    void requests_signed_by_httpsig_and_as_for_tyk_pass_when_they_are_good_and_only_then() throws Exception {
        List<String> lines = lines("httpsig==1.3.0", "sign_draft.py", HOST);
        String signers = IDS.stream()
                .map(name -> "{\"id\": \"%s\", \"algorithm\": \"%s\", \"secret\": {\"env\": \"GATEWAY_SECRET_SHARED\"}}"
                        .formatted(name, name.substring(name.indexOf('-') + 1)))
                .collect(Collectors.joining(", "));
        String policy = """
                {"type": "http-signature", "profile": "draft", "cover": ["date"], "dateHeader": "x-aux-date",
                 "keys": [%s]}""".formatted(signers);
        try (var gateway = GuardedGateway.start(data, policy, Map.of("GATEWAY_SECRET_SHARED", SECRET))) {
            assertAnswered(gateway, lines);
            assertThat(lines).hasSize(16);
        }
    }

    @Test
    void clients_of_tyk_go_on_as_api_keys_by_their_ids() throws Exception {
        List<String> lines = lines("httpsig==1.3.0", "sign_draft.py", HOST);
        String policy = """
                {"type": "http-signature", "profile": "draft", "keysOf": "consumers", "cover": ["date"],
                 "dateHeader": "x-aux-date"}""";
        try (var gateway = GuardedGateway.start(data, policy, Map.of())) {
            for (String id : IDS) {
                gateway.admin().call("POST", "/keys", """
                        {"id": "%s", "apis": {"orders": {}}, "credentials": [{"algorithm": "%s", "secret": "%s"}]}""".formatted(id, id.substring(id.indexOf('-') + 1), SECRET));
            }
            assertAnswered(gateway, lines);
        }
    }

    private static void assertAnswered(GuardedGateway gateway, List<String> lines) throws IOException {
        int good = 0;
        for (String line : lines) {
            JsonNode request = Json.parse(line);
            boolean passes = request.get("good").booleanValue();
            if (passes) good++;

            String answer = RawClient.exchange(gateway.port(), text(request));

            assertThat(answer).as(line).startsWith(passes ? "HTTP/1.1 200 " : "HTTP/1.1 401 ");
        }
        assertThat(gateway.arrived()).hasSize(good);
    }

    /// As HTTP/1.1 writes it.
    private static String text(JsonNode request) {
        String body = request.get("body").stringValue();
        var text = new StringBuilder(request.get("method").stringValue())
                .append(' ')
                .append(request.get("target").stringValue())
                .append(" HTTP/1.1\r\nHost: " + HOST + "\r\nConnection: close\r\n");
        if (!body.isEmpty())
            text.append("Content-Length: ").append(body.length()).append("\r\n");
        JsonNode headers = request.get("headers");
        for (String name : headers.propertyNames()) {
            text.append(name)
                    .append(": ")
                    .append(headers.get(name).stringValue())
                    .append("\r\n");
        }
        return text.append("\r\n").append(body).toString();
    }

    private static List<String> lines(String tool, String program, String target) throws Exception {
        Path python = ForeignTools.python(tool);
        Path file = ForeignTools.program(program, python.getParent());
        Process process = new ProcessBuilder(python.toString(), file.toString(), target, SECRET)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<String> lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
        assertThat(process.waitFor()).isZero();
        return lines;
    }
}
