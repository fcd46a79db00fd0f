package gateway.policies.identity;

import gateway.config.SecretReader;
import gateway.http.Secret;
import gateway.json.ConfigNode;
import gateway.policy.Services;
import gateway.service.PublishedKeys;
import gateway.service.SecretReference;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// A key that the gateway signs tokens with, as a definition says it.
///
/// @param key its private key and public key in PEM
/// @param id empty: made of the public key
record OwnKey(SecretReference key, OwnAlgorithm algorithm, Optional<String> id) {
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9._~-]{1,128}");

    /// One for each key that is served, however many policies sign with it.
    private record Id(OwnAlgorithm algorithm, Optional<String> keyId, Secret pem) {}

    private record Published(SigningKey key) implements PublishedKeys {
        @Override
        public List<JsonNode> keys() {
            return List.of(key.published());
        }
    }

    /// Of the fields `key`, `algorithm` and `keyId`.
    static OwnKey read(ConfigNode node) {
        SecretReference key = SecretReader.read(
                node.field("key", "the private key in PEM (PKCS #8), and its public key or certificate behind it"));
        OwnAlgorithm algorithm = algorithm(node.field("algorithm", "by which it is signed; the key is of its kind"));
        ConfigNode id = node.field("keyId", "names the key in tokens and in the key set")
                .like(ID)
                .unlessGiven("made of the public key");
        return new OwnKey(key, algorithm, id.isPresent() ? Optional.of(id(id)) : Optional.empty());
    }

    private static OwnAlgorithm algorithm(ConfigNode node) {
        List<String> words =
                Arrays.stream(OwnAlgorithm.values()).map(OwnAlgorithm::word).toList();
        String word = node.only(words).text(OwnAlgorithm.ES256.word());
        for (OwnAlgorithm each : OwnAlgorithm.values()) if (each.word().equals(word)) return each;
        node.problem("expected one of " + String.join(", ", words) + ", got \"" + word + '"');
        return OwnAlgorithm.ES256;
    }

    private static String id(ConfigNode node) {
        String text = node.requiredText();
        if (!text.isEmpty() && !ID.matcher(text).matches()) node.expected(ID.pattern());
        return text;
    }

    /// Its public one is found in the gateway's key set from then on, while a policy uses it.
    ///
    /// @param pointer where what is read stands in its policy
    /// @throws gateway.json.InvalidConfigException when it is none for that algorithm
    SigningKey ready(String pointer, Services services) {
        Secret pem = services.secret(key);
        SigningKey read = SigningKey.read(pem.reveal(), algorithm, id, pointer + "/key");
        return services.shared(new Id(algorithm, id, pem), Published.class, () -> new Published(read))
                .key();
    }
}
