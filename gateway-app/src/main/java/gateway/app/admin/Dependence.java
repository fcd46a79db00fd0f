package gateway.app.admin;

import gateway.policy.OnOutage;
import gateway.policy.PolicyDefinition;
import gateway.snapshot.CompiledApi;
import gateway.snapshot.Snapshot;
import java.util.List;
import java.util.stream.Stream;

/// Which policies of a snapshot refuse requests while the store is away.
final class Dependence {
    private Dependence() {}

    /// Their names as `<api>/<step>`, in order; empty while the store is there.
    static List<String> refusing(Snapshot snapshot, StoreState store) {
        if (store.available()) return List.of();
        return snapshot.apis().values().stream()
                .filter(api -> api.route().isPresent())
                .flatMap(api -> refusing(api, store))
                .sorted()
                .toList();
    }

    private static Stream<String> refusing(CompiledApi api, StoreState store) {
        return api.definition().allPolicies().stream()
                .filter(policy -> refuses(policy, store))
                .map(policy -> api.definition().id() + "/" + policy.step());
    }

    private static boolean refuses(PolicyDefinition policy, StoreState store) {
        return switch (policy.spec().storeUse()) {
            case NONE -> false;
            case KEYS -> !store.keysGoOn();
            case COUNTERS -> policy.spec().onOutage() == OnOutage.DENY;
        };
    }
}
