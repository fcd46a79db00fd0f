package gateway.app.identity;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.policies.cryptography.TokenSmith;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// One of several credentials on a whole gateway, and what the caller may do by it.
@Timeout(90)
final class GatewayAnyOfTest {
    private static final TokenSmith SMITH = TokenSmith.of("ES256", "k1");

    @TempDir
    private Path data;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @AfterEach
    void stop() {
        client.close();
    }

    @Test
    void a_token_or_a_key_opens_the_api_and_what_it_says_decides_further() throws Exception {
        String policies = """
                {"type": "any-of", "policies": [
                   {"type": "jwt", "issuers": [{"name": "corp", "issuer": "https://id.example.com",
                     "audiences": [], "algorithms": ["ES256"], "keys": {"keys": [%s]}}]},
                   {"type": "key-auth", "header": "X-Api-Key"}],
                  "anonymous": {"tags": ["anonymous"]}},
                {"type": "authorize", "rules": [
                   {"paths": ["/open"]},
                   {"paths": ["/read"], "scopes": ["orders:read"]},
                   {"paths": ["/key"], "consumers": ["robot"]}]}""".formatted(SMITH.jwk());
        try (GuardedGateway gateway = GuardedGateway.start(data, policies, Map.of())) {
            String token = "Bearer " + token("orders:read orders:write");
            String key = gateway.admin().issue("robot", "orders");

            assertThat(status(gateway, "/open")).isEqualTo(200);
            assertThat(status(gateway, "/read")).isEqualTo(403);
            assertThat(status(gateway, "/read", "Authorization", token)).isEqualTo(200);
            assertThat(status(gateway, "/read", "Authorization", "Bearer " + token("orders")))
                    .isEqualTo(403);
            assertThat(status(gateway, "/key", "Authorization", token)).isEqualTo(403);
            assertThat(status(gateway, "/key", "X-Api-Key", key)).isEqualTo(200);
            assertThat(status(gateway, "/key", "X-Api-Key", "wrong")).isEqualTo(401);
            assertThat(status(gateway, "/key", "X-Api-Key", key, "Authorization", token))
                    .isEqualTo(400);

            assertThat(gateway.arrived())
                    .hasSize(3)
                    .allSatisfy(headers -> assertThat(headers)
                            .doesNotContainIgnoringCase("authorization")
                            .doesNotContainIgnoringCase("x-api-key"));
            assertThat(gateway.admin().get("/metrics").body())
                    .contains("policy=\"any-of/jwt\"", "policy=\"any-of/key-auth\"", "policy=\"any-of\"");
            assertThat(gateway.admin()
                            .call(
                                    "POST",
                                    "/explain",
                                    "{\"path\": \"/read\", \"headers\": {\"Authorization\": \"" + token + "\"}}")
                            .toString())
                    .contains("\"step\":\"any-of\"", "\"step\":\"authorize\"")
                    .doesNotContain("not-run");
        }
    }

    @Test
    void what_one_of_them_alone_tells_the_upstream_comes_of_nobody_whom_another_lets_in() throws Exception {
        String policies = """
                {"type": "any-of", "several": "first", "policies": [
                   {"type": "jwt", "forwardCredential": true, "issuers": [{"name": "corp",
                     "issuer": "https://id.example.com", "audiences": [], "algorithms": ["ES256"], "keys": {"keys": [%s]}}]},
                   {"type": "key-auth", "header": "X-Api-Key"},
                   {"type": "oidc", "issuer": "http://127.0.0.1:9/",
                    "client": {"id": "shop", "secret": {"env": "GATEWAY_SECRET_SHOP"}},
                    "session": {"key": {"env": "GATEWAY_SECRET_SESSIONS"}},
                    "forward": {"accessToken": "Authorization", "claims": {"X-User": "preferred_username"}}}],
                  "anonymous": {"tags": ["anonymous"]}}""".formatted(SMITH.jwk());
        var secrets = Map.of("GATEWAY_SECRET_SHOP", "shop", "GATEWAY_SECRET_SESSIONS", "0123456789".repeat(5));
        try (GuardedGateway gateway = GuardedGateway.start(data, policies, secrets)) {
            String token = "Bearer " + token("orders:read");
            String key = gateway.admin().issue("robot", "orders");
            String[] madeUp = {"X-User", "mallory", "Cookie", "__Host-gw-orders=mallory; theme=dark"};

            assertThat(status(gateway, "/", with(madeUp, "Authorization", token)))
                    .isEqualTo(200);
            assertThat(status(gateway, "/", with(madeUp, "Authorization", "Mallory m", "X-Api-Key", key)))
                    .isEqualTo(200);
            assertThat(status(gateway, "/", with(madeUp, "Authorization", "Mallory m")))
                    .isEqualTo(200);

            assertThat(gateway.arrived())
                    .hasSize(3)
                    .allSatisfy(headers -> assertThat(headers)
                            .doesNotContainIgnoringCase("mallory")
                            .contains("theme=dark"));
            assertThat(gateway.arrived().getFirst()).contains(token);
        }
    }

    @Test
    void what_oidc_answers_itself_reaches_no_upstream_where_path_rules_open_its_path() throws Exception {
        String policies = """
                {"type": "path-rules", "ignore": [{"path": "/.auth"}, {"path": "/open"}]},
                {"type": "any-of", "policies": [
                   {"type": "jwt", "issuers": [{"name": "corp", "issuer": "https://id.example.com",
                     "audiences": [], "algorithms": ["ES256"], "keys": {"keys": [%s]}}]},
                   {"type": "oidc", "issuer": "http://127.0.0.1:9/", "logout": "/.auth/logout",
                    "backChannelLogout": "/.auth/ended",
                    "client": {"id": "shop", "secret": {"env": "GATEWAY_SECRET_SHOP"}},
                    "session": {"key": {"env": "GATEWAY_SECRET_SESSIONS"}}}]}""".formatted(SMITH.jwk());
        var secrets = Map.of("GATEWAY_SECRET_SHOP", "shop", "GATEWAY_SECRET_SESSIONS", "0123456789".repeat(5));
        try (GuardedGateway gateway = GuardedGateway.start(data, policies, secrets)) {
            String callback = "/.auth/callback?code=c&state=s";

            assertThat(status(gateway, callback)).isEqualTo(400);
            assertThat(status(gateway, callback, "Authorization", "Bearer " + token("orders:read")))
                    .isEqualTo(400);
            assertThat(status(gateway, "/.auth/logout", "Sec-Fetch-Site", "cross-site"))
                    .isEqualTo(403);
            assertThat(status(gateway, "/.auth/ended")).isEqualTo(405);
            assertThat(gateway.arrived()).isEmpty();
            assertThat(status(gateway, "/.auth/others")).isEqualTo(200);
            assertThat(status(gateway, "/open")).isEqualTo(200);
        }
    }

    private static String[] with(String[] some, String... more) {
        return Stream.concat(Stream.of(some), Stream.of(more)).toArray(String[]::new);
    }

    private static String token(String scope) {
        return SMITH.token("{\"iss\": \"https://id.example.com\", \"sub\": \"alice\", \"scope\": \"" + scope
                + "\", \"exp\": " + Instant.now().plusSeconds(300).getEpochSecond() + "}");
    }

    private int status(GuardedGateway gateway, String path, String... headers)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gateway.port() + path));
        if (headers.length > 0) request.headers(headers);
        HttpResponse<String> answer = client.send(request.build(), BodyHandlers.ofString());
        return answer.statusCode();
    }
}
