package gateway.config;

import gateway.policy.Condition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Which share of the requests goes to other targets: a canary, two versions side by side.
///
/// @param branches whose percentages add up to 100 at most; the upstream's own targets take the rest
/// @param stickBy what keeps a client on the branch it once had; a cookie is set by the gateway itself
/// @param cookieAge how long that cookie lives
public record SplitDefinition(List<Branch> branches, Optional<RequestTrait> stickBy, Duration cookieAge) {
    public SplitDefinition {
        branches = List.copyOf(branches);
    }

    /// The same with `targets` in place of those of all branches, in order.
    SplitDefinition with(List<TargetDefinition> targets) {
        var changed = new ArrayList<Branch>();
        int from = 0;
        for (Branch each : branches) {
            int end = from + each.targets.size();
            changed.add(new Branch(each.name, each.percent, each.when, targets.subList(from, end)));
            from = end;
        }
        return new SplitDefinition(changed, stickBy, cookieAge);
    }

    /// The targets of all branches, in order.
    List<TargetDefinition> targets() {
        return branches.stream().flatMap(branch -> branch.targets.stream()).toList();
    }

    /// @param percent of the requests that no `when` has sent anywhere
    /// @param when sends every request for which it holds here, first branch first; empty: none
    public record Branch(String name, int percent, Optional<Condition> when, List<TargetDefinition> targets) {
        public Branch {
            targets = List.copyOf(targets);
        }
    }
}
