package gateway.policies.message.jose;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.json.Json;
import gateway.policies.message.PolicyRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/// The examples of RFC 7520, and those of the appendices of RFC 7515, 7516, 7519 and 8037: verified and opened, or
/// refused where they are what this policy never takes.
final class CookbookTest {
    static Stream<JsonNode> examples() throws IOException {
        return Stream.concat(examples("/jose/rfc7520.json"), examples("/jose/appendices.json"));
    }

    private static Stream<JsonNode> examples(String name) throws IOException {
        try (var content = CookbookTest.class.getResourceAsStream(name)) {
            return Json.parse(new String(content.readAllBytes(), StandardCharsets.UTF_8)).values().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void each_is_taken_for_what_it_says_or_refused(JsonNode example) {
        PolicyRun run = text(example, "kind").equals("jws") ? verifying(example) : decrypting(example);
        boolean detached = text(example, "form").equals("detached");
        Exchanges request = Exchanges.of("POST", "/").body(text(example, detached ? "payload" : "text"));
        if (detached) request.with("x-jws-signature", text(example, "text"));

        Response answer = run.send(request);

        boolean refused = example.get("refused").booleanValue();
        assertThat(answer.status()).as(text(example, "name")).isEqualTo(refused ? 401 : 200);
        assertThat(run.arrived()).as(text(example, "name")).isEqualTo(refused ? "" : text(example, "payload"));
    }

    private static PolicyRun verifying(JsonNode example) {
        JsonNode key = example.get("key");
        boolean shared = text(key, "kty").equals("oct");
        String keys = shared
                ? "\"secret\": {\"env\": \"GATEWAY_SECRET_A\"}"
                : "\"keys\": {\"keys\": [%s]}".formatted(Json.compact(key));
        return JoseSmith.run(
                "\"request\": [{\"verify\": {\"form\": \"%s\", \"algorithms\": [\"%s\"], %s}}]"
                        .formatted(text(example, "form"), text(example, "alg"), keys),
                Json.compact(key));
    }

    private static PolicyRun decrypting(JsonNode example) {
        String algorithm = switch (text(example, "alg")) {
            case "RSA1_5" -> "RSA-OAEP-256";
            case "PBES2-HS512+A256KW" -> "A128KW";
            default -> text(example, "alg");
        };
        return JoseSmith.run(
                """
                "request": [{"decrypt": {"form": "%s", "keys": {"env": "GATEWAY_SECRET_A"}, "algorithms": ["%s"],
                                         "encryption": ["%s"]}}]""".formatted(text(example, "form"), algorithm, text(example, "enc")),
                Json.compact(example.get("key")));
    }

    private static String text(JsonNode json, String name) {
        return json.get(name).stringValue();
    }
}
