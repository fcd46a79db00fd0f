package gateway.policies.identity;

import com.google.auto.service.AutoService;
import gateway.json.ConfigNode;
import gateway.policies.cryptography.TokenTimes;
import gateway.policies.standard.KeyedCallers;
import gateway.policy.CredentialFields;
import gateway.policy.Dependency;
import gateway.policy.Policy;
import gateway.policy.PolicyDefinition;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Lets only callers pass with a signed token of an issuer that the definition knows (RFC 7519, RFC 8725, RFC 9068):
/// 401 without one that is good now.
///
/// @param timeout of a fetch of keys
/// @param cacheFor how long a token found good is not verified again
/// @param forwardCredential leave the token in the request that the upstream sees
public record Jwt(
        TokenPlaces places,
        List<TokenIssuer> issuers,
        TokenCheck.Rules rules,
        TokenBinding boundTo,
        Duration timeout,
        Duration cacheFor,
        boolean forwardCredential)
        implements PolicySpec {
    public Jwt {
        issuers = List.copyOf(issuers);
    }

    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        return JwtAuthentication.compile(this, placement, services);
    }

    @Override
    public Set<Dependency> dependencies() {
        var found = new HashSet<Dependency>();
        found.addAll(TokenIssuer.servers(issuers));
        if (rules.consumer().key().isPresent()) found.add(Dependency.Store.KEYS);
        if (rules.once()) found.add(Dependency.Store.SHORT_TERM);
        return found;
    }

    /// Keys are fetched behind the requests, so one more that nobody has sent costs no call.
    @Override
    public Optional<String> sideEffect() {
        return rules.once() ? Optional.of("it takes each token once") : Optional.empty();
    }

    @Override
    public List<PolicyDefinition> brings() {
        return rules.consumer().key().isPresent() ? KeyedCallers.limits() : List.of();
    }

    @Override
    public CredentialFields credentials() {
        return places.fields();
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        private static final String ONCE_WITH_EXPIRY = """
                {"if": {"required": ["once"], "properties": {"once": {"const": true}}},
                 "then": {"properties": {"requireExpiry": {"not": {"const": false}}}}}""";

        @Override
        public String name() {
            return "jwt";
        }

        @Override
        public Stage stage() {
            return Stage.AUTHENTICATE;
        }

        @Override
        public Jwt read(ConfigNode node) {
            List<TokenIssuer> found =
                    TokenIssuerReader.readAll(node.field("issuers", "whose tokens are taken, 1 to 32"));
            var binding = node.field("boundTo", "`certificate`: only with the client certificate that `cnf` names")
                    .choice(TokenBinding.NONE);
            return new Jwt(
                    TokenPlaces.read(node),
                    found,
                    rules(node),
                    binding,
                    node.field("timeout", "for a fetch of keys, that of the metadata before it included")
                            .duration(Duration.ofMillis(10), Duration.ofSeconds(30), Duration.ofSeconds(2)),
                    node.field("cacheFor", "how long a token found good is not verified again; `0s`: not at all")
                            .duration(Duration.ZERO, Duration.ofHours(1), Duration.ofMinutes(5)),
                    node.field("forwardCredential", "leave the token in the request that the upstream sees")
                            .bool(false));
        }

        private static TokenCheck.Rules rules(ConfigNode node) {
            TokenTimes times = TokenTimes.read(node);
            var once = node.field("once", "take each token once, by its `jti`");
            node.obeys(ONCE_WITH_EXPIRY);
            boolean taken = once.bool(false);
            if (taken && !times.requireExpiry()) once.problem("expected false, since tokens without exp are taken");
            return new TokenCheck.Rules(
                    times,
                    RequiredClaim.readAll(node),
                    ConsumerClaims.read(node.field("consumer", "which claims, by name or JSON Pointer, say who calls")),
                    taken);
        }
    }
}
