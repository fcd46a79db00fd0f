package gateway.app.admin;

import gateway.http.Secret;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/// The token that opens the admin API, kept as its SHA-256 digest. Digests have one length, so comparing them takes the
/// same time wherever a wrong token differs.
public final class AdminToken {
    private static final String SCHEME = "Bearer ";
    private final byte[] digest;

    private AdminToken(byte[] digest) {
        this.digest = digest;
    }

    public static AdminToken of(Secret token) {
        return new AdminToken(digest(token.reveal()));
    }

    /// Whether an `Authorization` header carries the token. The scheme's case does not matter (RFC 9110 §11.1).
    boolean opens(Optional<String> authorization) {
        String sent = authorization.orElse("");
        if (!sent.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) return false;
        return MessageDigest.isEqual(
                digest, digest(sent.substring(SCHEME.length()).strip()));
    }

    /// Names the token in the audit log without giving it away: the first 32 bits of its digest.
    String label() {
        return "token:" + HexFormat.of().formatHex(digest, 0, 4);
    }

    private static byte[] digest(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
