package gateway.policies.standard;

import gateway.http.Exchange;
import gateway.key.ApiKey;
import gateway.key.Plans;
import gateway.policy.PolicyDefinition;
import gateway.policy.Services;
import gateway.policy.Verdict;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// Callers that stand for an API key, which a certificate or a token names by its id: what the key opens, when it
/// expires and its limits hold for them.
public final class KeyedCallers {
    private final KeysById keys;
    private final Plans plans;
    private final InstantSource clock;

    private KeyedCallers(KeysById keys, Plans plans, InstantSource clock) {
        this.keys = keys;
        this.plans = plans;
        this.clock = clock;
    }

    /// Asked for while a policy is compiled.
    public static KeyedCallers of(Services services) {
        var keys = services.shared(
                new KeysById.Id(), KeysById.class, () -> KeysById.create(services.keys(), services.clock()));
        return new KeyedCallers(keys, services.plans(), services.clock());
    }

    /// What a policy that lets such callers in brings along.
    public static List<PolicyDefinition> limits() {
        return OwnLimits.BOTH;
    }

    /// The key as it stands, good or not.
    ///
    /// @throws gateway.service.DependencyException when the store is away
    public Optional<ApiKey> find(String id) {
        return keys.find(id);
    }

    /// Names the holder of the key as the caller and proceeds; 401 when the key is none that is good now, 403 when
    /// it does not open what is asked for.
    ///
    /// @param whose what names the key, such as `certificate`
    /// @param challenge of a 401
    public Verdict decide(Exchange exchange, String id, String whose, String challenge) {
        Optional<ApiKey> found = keys.find(id);
        if (found.isEmpty()) return refused(exchange, whose, "does not exist", challenge);
        ApiKey key = found.get();
        if (!key.enabled()) return refused(exchange, whose, "is disabled", challenge);
        if (key.expired(clock.instant())) return refused(exchange, whose, "is expired", challenge);
        return Grants.decide(exchange, key, plans);
    }

    private static Verdict refused(Exchange exchange, String whose, String why, String challenge) {
        return CredentialRefusal.unauthenticated(exchange, challenge, "The " + whose + "'s API key " + why);
    }
}
