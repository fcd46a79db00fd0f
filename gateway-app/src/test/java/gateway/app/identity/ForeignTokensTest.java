package gateway.app.identity;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.json.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Tokens that programs of other makers have signed: `oidc-provider`, found by discovery, and `jwcrypto`.
@Timeout(400)
final class ForeignTokensTest {
    private static final String SECRET = "0123456789abcdef".repeat(4);

    @TempDir
    private Path data;

    @Test
    void tokens_of_oidc_provider_pass_by_every_algorithm_and_go_on_when_its_keys_are_rotated() {
        try (OidcProvider provider = OidcProvider.start();
                GuardedGateway gateway = GuardedGateway.start(data, """
                        {"type": "jwt", "issuers": [{"name": "op", "issuer": "%s", "discovery": true,
                            "audiences": ["orders"], "types": ["at+jwt"], "refetch": "1s",
                            "algorithms": ["RS256", "PS256", "ES256", "EdDSA"]}],
                         "requireClaims": {"tenant": ["gold"], "roles": ["writer"], "scope": ["orders.read"]},
                         "consumer": {"tags": "roles"}}""".formatted(provider.issuer()), Map.of())) {
            List<String> algorithms = List.of("RS256", "PS256", "ES256", "EdDSA");
            for (String each : algorithms) {
                assertThat(gateway.status(provider.token(each))).as(each).isEqualTo(200);
            }
            assertThat(gateway.status(provider.token("opaque"))).isEqualTo(401);
            String before = provider.token("RS256");
            assertThat(gateway.status(before)).isEqualTo(200);

            provider.rotate(2);

            String after = provider.token("ES256");
            until(() -> gateway.status(after) == 200); // once a second has passed since the last fetch
            for (String each : algorithms) {
                assertThat(gateway.status(provider.token(each))).as(each).isEqualTo(200);
            }
            assertThat(gateway.status(before)).isEqualTo(401); // its key is told no more
        }
    }

    @Test
    void tokens_of_jwcrypto_pass_when_they_are_good_and_only_then() throws Exception {
        Path python = ForeignTools.python("jwcrypto==1.6.1");
        Path program = ForeignTools.program("sign.py", python.getParent());
        Process process = new ProcessBuilder(python.toString(), program.toString(), "https://id.example", SECRET)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<String> lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
        assertThat(process.waitFor()).isZero();
        String keys = Json.compact(Json.parse(lines.getFirst()));
        try (GuardedGateway gateway =
                GuardedGateway.start(data, """
                {"type": "jwt", "issuers": [
                    {"issuer": "https://id.example", "keys": %s, "audiences": ["orders"],
                     "algorithms": ["RS256", "PS512", "ES256", "ES384", "ES512", "EdDSA"]},
                    {"issuer": "https://shared.example", "secret": {"env": "GATEWAY_SECRET_SHARED"},
                     "audiences": ["orders"], "algorithms": ["HS256", "HS384", "HS512"]}]}""".formatted(keys), Map.of("GATEWAY_SECRET_SHARED", SECRET))) {
            for (String line : lines.subList(1, lines.size())) {
                String[] words = line.split(" ", -1);
                assertThat(gateway.status(words[1])).as(line).isEqualTo(words[0].equals("bad") ? 401 : 200);
            }
            assertThat(lines).hasSizeGreaterThan(35);
        }
    }

    @Test
    void opaque_tokens_pass_once_oidc_provider_calls_them_active_and_no_more_when_they_are_revoked() {
        try (OidcProvider provider = OidcProvider.start();
                GuardedGateway gateway = GuardedGateway.start(
                        data, """
                        {"type": "oauth2-introspection", "url": "%s/token/introspection", "audiences": ["orders"],
                         "client": {"id": "caller", "secret": {"env": "GATEWAY_SECRET_CALLER"}},
                         "cacheFor": "0s", "tokenTypeHint": "access_token", "timeout": "5s",
                         "requireClaims": {"scope": ["orders.read"]},
                         "consumer": {"id": "client_id"}}""".formatted(provider.issuer()), Map.of("GATEWAY_SECRET_CALLER", "caller-secret"))) {
            String token = provider.token("opaque");
            assertThat(gateway.status(token)).isEqualTo(200);
            assertThat(gateway.status(token + "x")).isEqualTo(401);

            provider.revoke(token);

            assertThat(gateway.status(token)).isEqualTo(401);
        }
    }
}
