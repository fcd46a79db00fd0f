package gateway.app.identity;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import gateway.policies.cryptography.TokenSmith;
import gateway.wire.tls.TestAuthority;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Tokens where TLS is part of it: keys by `https` from a server of one's own authority, and tokens that are bound to
/// the certificate of a connection (RFC 8705).
@Timeout(90)
final class GatewayTokensOverTlsTest {
    private static final TokenSmith SMITH = TokenSmith.of("RS256", "k");

    @TempDir
    private Path folder;

    private final TestAuthority authority = new TestAuthority();
    private HttpsServer provider;

    @BeforeEach
    void start() throws IOException {
        provider = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        provider.setHttpsConfigurator(new HttpsConfigurator(authority.client(authority.issue("id", "id.internal"))));
        tell(
                "/.well-known/openid-configuration",
                "{\"issuer\": \"" + url() + "\", \"jwks_uri\": \"" + url() + "/keys\"}");
        tell("/keys", "{\"keys\": [" + SMITH.jwk() + "]}");
        provider.start();
    }

    private void tell(String path, String text) {
        byte[] content = text.getBytes(StandardCharsets.UTF_8);
        provider.createContext(path, exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(200, content.length);
                exchange.getResponseBody().write(content);
            }
        });
    }

    private String url() {
        return "https://127.0.0.1:" + provider.getAddress().getPort();
    }

    @AfterEach
    void stop() {
        provider.stop(0);
    }

    @Test
    void keys_come_from_a_server_that_the_definition_trusts_and_from_no_other() {
        Path ca = authority.write(folder.resolve("ca.pem"));
        Path other = new TestAuthority("Other").write(folder.resolve("other.pem"));
        assertThat(status("{\"ca\": \"" + ca + "\", \"serverName\": \"id.internal\"}", "good"))
                .isEqualTo(200);
        assertThat(status("{\"ca\": \"" + ca + "\", \"serverName\": \"id.other\"}", "name"))
                .isEqualTo(503);
        assertThat(status("{\"ca\": \"" + other + "\", \"serverName\": \"id.internal\"}", "authority"))
                .isEqualTo(503);
        assertThat(status("{\"serverName\": \"id.internal\"}", "public")).isEqualTo(503);
    }

    private int status(String tls, String data) {
        String policy = """
                {"type": "jwt", "timeout": "10s", "issuers": [{"name": "corp", "issuer": "%s", "discovery": true,
                    "tls": %s, "audiences": [], "algorithms": ["RS256"]}]}""".formatted(url(), tls);
        try (GuardedGateway gateway = GuardedGateway.start(folder.resolve(data), policy, Map.of())) {
            return gateway.status(SMITH.token(claims("")));
        }
    }

    @Test
    void a_bound_token_is_good_on_a_connection_with_its_certificate_only() throws Exception {
        TestAuthority.Issued own = authority.issue("caller");
        TestAuthority.Issued other = authority.issue("other");
        byte[] digest =
                MessageDigest.getInstance("SHA-256").digest(own.certificate().getEncoded());
        String thumbprint = Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
        String token = SMITH.token(claims(", \"cnf\": {\"x5t#S256\": \"" + thumbprint + "\"}"));
        String policy = """
                {"type": "jwt", "boundTo": "certificate", "issuers": [{"name": "corp", "issuer": "%s",
                    "keys": {"keys": [%s]}, "audiences": [], "algorithms": ["RS256"]}]}""".formatted(url(), SMITH.jwk());
        try (GuardedGateway gateway = GuardedGateway.start(
                folder.resolve("data"),
                policy,
                Map.of(
                        "GATEWAY_TLS_LISTEN",
                        "127.0.0.1:0",
                        "GATEWAY_TLS_CERTIFICATES",
                        authority
                                .issue("localhost", "localhost")
                                .write(folder.resolve("a.pem"))
                                .toString(),
                        "GATEWAY_TLS_CLIENT_AUTH",
                        "optional",
                        "GATEWAY_TLS_CLIENT_CA",
                        authority.write(folder.resolve("ca.pem")).toString()))) {
            assertThat(status(gateway, token, own)).isEqualTo(200);
            assertThat(status(gateway, token, other)).isEqualTo(401);
            assertThat(status(gateway, token)).isEqualTo(401);
            assertThat(status(gateway, SMITH.token(claims("")), own)).isEqualTo(401);
            assertThat(gateway.status(token)).isEqualTo(401); // in the clear
            assertThat(status(gateway, token, own)).isEqualTo(200);
        }
    }

    private int status(GuardedGateway gateway, String token, TestAuthority.Issued... shown) throws Exception {
        try (HttpClient client =
                HttpClient.newBuilder().sslContext(authority.client(shown)).build()) {
            var request = HttpRequest.newBuilder(URI.create("https://localhost:" + gateway.securePort() + "/"))
                    .header("Authorization", "Bearer " + token);
            return client.send(request.build(), BodyHandlers.discarding()).statusCode();
        }
    }

    private String claims(String more) {
        long end = Instant.now().getEpochSecond() + 600;
        return "{\"iss\": \"" + url() + "\", \"sub\": \"alice\", \"exp\": " + end + more + "}";
    }
}
