package gateway.policies.identity;

import gateway.http.Secret;
import gateway.policy.CredentialFields;
import gateway.policy.Policy;
import gateway.policy.Services;
import gateway.policy.Template;
import gateway.service.PublishedKeys;
import gateway.service.SecretReference;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// A token that the gateway signs itself, about the caller, as a definition says it. Its `sub` is the caller's id;
/// where
/// nobody is known, it has none.
///
/// @param key its private key and public key in PEM
/// @param keyId empty: made of the public key
/// @param claims beside those of every token, as the text of a JSON string; those without a value are left out
/// @param header that holds it; `Authorization` as `Bearer`
record OwnToken(
        SecretReference key,
        OwnAlgorithm algorithm,
        Optional<String> keyId,
        String issuer,
        Optional<String> audience,
        Map<String, Template> claims,
        Duration lifetime,
        String header)
        implements UpstreamCredential {
    OwnToken {
        claims = Collections.unmodifiableMap(new LinkedHashMap<>(claims));
    }

    /// One for each key that is served, however many policies sign with it.
    private record Id(OwnAlgorithm algorithm, Optional<String> keyId, Secret pem) {}

    private record Published(SigningKey key) implements PublishedKeys {
        @Override
        public List<JsonNode> keys() {
            return List.of(key.published());
        }
    }

    @Override
    public Policy ready(Services services) {
        Secret pem = services.secret(key);
        SigningKey read = SigningKey.read(pem.reveal(), algorithm, keyId, "/jwt/key");
        Published published =
                services.shared(new Id(algorithm, keyId, pem), Published.class, () -> new Published(read));
        return new OwnTokens(this, published.key(), services);
    }

    @Override
    public CredentialFields fields() {
        return new CredentialFields(Set.of(header), Set.of());
    }
}
