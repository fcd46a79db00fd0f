package gateway.policies.identity;

import gateway.policy.CredentialFields;
import gateway.policy.Policy;
import gateway.policy.Services;
import gateway.policy.Template;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A token that the gateway signs itself, about the caller, as a definition says it. Its `sub` is the caller's id;
/// where
/// nobody is known, it has none.
///
/// @param claims beside those of every token, as the text of a JSON string; those without a value are left out
/// @param header that holds it; `Authorization` as `Bearer`
record OwnToken(
        OwnKey key,
        String issuer,
        Optional<String> audience,
        Map<String, Template> claims,
        Duration lifetime,
        String header)
        implements UpstreamCredential {
    OwnToken {
        claims = Collections.unmodifiableMap(new LinkedHashMap<>(claims));
    }

    @Override
    public Policy ready(Services services) {
        return new OwnTokens(this, key.ready("/jwt", services), services);
    }

    @Override
    public CredentialFields fields() {
        return new CredentialFields(Set.of(header), Set.of());
    }
}
