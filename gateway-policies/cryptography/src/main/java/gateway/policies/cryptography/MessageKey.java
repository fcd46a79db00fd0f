package gateway.policies.cryptography;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// A key that messages are verified with, by the one algorithm that it is for. Used by many threads at once.
public sealed interface MessageKey {
    /// Whether the key has made `signature` of `base`.
    boolean hasSigned(byte[] base, byte[] signature);

    /// Whether that takes so long that a worker does it.
    boolean isSlow();

    static MessageKey of(MessageAlgorithm algorithm, byte[] secret) {
        return Shared.of(algorithm, secret);
    }

    /// @param key of the kind that the algorithm takes
    static MessageKey of(MessageAlgorithm algorithm, PublicKey key) {
        return new Public(algorithm, Cryptography.ofProcess().ready(PublicKey.class, key));
    }

    /// One that nobody knows: signatures of unknown keys are looked at with it, so that they take as long as others.
    static MessageKey decoy() {
        var secret = new byte[32];
        new SecureRandom().nextBytes(secret);
        return of(MessageAlgorithm.HMAC_SHA256, secret);
    }

    /// A secret that the signer has too.
    ///
    /// @param ready holds the secret, and is copied for each message: to make another takes twice as long
    record Shared(MessageAlgorithm algorithm, Mac ready) implements MessageKey {
        private static Shared of(MessageAlgorithm algorithm, byte[] secret) {
            try {
                Mac mac = Mac.getInstance(algorithm.javaName());
                mac.init(new SecretKeySpec(secret, algorithm.javaName()));
                return new Shared(algorithm, mac);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("every Java has " + algorithm, e);
            }
        }

        @Override
        public boolean hasSigned(byte[] base, byte[] signature) {
            try {
                return MessageDigest.isEqual(((Mac) ready.clone()).doFinal(base), signature);
            } catch (CloneNotSupportedException e) {
                throw new IllegalStateException("Java's own can be copied", e);
            }
        }

        @Override
        public boolean isSlow() {
            return false;
        }

        /// Without the key, whose hash its own text would tell.
        @Override
        public String toString() {
            return algorithm.word();
        }
    }

    record Public(MessageAlgorithm algorithm, PublicKey key) implements MessageKey {
        private static final PSSParameterSpec PSS =
                new PSSParameterSpec("SHA-512", "MGF1", MGF1ParameterSpec.SHA512, 64, 1);

        @Override
        public boolean hasSigned(byte[] base, byte[] signature) {
            try {
                Signature check = Cryptography.ofProcess().signature(algorithm.javaName());
                if (algorithm == MessageAlgorithm.RSA_PSS_SHA512) check.setParameter(PSS);
                check.initVerify(key);
                check.update(base);
                return check.verify(signature);
            } catch (GeneralSecurityException e) {
                return false; // of another length, or no signature by its form
            }
        }

        @Override
        public boolean isSlow() {
            return Cryptography.ofProcess().isSlow(algorithm.kind());
        }
    }
}
