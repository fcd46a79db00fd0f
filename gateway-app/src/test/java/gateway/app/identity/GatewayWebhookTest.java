package gateway.app.identity;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.json.Json;
import gateway.wire.http1.RawClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Webhooks over sockets, signed by `standardwebhooks` of PyPI and as GitHub does.
@Timeout(300)
final class GatewayWebhookTest {
    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final String OTHER = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

    @TempDir
    private Path data;

    @Test
    void webhooks_signed_by_standardwebhooks_pass_when_they_are_good_and_only_then() throws Exception {
        Path python = ForeignTools.python("standardwebhooks==1.1.0");
        Path program = ForeignTools.program("sign_webhooks.py", python.getParent());
        Process process = new ProcessBuilder(python.toString(), program.toString(), SECRET, OTHER)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<JsonNode> webhooks = new String(process.getInputStream().readAllBytes(), UTF_8)
                .lines()
                .map(Json::parse)
                .toList();
        assertThat(process.waitFor()).isZero();
        var good = new ArrayList<String>();
        String policy = """
                {"type": "webhook-verify", "secrets": [{"env": "GATEWAY_SECRET_HOOK"}], "once": true}""";
        try (var gateway = GuardedGateway.start(data, policy, Map.of("GATEWAY_SECRET_HOOK", SECRET))) {
            for (JsonNode each : webhooks) {
                String body = each.get("body").stringValue();
                boolean passes = each.get("good").booleanValue();
                if (passes) good.add(body);

                String answer = RawClient.exchange(gateway.port(), request(each.get("headers"), body));

                assertThat(answer).as(each.toString()).startsWith(passes ? "HTTP/1.1 200 " : "HTTP/1.1 401 ");
            }
            assertThat(gateway.bodies()).isEqualTo(good);
            assertThat(webhooks).hasSize(8);
        }
    }

    @Test
    void a_larger_body_is_held_only_where_it_is_known_who_calls() throws Exception {
        String policy = """
                {"type": "webhook-verify", "form": "github", "secrets": [{"env": "GATEWAY_SECRET_HOOK"}]}""";
        try (var gateway = GuardedGateway.start(data, policy, Map.of("GATEWAY_SECRET_HOOK", SECRET))) {
            JsonNode fields = Json.parse("{\"X-Hub-Signature-256\": \"sha256=%s\"}".formatted("00".repeat(32)));

            assertThat(RawClient.exchange(gateway.port(), request(fields, "x".repeat(70_000))))
                    .startsWith("HTTP/1.1 413 ");
            assertThat(RawClient.exchange(gateway.port(), request(fields, "x"))).startsWith("HTTP/1.1 401 ");
            assertThat(gateway.bodies()).isEmpty();
        }
    }

    private static String request(JsonNode fields, String body) {
        byte[] octets = body.getBytes(UTF_8);
        var text = new StringBuilder("POST /hooks HTTP/1.1\r\nHost: a\r\nConnection: close\r\n");
        for (String name : fields.propertyNames()) {
            text.append(name)
                    .append(": ")
                    .append(fields.get(name).stringValue())
                    .append("\r\n");
        }
        text.append("Content-Length: ").append(octets.length).append("\r\n\r\n");
        return text.append(new String(octets, ISO_8859_1)).toString();
    }
}
