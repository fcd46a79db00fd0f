package gateway.app.message;

import static gateway.app.message.MessageGateway.status;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// The examples of RFC 7520, and those of the appendices of RFC 7515, 7516, 7519 and 8037, at a whole gateway: what
/// they hold arrives, or nothing where they are what is never taken.
@Timeout(120)
final class CookbookThroughGatewayTest {
    private static final Path EXAMPLES = Path.of("../gateway-policies/message/src/test/resources/jose");

    @TempDir
    private Path data;

    @ParameterizedTest
    @CsvSource({"rfc7520.json, 43, 33", "appendices.json, 16, 8"})
    void each_is_taken_for_what_it_says_or_refused(String file, int all, int good) throws Exception {
        List<JsonNode> examples = Json.parse(Files.readString(EXAMPLES.resolve(file))).values().stream()
                .toList();
        var policies = new ArrayList<String>();
        var environment = new HashMap<String, String>();
        for (int i = 0; i < examples.size(); i++) {
            JsonNode each = examples.get(i);
            environment.put("GATEWAY_SECRET_" + i, Json.compact(each.get("key")));
            String step = text(each, "kind").equals("jws") ? verifying(each, i) : decrypting(each, i);
            policies.add("{\"type\": \"jose\", \"request\": [%s], \"when\": {\"headers\": {\"X-Example\": \"%d\"}}}"
                    .formatted(step, i));
        }
        int taken = 0;
        try (var gateway = MessageGateway.start(data, String.join(",\n", policies), environment)) {
            for (int i = 0; i < examples.size(); i++) {
                JsonNode each = examples.get(i);
                boolean detached = text(each, "form").equals("detached");
                String fields = "X-Example: " + i + (detached ? "\nX-JWS-Signature: " + text(each, "text") : "");

                String answer = gateway.post(
                        fields, text(each, detached ? "payload" : "text").getBytes(UTF_8));

                boolean refused = each.get("refused").booleanValue();
                String payload = new String(text(each, "payload").getBytes(UTF_8), ISO_8859_1);
                assertThat(status(answer)).as(text(each, "name")).isEqualTo(refused ? 401 : 200);
                assertThat(gateway.arrived()).as(text(each, "name")).isEqualTo(refused ? List.of() : List.of(payload));
                if (!refused) taken++;
            }
        }

        assertThat(examples).hasSize(all);
        assertThat(taken).isEqualTo(good);
    }

    private static String verifying(JsonNode example, int number) {
        String keys = text(example.get("key"), "kty").equals("oct")
                ? "\"secret\": {\"env\": \"GATEWAY_SECRET_%d\"}".formatted(number)
                : "\"keys\": {\"keys\": [%s]}".formatted(Json.compact(example.get("key")));
        return "{\"verify\": {\"form\": \"%s\", \"algorithms\": [\"%s\"], %s}}"
                .formatted(text(example, "form"), text(example, "alg"), keys);
    }

    /// By another algorithm where the example's is none that a definition may name.
    private static String decrypting(JsonNode example, int number) {
        String algorithm = switch (text(example, "alg")) {
            case "RSA1_5" -> "RSA-OAEP-256";
            case "PBES2-HS512+A256KW" -> "A128KW";
            default -> text(example, "alg");
        };
        return """
                {"decrypt": {"form": "%s", "keys": {"env": "GATEWAY_SECRET_%d"}, "algorithms": ["%s"], "encryption": ["%s"]}}""".formatted(text(example, "form"), number, algorithm, text(example, "enc"));
    }

    private static String text(JsonNode json, String name) {
        return json.get(name).stringValue();
    }
}
