package gateway.app.admin;

import gateway.http.Secret;
import gateway.service.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;

/// A token of the admin API, kept as its SHA-256 digest. Digests have one length, so comparing them takes the same time
/// wherever a wrong token differs.
final class AdminToken {
    static final int DIGEST_BYTES = 32;
    private final byte[] digest;
    private final AdminCaller caller;

    private AdminToken(byte[] digest, AdminCaller caller) {
        this.digest = digest;
        this.caller = caller;
    }

    /// The token of the settings, which has all rights. Its name is made of the first 32 bits of its digest.
    static AdminToken of(Secret token) {
        byte[] digest = digest(token.reveal());
        return new AdminToken(
                digest, AdminCaller.ofAllRights("token:" + HexFormat.of().formatHex(digest, 0, 4)));
    }

    /// A token that only its digest is known of.
    static AdminToken ofDigest(byte[] digest, AdminCaller caller) {
        return new AdminToken(digest.clone(), caller);
    }

    AdminCaller caller() {
        return caller;
    }

    boolean isOf(byte[] sentDigest) {
        return MessageDigest.isEqual(digest, sentDigest);
    }

    static byte[] digest(String token) {
        return Sha256.of(token.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String toString() {
        return caller.name();
    }
}
