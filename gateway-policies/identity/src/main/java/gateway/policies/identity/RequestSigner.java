package gateway.policies.identity;

import gateway.http.Secret;
import gateway.json.InvalidConfigException;
import gateway.policies.cryptography.MessageAlgorithm;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// What requests are signed with. Used by many threads at once; prints no key.
sealed interface RequestSigner {
    /// The signature of `base`.
    byte[] sign(byte[] base);

    /// @throws InvalidConfigException when the key is none for the algorithm, or weak, without being told
    static RequestSigner of(RequestSignature signature, Secret key) {
        return signature
                .algorithm()
                .own()
                .<RequestSigner>map(algorithm -> new Private(
                        SigningKey.read(key.reveal(), algorithm, Optional.of(signature.keyId()), "/signature/key")))
                .orElseGet(() -> Shared.of(key));
    }

    record Private(SigningKey key) implements RequestSigner {
        @Override
        public byte[] sign(byte[] base) {
            return key.signature(base);
        }
    }

    /// A secret that the upstream has too.
    record Shared(SecretKeySpec key) implements RequestSigner {
        private static final String HMAC = MessageAlgorithm.HMAC_SHA256.javaName();
        private static final int FEWEST_BYTES = 32;

        static Shared of(Secret secret) {
            byte[] octets = secret.reveal().getBytes(StandardCharsets.UTF_8);
            if (octets.length < FEWEST_BYTES) {
                throw new InvalidConfigException(
                        "/signature/key", "expected a secret of at least " + FEWEST_BYTES + " bytes");
            }
            return new Shared(new SecretKeySpec(octets, HMAC));
        }

        @Override
        public byte[] sign(byte[] base) {
            try {
                Mac mac = Mac.getInstance(HMAC);
                mac.init(key);
                return mac.doFinal(base);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("every Java has " + HMAC, e);
            }
        }

        @Override
        public String toString() {
            return HMAC;
        }
    }
}
