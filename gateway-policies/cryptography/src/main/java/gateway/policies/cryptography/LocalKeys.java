package gateway.policies.cryptography;

import gateway.json.InvalidConfigException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// Keys that the definition holds, or refers to.
public record LocalKeys(KeySet current) implements KeySource {
    /// Those of a key set, of public keys only.
    ///
    /// @param algorithms one of the keys is for one of these
    /// @throws InvalidConfigException when none is, or one could sign, or it is no key set
    public static LocalKeys ofSet(JsonNode set, Set<SigningAlgorithm> algorithms) {
        if (JwkReader.holdsSecrets(set)) {
            throw new InvalidConfigException("", "expected public keys only, got a private key or a secret");
        }
        KeySet keys = JwkReader.read(set);
        requireFitting(keys.keys(), algorithms);
        return new LocalKeys(keys);
    }

    /// The public key or that of the certificate in `text`.
    ///
    /// @param algorithms it is for one of these
    /// @throws InvalidConfigException when it is not, or there is none
    public static LocalKeys ofPem(String text, Set<SigningAlgorithm> algorithms) {
        List<VerificationKey> keys = PemReader.read(text).stream().toList();
        requireFitting(keys, algorithms);
        return new LocalKeys(KeySet.of(keys.getFirst()));
    }

    private static void requireFitting(List<VerificationKey> keys, Set<SigningAlgorithm> algorithms) {
        boolean fits = keys.stream().anyMatch(key -> algorithms.stream().anyMatch(key::fits));
        if (!fits) {
            throw new InvalidConfigException(
                    "",
                    "expected a key for one of the algorithms: RSA of 2048 to 8192 bits, P-256, P-384, P-521 or Ed25519");
        }
    }

    @Override
    public Optional<KeySet> newer(KeySet seen) {
        return Optional.empty();
    }
}
