package gateway.config;

import gateway.policy.PolicyDefinition;
import java.util.List;

/// A named list of policies that definitions use: `{"id": "gold", "policies": […]}`. One object stands for one text of
/// it and of all sets that it uses: who uses the same object uses the same policies.
///
/// @param source the stored text
/// @param policies its own and those of the sets that it uses, each once
/// @param uses the sets named in its text
/// @param references to secrets and resources in its text
/// @param cost beyond its text, without those that it uses
public record PolicySet(
        String id,
        String name,
        String source,
        List<PolicyDefinition> policies,
        List<PolicySet> uses,
        References references,
        long cost) {
    public PolicySet {
        policies = List.copyOf(policies);
        uses = List.copyOf(uses);
    }
}
