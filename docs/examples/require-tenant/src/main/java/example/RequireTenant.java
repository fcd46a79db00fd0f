package example;

import gateway.http.Problem;
import gateway.json.ConfigNode;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import gateway.policy.Verdict;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Lets only requests pass that name one of its tenants in `X-Tenant`: 403 to the others.
///
/// @param tenants that may call
public record RequireTenant(Set<String> tenants) implements PolicySpec {
    private static final String HEADER = "X-Tenant";

    public RequireTenant {
        tenants = Set.copyOf(tenants);
    }

    @Override
    public Policy compile(PolicyPlace place, Services services) {
        return exchange -> {
            List<String> sent = exchange.headers().all(HEADER);
            if (sent.size() == 1 && tenants.contains(sent.getFirst())) return Verdict.proceed();
            return Verdict.stop(Problem.of("tenant-unknown", 403, "Tenant unknown", "Name one tenant in " + HEADER)
                    .toResponse(exchange.requestId()));
        };
    }

    public static final class Type implements PolicyType {
        @Override
        public String name() {
            return "require-tenant";
        }

        @Override
        public Stage stage() {
            return Stage.GUARD;
        }

        @Override
        public RequireTenant read(ConfigNode node) {
            ConfigNode tenants = node.field("tenants", "who may call");
            var found = new HashSet<>(tenants.list(ConfigNode::requiredText));
            if (found.isEmpty()) tenants.problem("expected at least one tenant");
            return new RequireTenant(found);
        }
    }
}
