package gateway.config;

import gateway.policy.PolicyDefinition;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Lists of policies that become one.
public final class PolicyLists {
    private PolicyLists() {}

    /// `policies`, and behind them those that they bring, each once.
    static List<PolicyDefinition> withBrought(List<PolicyDefinition> policies) {
        var lists = new ArrayList<List<PolicyDefinition>>();
        lists.add(policies);
        for (PolicyDefinition policy : policies) {
            if (policy.spec().brings().isEmpty()) continue;
            lists.add(policy.spec().brings().stream()
                    .map(brought -> brought.at(policy.pointer()))
                    .toList());
        }
        return lists.size() == 1 ? policies : joined(lists);
    }

    /// All in order, each step where it comes first: a policy set that is used twice runs once.
    public static List<PolicyDefinition> joined(List<List<PolicyDefinition>> lists) {
        Set<String> steps = new HashSet<>();
        var joined = new ArrayList<PolicyDefinition>();
        for (List<PolicyDefinition> list : lists) {
            for (PolicyDefinition policy : list) {
                if (steps.add(policy.step())) joined.add(policy);
            }
        }
        return joined;
    }
}
