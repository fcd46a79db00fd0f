package gateway.app.identity;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.RSAKey;
import gateway.json.Json;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// The examples of RFC 7515, 7519 and 8037 as tokens of callers, and the key sets of RFC 7517, at a whole gateway.
@Timeout(120)
final class TokenExamplesTest {
    private static final Path EXAMPLES = Path.of("../gateway-policies/message/src/test/resources/jose");
    private static final List<String> IN_FORCE_UNTIL_2011 = List.of("RFC 7515 A.2", "RFC 7515 A.3");

    @TempDir
    private Path data;

    @Test
    void those_that_are_signed_well_have_expired_and_all_others_are_invalid() throws Exception {
        var keys = new ArrayList<String>();
        var told = new ArrayList<String>();
        var expected = new ArrayList<String>();
        List<JsonNode> examples = examples();
        for (JsonNode each : examples) {
            if (!text(each.get("key"), "kty").equals("oct")
                    && text(each, "kind").equals("jws")) {
                keys.add(Json.compact(each.get("key")));
            }
        }
        try (GuardedGateway gateway = start("{\"keys\": [" + String.join(",", keys) + "]}")) {
            for (JsonNode each : examples) {
                boolean expired = IN_FORCE_UNTIL_2011.contains(text(each, "name"));
                told.add(verdict(gateway, text(each, "text")));
                expected.add("401 The token is " + (expired ? "expired" : "invalid"));
                if (!expired) continue;
                told.add(verdict(gateway, changed(text(each, "text"))));
                expected.add("401 The token is invalid");
            }
            assertThat(gateway.arrived()).isEmpty();
        }

        assertThat(told).hasSize(14).isEqualTo(expected);
    }

    @Test
    void a_set_of_public_keys_verifies_and_sets_that_hold_secrets_are_refused() throws Exception {
        JsonNode sets = Json.parse(Files.readString(EXAMPLES.resolve("rfc7517.json")));
        RSAKey pair = RSAKey.parse(Json.compact(sets.at("/A.2/keys/1")));
        var token = new JWSObject(
                new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(pair.getKeyID()).build(),
                new Payload("{\"iss\": \"joe\", \"exp\": 32503680000}"));
        token.sign(new RSASSASigner(pair));
        try (GuardedGateway gateway = start(Json.compact(sets.get("A.1")))) {
            assertThat(gateway.status(token.serialize())).isEqualTo(200);
            assertThat(verdict(gateway, changed(token.serialize()))).isEqualTo("401 The token is invalid");

            assertThat(stored(gateway, sets.get("A.2"))).startsWith("422 ").contains("/policies/0/issuers/0/keys");
            assertThat(stored(gateway, sets.get("A.3"))).startsWith("422 ").contains("/policies/0/issuers/0/keys");
            assertThat(stored(gateway, sets.get("B"))).startsWith("201 ");
        }
    }

    private static List<JsonNode> examples() throws Exception {
        return Json.parse(Files.readString(EXAMPLES.resolve("appendices.json"))).values().stream()
                .filter(each -> text(each, "form").equals("compact"))
                .toList();
    }

    private static String text(JsonNode json, String name) {
        return json.get(name).stringValue();
    }

    /// With another signature.
    private static String changed(String token) {
        int at = token.lastIndexOf('.') + 1;
        char other = token.charAt(at) == 'A' ? 'B' : 'A';
        return token.substring(0, at) + other + token.substring(at + 1);
    }

    private static String verdict(GuardedGateway gateway, String token) {
        HttpResponse<String> answer = gateway.call(token);
        return answer.statusCode() + " "
                + Json.parse(answer.body()).get("detail").stringValue();
    }

    private static String stored(GuardedGateway gateway, JsonNode set) throws Exception {
        HttpResponse<String> answer =
                gateway.admin().send("PUT", "/admin/v1/apis/other", """
                {"match": {"path": "/other"}, "upstream": {"targets": [{"url": "http://127.0.0.1:9"}]},
                 "policies": [%s]}""".formatted(policy(Json.compact(set))));
        return answer.statusCode() + " " + answer.body();
    }

    private GuardedGateway start(String keys) {
        return GuardedGateway.start(data, policy(keys), Map.of());
    }

    private static String policy(String keys) {
        return """
                {"type": "jwt", "consumer": {"id": "iss"}, "issuers": [
                    {"name": "examples", "keys": %s, "algorithms": ["RS256", "ES256", "ES512", "EdDSA"],
                     "audiences": []}]}""".formatted(keys);
    }
}
