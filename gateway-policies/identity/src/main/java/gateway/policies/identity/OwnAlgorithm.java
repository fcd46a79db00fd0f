package gateway.policies.identity;

import gateway.policies.cryptography.Cryptography;
import gateway.policies.cryptography.KeyKind;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;

/// An algorithm that the gateway signs its own tokens by.
enum OwnAlgorithm {
    RS256("RS256", KeyKind.RSA, "RSA", "SHA256withRSA"),
    PS256("PS256", KeyKind.RSA, "RSA", "RSASSA-PSS"),
    ES256("ES256", KeyKind.P256, "EC", "SHA256withECDSAinP1363Format"),
    EDDSA("EdDSA", KeyKind.ED25519, "Ed25519", "Ed25519");

    private static final PSSParameterSpec PSS =
            new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, 1);

    private final String word;
    private final KeyKind kind;
    private final String family;
    private final String javaName;

    OwnAlgorithm(String word, KeyKind kind, String family, String javaName) {
        this.word = word;
        this.kind = kind;
        this.family = family;
        this.javaName = javaName;
    }

    /// As a token's `alg` writes it.
    String word() {
        return word;
    }

    KeyKind kind() {
        return kind;
    }

    /// As Java calls keys of it.
    String family() {
        return family;
    }

    Signature signature() throws GeneralSecurityException {
        Signature signature = Cryptography.ofProcess().signature(javaName);
        if (this == PS256) signature.setParameter(PSS);
        return signature;
    }
}
