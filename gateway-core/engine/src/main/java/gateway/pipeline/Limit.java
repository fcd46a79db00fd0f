package gateway.pipeline;

import gateway.policy.Condition;
import gateway.policy.LimitPolicy;
import gateway.policy.OnOutage;
import gateway.policy.PolicyDefinition;
import gateway.service.StepMeter;

/// One limit policy of a limit step.
record Limit(PolicyDefinition definition, LimitPolicy policy, StepMeter meter) {
    String name() {
        return definition.step();
    }

    Condition when() {
        return definition.when();
    }

    OnOutage onOutage() {
        return definition.onOutage();
    }
}
