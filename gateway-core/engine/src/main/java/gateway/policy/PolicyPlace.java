package gateway.policy;

import java.util.Map;

/// Where a policy stands: names its counters so that a reload finds them again.
///
/// @param api the API's id
/// @param step unique in the API: the policy's id, or its type, or `type-2` for the second of that type and so on;
/// after `v1/` in a version and `set:gold/` in a policy set
/// @param shared whether it counts for all APIs together
/// @param firstTargets of the upstream behind it, see [gateway.service.Upstream#firstTargets]
public record PolicyPlace(String api, String step, boolean shared, Map<String, String> firstTargets) {
    public PolicyPlace {
        firstTargets = Map.copyOf(firstTargets);
    }

    /// One before no upstream.
    public PolicyPlace(String api, String step, boolean shared) {
        this(api, step, shared, Map.of());
    }

    /// One that counts for its API alone.
    public PolicyPlace(String api, String step) {
        this(api, step, false);
    }

    /// The same before an upstream.
    public PolicyPlace before(Map<String, String> targets) {
        return new PolicyPlace(api, step, shared, targets);
    }

    /// What tells the upstream, or the branch of it that a request goes to, from another one; empty text when that is
    /// not known.
    ///
    /// @param branch empty for none
    public String firstTarget(String branch) {
        String found = firstTargets.get(branch);
        return found != null ? found : firstTargets.getOrDefault("", "");
    }

    /// What its facts are found by, by the policies that follow: its step without version and set.
    public String facts() {
        return step.substring(step.lastIndexOf('/') + 1);
    }

    /// What its counters are named by: `orders/rate-limit`, or `set:gold/rate-limit` for all APIs together.
    public String counter() {
        return shared ? step : api + '/' + step;
    }
}
