package gateway.app.identity;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.FreePort;
import gateway.policies.cryptography.TokenSmith;
import gateway.wire.tls.TestAuthority;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A gateway that proves to `oidc-provider` who it is without a secret: by tokens that it signs (RFC 7523), and by
/// the certificate of its connections (RFC 8705).
@Tag("proofs")
@Timeout(400)
final class ForeignClientsTest {
    private static final Pattern SHOWN = Pattern.compile("Authorization=\\[Bearer ([^]]+)]");
    private static final String SIGNS =
            "\"method\": \"private-key-jwt\", \"key\": {\"env\": \"GATEWAY_SECRET_KEY\"}, \"keyId\": \"%s\"";
    private static final String CERTIFIED =
            "{\"token_endpoint_auth_method\": \"tls_client_auth\", \"tls_client_auth_san_dns\": \"gateway.example\"}";

    @TempDir
    private Path folder;

    private final int port = FreePort.take();
    private final String origin = "http://localhost:" + port;
    private final TestAuthority authority = new TestAuthority();
    private final TokenSmith smith = TokenSmith.of("ES256", "gateway-1");
    private int gateways;

    @Test
    void a_key_of_its_own_gets_it_tokens_and_verdicts_and_logs_people_in() {
        String known =
                "{\"token_endpoint_auth_method\": \"private_key_jwt\", \"jwks\": {\"keys\": [" + smith.jwk() + "]}}";
        try (OidcProvider provider = OidcProvider.knowing(known, origin);
                var browser = new Browser()) {
            String token = token(provider, SIGNS.formatted("gateway-1"), "");

            assertJudged(provider, SIGNS.formatted("gateway-1"), "", token);
            assertLogsIn(provider, SIGNS.formatted("gateway-1"), "", browser);
            assertThat(refusal(provider, SIGNS.formatted("gateway-2"), "")).isEqualTo(503);
        }
    }

    @Test
    void a_certificate_of_its_own_gets_it_tokens_and_verdicts_and_logs_people_in() {
        Path trusted = authority.write(folder.resolve("authority.pem"));
        authority.issue("localhost", "localhost").write(folder.resolve("server.pem"));
        String own = tls(trusted, authority.issue("gateway", "gateway.example").write(folder.resolve("own.pem")));
        String other = tls(trusted, authority.issue("other", "other.example").write(folder.resolve("other.pem")));
        try (OidcProvider provider = OidcProvider.knowing(CERTIFIED, origin, folder);
                var browser = new Browser(authority.client())) {
            String token = token(provider, "\"method\": \"tls\"", own);

            assertJudged(provider, "\"method\": \"tls\"", own, token);
            assertLogsIn(provider, "\"method\": \"tls\"", own, browser);
            assertThat(refusal(provider, "\"method\": \"tls\"", other)).isEqualTo(503);
        }
    }

    private static String tls(Path trusted, Path own) {
        return ", \"tls\": {\"ca\": \"" + trusted + "\", \"certificate\": \"" + own + "\"}";
    }

    private GuardedGateway start(String policy) {
        var settings = new HashMap<String, String>();
        settings.put("GATEWAY_LISTEN", "127.0.0.1:" + port);
        settings.put("GATEWAY_SECRET_KEY", smith.pairPem());
        settings.put("GATEWAY_SECRET_COOKIES", "0123456789abcdef".repeat(4));
        return GuardedGateway.start(folder.resolve("data-" + gateways++), policy, Map.copyOf(settings));
    }

    private static String showing(OidcProvider provider, String client, String tls) {
        return """
                {"type": "upstream-auth", "oauth2": {"tokenUrl": "%s/token", "timeout": "10s",
                    "client": {"id": "caller", %s}, "resource": "urn:orders:opaque", "scopes": ["orders.read"]%s}}""".formatted(provider.issuer(), client, tls);
    }

    /// The one that the gateway shows its upstream.
    private String token(OidcProvider provider, String client, String tls) {
        try (GuardedGateway gateway = start(showing(provider, client, tls))) {
            assertThat(gateway.status("any")).isEqualTo(200);
            Matcher shown = SHOWN.matcher(gateway.arrived().getLast());
            assertThat(shown.find()).as(gateway.arrived().getLast()).isTrue();
            return shown.group(1);
        }
    }

    private int refusal(OidcProvider provider, String client, String tls) {
        try (GuardedGateway gateway = start(showing(provider, client, tls))) {
            return gateway.status("any");
        }
    }

    private void assertJudged(OidcProvider provider, String client, String tls, String token) {
        String policy = """
                {"type": "oauth2-introspection", "url": "%s/token/introspection", "client": {"id": "caller", %s},
                 "audiences": ["orders"], "cacheFor": "0s", "timeout": "10s", "consumer": {"id": "client_id"}%s}""".formatted(provider.issuer(), client, tls);
        try (GuardedGateway gateway = start(policy)) {
            assertThat(gateway.status(token)).isEqualTo(200);
            assertThat(gateway.status(token)).isEqualTo(200); // asked again, by another assertion
            assertThat(gateway.status(token + "x")).isEqualTo(401);
        }
    }

    private void assertLogsIn(OidcProvider provider, String client, String tls, Browser browser) {
        String policy = """
                {"type": "oidc", "issuer": "%s", "scopes": ["openid", "profile"], "client": {"id": "shop", %s},
                 "session": {"key": {"env": "GATEWAY_SECRET_COOKIES"}}%s}""".formatted(provider.issuer(), client, tls);
        try (GuardedGateway gateway = start(policy)) {
            assertThat(browser.logIn(URI.create(origin + "/books")).statusCode())
                    .isEqualTo(200);
            assertThat(gateway.arrived()).hasSize(1);
        }
    }
}
