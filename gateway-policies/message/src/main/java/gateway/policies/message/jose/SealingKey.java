package gateway.policies.message.jose;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import gateway.policies.cryptography.Cryptography;
import gateway.policies.cryptography.SigningAlgorithm;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.RSAPrivateKey;
import java.util.List;
import java.util.Optional;
import javax.crypto.SecretKey;

/// The key of ours that messages are signed with, by one algorithm. Used by many threads at once.
record SealingKey(JoseKey key, SigningAlgorithm algorithm, Sealing sealing) {
    /// Signs octets.
    @FunctionalInterface
    interface Sealing {
        /// @return the signature in base64url
        String sign(byte[] octets);
    }

    /// The first that is for it; empty when none is.
    static Optional<SealingKey> of(List<JoseKey> keys, SigningAlgorithm algorithm) {
        for (JoseKey each : keys) {
            boolean isLong = !algorithm.isShared() || each.length() >= algorithm.secretBytes();
            if (each.kind() != algorithm.kind() || !each.isFor(algorithm.word()) || !isLong) continue;
            try {
                return Optional.of(new SealingKey(each, algorithm, sealing(each, algorithm)));
            } catch (JOSEException e) {
                // a key of no use for it
            }
        }
        return Optional.empty();
    }

    private static Sealing sealing(JoseKey key, SigningAlgorithm algorithm) throws JOSEException {
        return switch (key.key()) {
            case SecretKey secret -> by(new MACSigner(secret.getEncoded()), algorithm);
            case RSAPrivateKey rsa -> byPrivate(new RSASSASigner(ready((PrivateKey) rsa)), algorithm);
            case ECPrivateKey ec ->
                byPrivate(
                        new ECDSASigner(
                                ready((PrivateKey) ec),
                                OpeningKey.curve(ec.getParams()).orElseThrow()),
                        algorithm);
            case PrivateKey ed25519 -> octets -> signed(ed25519, octets);
            default -> throw new JOSEException("a public key");
        };
    }

    private static PrivateKey ready(PrivateKey key) {
        return Cryptography.ofProcess().ready(PrivateKey.class, key);
    }

    private static Sealing byPrivate(JWSSigner signer, SigningAlgorithm algorithm) {
        Cryptography.ofProcess().provider().ifPresent(signer.getJCAContext()::setProvider);
        return by(signer, algorithm);
    }

    private static Sealing by(JWSSigner signer, SigningAlgorithm algorithm) {
        var header = new JWSHeader(JWSAlgorithm.parse(algorithm.word()));
        return octets -> {
            try {
                return signer.sign(header, octets).toString();
            } catch (JOSEException e) {
                throw new IllegalStateException("a key that fits signs no more", e);
            }
        };
    }

    private static String signed(PrivateKey key, byte[] octets) {
        try {
            Signature signature = Cryptography.ofProcess().signature("Ed25519");
            signature.initSign(key);
            signature.update(octets);
            return JoseText.encoded(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a key that fits signs no more", e);
        }
    }
}
