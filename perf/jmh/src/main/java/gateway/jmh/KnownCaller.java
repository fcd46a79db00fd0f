package gateway.jmh;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// What a policy that knows its caller again is defined as, and what its caller shows.
final class KnownCaller {
    /// Of every kind: of callers, of the gateway at other servers, for sessions.
    static final String SECRET = "only-for-the-benchmark-and-nothing-else-at-all";

    private static final String OIDC = """
            {"type": "oidc", "issuer": "https://id.example.com",
             "client": {"id": "bench", "secret": {"env": "GATEWAY_SECRET_BENCH"}},
             "session": {"in": "%s", "key": {"env": "GATEWAY_SECRET_BENCH"}, "idle": "30d", "total": "30d"},
             "forward": {"accessToken": "Authorization", "claims": {"X-User": "preferred_username"}}}""";
    private static final Map<String, String> POLICIES = Map.of(
            "none",
            "",
            "jwt",
            """
            {"type": "jwt", "issuers": [{"name": "bench", "secret": {"env": "GATEWAY_SECRET_BENCH"},
             "algorithms": ["HS256"], "audiences": ["orders"]}]}""",
            "http-signature",
            """
            {"type": "http-signature", "cover": ["@method", "@path"], "maxAge": "1h",
             "keys": [{"id": "bench", "algorithm": "hmac-sha256", "secret": {"env": "GATEWAY_SECRET_BENCH"}}]}""",
            "api-call",
            """
            {"type": "api-call", "name": "profile", "url": "http://127.0.0.1:9001/profile",
             "cache": {"for": "5m"}, "take": {"header.X-Time": "/time"}}""",
            "oauth2-introspection",
            """
            {"type": "oauth2-introspection", "url": "https://id.example.com/introspect",
             "client": {"id": "bench", "secret": {"env": "GATEWAY_SECRET_BENCH"}},
             "audiences": ["orders"], "cacheFor": "1h"}""",
            "ldap-auth",
            """
            {"type": "ldap-auth", "servers": ["ldap://127.0.0.1:%d"], "users": {"dn": "uid={user},dc=example"},
             "groups": {"base": "dc=example"}, "cacheFor": "1h"}""",
            "upstream-auth",
            """
            {"type": "upstream-auth", "oauth2": {"tokenUrl": "https://id.example.com/token",
             "client": {"id": "bench", "secret": {"env": "GATEWAY_SECRET_BENCH"}}}}""",
            "oidc-store",
            OIDC.formatted("store"),
            "oidc-cookie",
            OIDC.formatted("cookie"));

    private KnownCaller() {}

    /// The policy as JSON; empty for none.
    ///
    /// @param directory port of it
    static String definition(String policy, int directory) {
        return Objects.requireNonNull(POLICIES.get(policy)).replace("%d", String.valueOf(directory));
    }

    /// Names and values of the fields that its caller shows, by turns; none of one who has to log in first.
    static List<String> credential(String policy) throws GeneralSecurityException {
        return switch (policy) {
            case "jwt" -> List.of("Authorization", "Bearer " + token());
            case "oauth2-introspection" ->
                List.of("Authorization", "Bearer 9mCo_rNqsq2Kqr0ouo0YTnHJxqGtnT2Jdn9FzKWvxhd");
            case "ldap-auth" ->
                List.of("Authorization", "Basic " + Base64.getEncoder().encodeToString(utf8("alice:" + SECRET)));
            case "http-signature" -> signature();
            default -> List.of();
        };
    }

    /// Of the caller that it lets in; empty where it names none.
    static String id(String policy) {
        return switch (policy) {
            case "jwt" -> "jwt:bench/bench";
            case "http-signature" -> "signature:orders/bench";
            case "oauth2-introspection" -> "oauth2:id.example.com/alice";
            case "ldap-auth" -> "ldap:uid=alice,dc=example";
            case "oidc-store", "oidc-cookie" -> "oidc:id.example.com/alice";
            default -> "";
        };
    }

    /// Whether the upstream is shown a token.
    static boolean isToldOf(String policy) {
        return policy.equals("upstream-auth") || policy.startsWith("oidc");
    }

    private static String token() throws GeneralSecurityException {
        long end = Instant.now().getEpochSecond() + 86_400;
        String signed = url(utf8("{\"alg\":\"HS256\"}"))
                + '.'
                + url(utf8("{\"sub\":\"bench\",\"aud\":\"orders\",\"exp\":" + end + '}'));
        return signed + '.' + url(keyed(signed));
    }

    private static List<String> signature() throws GeneralSecurityException {
        String input = "(\"@method\" \"@path\");created=" + Instant.now().getEpochSecond() + ";keyid=\"bench\"";
        String base = "\"@method\": GET\n\"@path\": " + BenchmarkRequests.PATH + "\n\"@signature-params\": " + input;
        return List.of(
                "Signature-Input",
                "bench=" + input,
                "Signature",
                "bench=:" + Base64.getEncoder().encodeToString(keyed(base)) + ':');
    }

    /// HMAC with SHA-256 of `text` by [#SECRET].
    static byte[] keyed(String text) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(utf8(SECRET), "HmacSHA256"));
        return mac.doFinal(utf8(text));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String url(byte[] content) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(content);
    }
}
