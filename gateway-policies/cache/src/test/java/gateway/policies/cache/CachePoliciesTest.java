package gateway.policies.cache;

import gateway.config.OutageCase;
import gateway.config.PolicyModuleContract;
import gateway.http.Exchanges;
import gateway.policy.PolicyType;
import gateway.policy.TroubledServices.Port;
import java.util.List;

/// The policies of this module: what all owe, a page whose example holds, and a test.
final class CachePoliciesTest extends PolicyModuleContract {
    @Override
    protected List<OutageCase> outages(PolicyType type) {
        String shared = "{\"type\": \"cache\", \"shared\": \"store\"}";
        return List.of(OutageCase.of(Port.ENTRIES, shared, _ -> {}, (_, _) -> Exchanges.get("/"))
                .goingOn());
    }
}
