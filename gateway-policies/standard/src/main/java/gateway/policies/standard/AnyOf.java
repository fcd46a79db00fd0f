package gateway.policies.standard;

import com.google.auto.service.AutoService;
import gateway.json.ConfigNode;
import gateway.json.InvalidConfigException;
import gateway.policy.AuthenticationPolicy;
import gateway.policy.BodyAccess;
import gateway.policy.BodyUse;
import gateway.policy.CredentialFields;
import gateway.policy.Dependency;
import gateway.policy.LimitPolicy;
import gateway.policy.NestedPolicies;
import gateway.policy.NestedPolicy;
import gateway.policy.Policy;
import gateway.policy.PolicyDefinition;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Takes one of several credentials: the first policy whose credential the request carries decides about it alone. So
/// a wrong credential is refused, whatever else would have been taken.
///
/// @param policies that authenticate
/// @param anonymous who calls without any credential; empty: 401
public record AnyOf(List<PolicyDefinition> policies, Several several, Optional<Guest> anonymous) implements PolicySpec {
    private static final int FEWEST = 2;
    private static final int MOST = 8;

    /// What becomes of a request with credentials in several places.
    enum Several {
        REFUSE,
        FIRST
    }

    public AnyOf {
        policies = List.copyOf(policies);
    }

    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        var ways = new ArrayList<AnyOfAuthentication.Way>();
        for (int i = 0; i < policies.size(); i++) {
            String pointer = "/policies/" + i;
            NestedPolicy nested = NestedPolicy.compile(policies.get(i), placement.api(), pointer, services);
            switch (nested.compiled()) {
                case AuthenticationPolicy policy -> ways.add(new AnyOfAuthentication.Way(nested, policy));
                case Policy _, LimitPolicy _ ->
                    throw new InvalidConfigException(
                            pointer + "/type", policies.get(i).type() + " cannot be one of several");
            }
        }
        return new AnyOfAuthentication(ways, several == Several.FIRST, anonymous);
    }

    @Override
    public Set<Dependency> dependencies() {
        var all = new HashSet<Dependency>();
        for (PolicyDefinition each : policies) all.addAll(each.spec().dependencies());
        return all;
    }

    @Override
    public List<PolicyDefinition> alternatives() {
        return policies;
    }

    /// What any of them needs, so each may find more than it asks for.
    @Override
    public BodyUse bodyUse() {
        var held = new ArrayList<BodyAccess.Held>();
        for (PolicyDefinition each : policies) {
            switch (each.spec().bodyUse().request()) {
                case BodyAccess.None() -> {}
                case BodyAccess.Held access -> held.add(access);
                case BodyAccess.Watched _, BodyAccess.Streamed _ ->
                    throw new IllegalStateException(each.type() + " decides before a body passes");
            }
        }
        return held.stream()
                .reduce(BodyAccess.Held::or)
                .map(BodyUse::ofRequests)
                .orElse(BodyUse.NONE);
    }

    @Override
    public List<PolicyDefinition> brings() {
        var all = new ArrayList<PolicyDefinition>();
        for (PolicyDefinition each : policies) all.addAll(each.spec().brings());
        return all;
    }

    @Override
    public Optional<String> sideEffect() {
        return policies.stream()
                .flatMap(each -> each.spec().sideEffect().stream())
                .findFirst();
    }

    @Override
    public CredentialFields credentials() {
        var headers = new HashSet<String>();
        var parameters = new HashSet<String>();
        for (PolicyDefinition each : policies) {
            headers.addAll(each.spec().credentials().headers());
            parameters.addAll(each.spec().credentials().parameters());
        }
        return new CredentialFields(headers, parameters);
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        @Override
        public String name() {
            return "any-of";
        }

        @Override
        public Stage stage() {
            return Stage.AUTHENTICATE;
        }

        @Override
        public AnyOf read(ConfigNode node) {
            return read(node, NestedPolicies.NONE);
        }

        @Override
        public AnyOf read(ConfigNode node, NestedPolicies nested) {
            ConfigNode list = node.field("policies", "2 to 8 that authenticate, asked in this order");
            List<PolicyDefinition> policies = nested.read(list, stage());
            int size = list.json().map(json -> json.size()).orElse(0);
            list.extent(FEWEST, MOST);
            if (size < FEWEST || size > MOST)
                list.problem("expected " + FEWEST + " to " + MOST + " policies, got " + size);
            ConfigNode anonymous =
                    node.field("anonymous", "who calls without any credential").unlessGiven("401");
            return new AnyOf(
                    policies,
                    node.field("several", "what becomes of a request with credentials in several places")
                            .choice(Several.REFUSE),
                    anonymous.isPresent() ? Optional.of(Guest.read(anonymous)) : Optional.empty());
        }
    }
}
