package gateway.jmh;

import gateway.service.CallRequest;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;

/// An identity provider without a socket: tells its metadata and key, gives tokens for a month and calls every token
/// active.
final class BenchmarkProvider {
    static final String ISSUER = "https://id.example.com";
    private static final int MONTH = 2_592_000; // in seconds
    private static final int KEY_BYTES = 32; // of Ed25519, behind what names it

    private final KeyPair key;
    private String nonce = "";

    private BenchmarkProvider(KeyPair key) {
        this.key = key;
    }

    static BenchmarkProvider create() {
        try {
            return new BenchmarkProvider(KeyPairGenerator.getInstance("Ed25519").generateKeyPair());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has Ed25519", e);
        }
    }

    /// From now on its ID tokens repeat this.
    void nonce(String text) {
        nonce = text;
    }

    String answer(CallRequest request) {
        return switch (request.path()) {
            case "/.well-known/openid-configuration" -> """
                    {"issuer": "%1$s", "jwks_uri": "%1$s/keys", "authorization_endpoint": "%1$s/auth",
                     "token_endpoint": "%1$s/token"}""".formatted(ISSUER);
            case "/keys" ->
                "{\"keys\": [{\"kty\": \"OKP\", \"crv\": \"Ed25519\", \"x\": \"" + url(publicKey()) + "\"}]}";
            case "/token" -> """
                    {"token_type": "Bearer", "access_token": "%s", "expires_in": %d, "id_token": "%s"}""".formatted("only-for-the-benchmark-".repeat(10), MONTH, idToken());
            case "/introspect" -> """
                    {"active": true, "sub": "alice", "aud": "orders", "scope": "read write", "client_id": "shop",
                     "exp": %d}""".formatted(Instant.now().getEpochSecond() + MONTH);
            case "/profile" -> "{\"time\": \"2026-11-26T12:00:00Z\", \"plan\": \"gold\"}";
            default -> throw new IllegalStateException("asked for " + request.path());
        };
    }

    private byte[] publicKey() {
        byte[] encoded = key.getPublic().getEncoded();
        return Arrays.copyOfRange(encoded, encoded.length - KEY_BYTES, encoded.length);
    }

    private String idToken() {
        long now = Instant.now().getEpochSecond();
        String claims = """
                {"iss": "%s", "sub": "alice", "aud": "bench", "nonce": "%s", "iat": %d, "exp": %d, "sid": "s",
                 "preferred_username": "alice"}""".formatted(ISSUER, nonce, now, now + MONTH);
        String signed = url("{\"alg\":\"EdDSA\"}") + '.' + url(claims);
        try {
            Signature signature = Signature.getInstance("Ed25519");
            signature.initSign(key.getPrivate());
            signature.update(signed.getBytes(StandardCharsets.US_ASCII));
            return signed + '.' + url(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has Ed25519", e);
        }
    }

    private static String url(String text) {
        return url(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String url(byte[] content) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(content);
    }
}
