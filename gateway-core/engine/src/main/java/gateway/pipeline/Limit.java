package gateway.pipeline;

import gateway.http.Exchange;
import gateway.policy.Condition;
import gateway.policy.LimitPolicy;
import gateway.policy.OnOutage;
import gateway.policy.PolicyDefinition;
import gateway.service.StepMeter;
import org.jspecify.annotations.Nullable;

/// One limit policy of a limit step.
///
/// @param asked what its condition wants whole of a request; null when that is nothing
record Limit(
        PolicyDefinition definition,
        LimitPolicy policy,
        StepMeter meter,
        @Nullable HeldBodies asked) {
    boolean applies(Exchange exchange, PipelineRun pipelineRun) {
        Condition when = definition.when();
        if (asked != null && when.needsBody(exchange)) asked.gather(exchange, pipelineRun.waiter());
        return when.holds(exchange);
    }

    String name() {
        return definition.step();
    }

    OnOutage onOutage() {
        return definition.onOutage();
    }
}
