package gateway.app.admin;

import gateway.config.ApiDefinition;
import gateway.policy.Dependency;
import gateway.policy.OnOutage;
import gateway.policy.PolicyDefinition;
import gateway.policy.PolicyMode;
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

    /// Whether an API serves requests without the store: those that no operation of it takes, in one of its versions
    /// if it has any.
    static boolean someServeWithout(Snapshot snapshot, StoreState store) {
        return snapshot.apis().values().stream()
                .filter(api -> api.route().isPresent())
                .anyMatch(api -> servesWithout(api.definition(), store));
    }

    private static boolean servesWithout(ApiDefinition api, StoreState store) {
        Predicate<PolicyDefinition> refuses = policy -> refuses(policy, store);
        if (api.policies().stream().anyMatch(refuses)) return false;
        return api.versions().isEmpty()
                || api.versions().get().list().stream()
                        .anyMatch(version -> version.policies().stream().noneMatch(refuses));
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
