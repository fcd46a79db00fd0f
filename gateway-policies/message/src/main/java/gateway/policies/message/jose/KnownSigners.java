package gateway.policies.message.jose;

import gateway.http.Exchange;
import gateway.key.ApiKey;
import gateway.key.KeyCredential;
import gateway.policies.cryptography.CredentialKeys;
import gateway.policies.cryptography.Cryptography;
import gateway.policies.cryptography.KeyOrigin;
import gateway.policies.cryptography.KeySet;
import gateway.policies.cryptography.KeySource;
import gateway.policies.cryptography.KeySources;
import gateway.policies.cryptography.MessageAlgorithm;
import gateway.policies.cryptography.MessageKey;
import gateway.policies.cryptography.VerificationKey;
import java.util.Optional;

/// Those who may have signed a message.
sealed interface KnownSigners {
    /// The id of the key that has signed the message; empty when it is nobody's.
    ///
    /// @throws gateway.service.DependencyException when that cannot be found out
    Optional<String> signer(SignedMessage signed, Exchange exchange);

    static KnownSigners compile(VerifyStep step, JosePlace place) {
        if (step.keys().isEmpty()) return new OfCaller(CredentialKeys.of(place.services()), place);
        KeyOrigin origin = step.keys().get();
        KeySource keys =
                new KeySources(place.services(), place.timeout()).of(origin, step.algorithms(), place.pointer());
        return new Given(keys, place);
    }

    /// Those whose keys the definition gives, or a server tells.
    record Given(KeySource keys, JosePlace place) implements KnownSigners {
        @Override
        public Optional<String> signer(SignedMessage signed, Exchange exchange) {
            KeySet known = keys.current();
            Optional<VerificationKey> signer = signer(known, signed);
            if (signer.isEmpty() && !known.isNamed(signed)) {
                signer = keys.newer(known).flatMap(newer -> signer(newer, signed));
            }
            return signer.map(VerificationKey::id);
        }

        private Optional<VerificationKey> signer(KeySet known, SignedMessage signed) {
            if (!known.hasCandidate(signed)) return Optional.empty();
            boolean slow = Cryptography.ofProcess().isSlow(signed.algorithm().kind());
            return place.work(slow, signed.length(), () -> known.signer(signed));
        }
    }

    /// The caller alone, by the public keys of the API key that stands for it.
    record OfCaller(CredentialKeys keys, JosePlace place) implements KnownSigners {
        @Override
        public Optional<String> signer(SignedMessage signed, Exchange exchange) {
            if (!(exchange.consumer().orElse(null) instanceof ApiKey caller)) return Optional.empty();
            byte[] signature = JoseText.decoded(signed.signature());
            for (KeyCredential each : caller.credentials()) {
                Optional<MessageKey> key = MessageAlgorithm.of(each.algorithm())
                        .filter(algorithm -> !algorithm.isShared() && algorithm.is(signed.algorithm()))
                        .flatMap(algorithm -> keys.of(caller, each, algorithm));
                if (key.isPresent() && hasSigned(key.get(), signed, signature)) return Optional.of(caller.id());
            }
            return Optional.empty();
        }

        private boolean hasSigned(MessageKey key, SignedMessage signed, byte[] signature) {
            return place.work(key.isSlow(), signed.length(), () -> key.hasSigned(signed.signed(), signature));
        }
    }
}
