package gateway.policies.message;

import gateway.config.OutageCase;
import gateway.config.PolicyModuleContract;
import gateway.policies.message.jose.JoseOutages;
import gateway.policy.PolicyType;
import java.util.List;
import java.util.Map;

/// The policies of this module: what all owe, a page whose example holds, and a test.
final class MessagePoliciesTest extends PolicyModuleContract {
    @Override
    protected List<OutageCase> outages(PolicyType type) {
        return type.name().equals("jose") ? JoseOutages.cases() : List.of();
    }

    /// Those that the page shows under their names.
    @Override
    protected Map<String, String> resources(PolicyType type) {
        return page(type).resources();
    }
}
