package gateway.app.admin;

import gateway.config.ApiDefinition;
import gateway.policy.Condition;
import gateway.policy.Dependency;
import gateway.policy.OnOutage;
import gateway.policy.PolicyDefinition;
import gateway.policy.PolicyMode;
import gateway.policy.Stage;
import gateway.snapshot.CompiledApi;
import gateway.snapshot.Snapshot;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// Which policies of a snapshot depend on what is away.
final class Dependence {
    private Dependence() {}

    /// The policies that refuse requests for want of the store, as `<api>/<step>` in order; empty while it is there.
    static List<String> refusing(Snapshot snapshot, StoreState store) {
        return store.available() ? List.of() : those(snapshot, policy -> refuses(policy, store));
    }

    /// Whether an API serves requests without the store: some that no operation of it takes, in one of its versions
    /// if it has any.
    static boolean someServeWithout(Snapshot snapshot, StoreState store) {
        return snapshot.apis().values().stream()
                .filter(api -> api.route().isPresent())
                .anyMatch(api -> servesWithout(api.definition(), store));
    }

    private static boolean servesWithout(ApiDefinition api, StoreState store) {
        if (refusesAll(api.policies(), store)) return false;
        return api.versions().isEmpty()
                || api.versions().get().list().stream().anyMatch(version -> !refusesAll(version.policies(), store));
    }

    private static boolean refusesAll(List<PolicyDefinition> policies, StoreState store) {
        boolean waived = policies.stream().anyMatch(each -> each.spec().waivesAuthentication());
        return policies.stream()
                .filter(each -> !waived || each.stage() != Stage.AUTHENTICATE)
                .anyMatch(each -> refusesAll(each, store));
    }

    /// Whether it refuses whatever comes: no condition leaves requests out, nor is there another way in.
    private static boolean refusesAll(PolicyDefinition policy, StoreState store) {
        if (!policy.when().equals(Condition.ALWAYS)) return false;
        List<PolicyDefinition> alternatives = policy.spec().alternatives();
        if (alternatives.isEmpty()) return refuses(policy, store);
        return policy.mode() != PolicyMode.REPORT && alternatives.stream().allMatch(each -> refuses(each, store));
    }

    /// The policies that call servers which are away, by the servers' names.
    static SortedMap<String, List<String>> calling(Snapshot snapshot, Set<String> away) {
        var calling = new TreeMap<String, List<String>>();
        for (String server : away) {
            var dependency = new Dependency.Server(server);
            List<String> policies =
                    those(snapshot, policy -> policy.spec().dependencies().contains(dependency));
            if (!policies.isEmpty()) calling.put(server, policies);
        }
        return calling;
    }

    private static List<String> those(Snapshot snapshot, Predicate<PolicyDefinition> wanted) {
        return snapshot.apis().values().stream()
                .filter(api -> api.route().isPresent())
                .flatMap(api -> those(api, wanted))
                .sorted()
                .toList();
    }

    private static Stream<String> those(CompiledApi api, Predicate<PolicyDefinition> wanted) {
        return api.definition().allPolicies().stream()
                .filter(wanted)
                .map(policy -> api.definition().id() + "/" + policy.step());
    }

    private static boolean refuses(PolicyDefinition policy, StoreState store) {
        if (policy.mode() == PolicyMode.REPORT) return false;
        Set<Dependency> dependencies = policy.spec().dependencies();
        boolean wantsStore =
                dependencies.contains(Dependency.Store.COUNTERS) || dependencies.contains(Dependency.Store.SHORT_TERM);
        return (dependencies.contains(Dependency.Store.KEYS) && !store.keysGoOn())
                || (wantsStore && policy.onOutage() == OnOutage.DENY);
    }
}
