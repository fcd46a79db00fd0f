package gateway.key;

import java.util.List;
import java.util.Optional;

/// What the holder of an API key proves to be it by, beside the key's own secret: a public key, or a secret that both
/// have, which is kept sealed since a signature cannot be checked against a hash.
///
/// @param algorithm the one that it is used with, of [#ALGORITHMS]
/// @param pem public key or certificate
/// @param sealed envelope of the shared secret
public record KeyCredential(String algorithm, Optional<String> pem, Optional<String> sealed) {
    public static final List<String> ALGORITHMS = List.of(
            "hmac-sha1",
            "hmac-sha256",
            "hmac-sha384",
            "hmac-sha512",
            "rsa-pss-sha512",
            "rsa-v1_5-sha256",
            "ecdsa-p256-sha256",
            "ecdsa-p384-sha384",
            "ed25519");

    /// Whether what it is used with is a secret that both have.
    public static boolean isShared(String algorithm) {
        return algorithm.startsWith("hmac-");
    }
}
