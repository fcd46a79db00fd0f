package gateway.policies.identity;

import gateway.http.Consumer;
import gateway.json.InvalidConfigException;
import gateway.policies.cryptography.MessageAlgorithm;
import gateway.policies.cryptography.MessageKey;
import gateway.policies.cryptography.SignatureProfile;
import gateway.policy.Services;
import gateway.service.Resource;
import gateway.service.ResourceReference;
import gateway.service.SecretReference;
import java.nio.charset.StandardCharsets;
import java.security.PublicKey;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// One who signs requests, and the key to verify that by.
///
/// @param id what messages name the key by
/// @param pem public key or certificate; empty text where it is stored, or there is a secret
/// @param stored where the public key or certificate is kept instead
/// @param name of the caller; empty: the id
/// @param apiKey id of the API key that the caller stands for
record MessageSigner(
        String id,
        MessageAlgorithm algorithm,
        String pem,
        Optional<ResourceReference> stored,
        Optional<SecretReference> secret,
        SecretEncoding encoding,
        Optional<String> name,
        List<String> tags,
        Map<String, String> metadata,
        Optional<String> apiKey) {
    private static final int FEWEST_BYTES = 16;
    private static final int FEWEST_BYTES_OF_DRAFT = 8; // what its users have

    /// How a secret's text stands for its octets.
    enum SecretEncoding {
        TEXT,
        BASE64
    }

    MessageSigner {
        tags = List.copyOf(tags);
        metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
    }

    /// @param pointer where the signer stands
    /// @throws InvalidConfigException when the key or the secret cannot be had, is weak or too short
    MessageKey key(SignatureProfile profile, String pointer, Services services) {
        return secret.isPresent()
                ? MessageKey.of(algorithm, octets(secret.get(), profile, pointer + "/secret", services))
                : MessageKey.of(algorithm, publicKey(pointer + "/pem", services));
    }

    private PublicKey publicKey(String pointer, Services services) {
        try {
            String text = stored.map(services::resource).map(Resource::text).orElse(pem);
            return algorithm.publicKey(text).orElseThrow(() -> new InvalidConfigException("", expected(algorithm)));
        } catch (InvalidConfigException e) {
            throw new InvalidConfigException(pointer, e.problems().getFirst().message());
        }
    }

    static String expected(MessageAlgorithm algorithm) {
        return "expected a public key for " + algorithm.word();
    }

    private byte[] octets(SecretReference reference, SignatureProfile profile, String pointer, Services services) {
        byte[] octets = octets(services.secret(reference).reveal(), pointer);
        int fewest = profile == SignatureProfile.DRAFT ? FEWEST_BYTES_OF_DRAFT : FEWEST_BYTES;
        if (octets.length < fewest)
            throw new InvalidConfigException(pointer, "expected a secret of at least " + fewest + " bytes");
        return octets;
    }

    private byte[] octets(String text, String pointer) {
        return switch (encoding) {
            case TEXT -> text.getBytes(StandardCharsets.UTF_8);
            case BASE64 -> {
                try {
                    yield Base64.getDecoder().decode(text.strip());
                } catch (IllegalArgumentException e) {
                    throw new InvalidConfigException(pointer, "expected a secret in Base64");
                }
            }
        };
    }

    /// Who calls, when the signature holds.
    Consumer caller(String api) {
        return new Caller("signature:" + api + '/' + id, name.orElse(id), tags, metadata);
    }

    private record Caller(String id, String name, List<String> tags, Map<String, String> metadata)
            implements Consumer {}
}
