package gateway.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.config.TestPolicies;
import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.http.UpstreamWaiter;
import gateway.policy.Condition;
import gateway.policy.LimitPolicy;
import gateway.policy.PolicyDefinition;
import gateway.policy.PolicyMode;
import gateway.policy.RunsOn;
import gateway.policy.Stage;
import gateway.policy.Verdict;
import gateway.service.Charge;
import gateway.service.Counting;
import gateway.service.FakeLimitStore;
import gateway.service.ManualClock;
import gateway.service.Permit;
import gateway.service.Rule;
import gateway.service.StepMeter;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class LimitStepTest {
    private final FakeLimitStore store = new FakeLimitStore(ManualClock.create());

    @Test
    void spends_once_what_two_limits_charge_alike() {
        var own = new Charge("rate:key:k", "k", new Rule.TokenBucket(2, 1_000_000_000, 2), Counting.EXACT, false);
        var step = new LimitStep(
                0, List.of(limit("rate-limit", own), limit("rate-limit-2", own)), store, store, PolicyMode.ENFORCE);

        assertThat(step.take(Exchanges.get("/").make(), new PipelineRun(UpstreamWaiter.NOBODY)))
                .isNull();
        assertThat(step.take(Exchanges.get("/").make(), new PipelineRun(UpstreamWaiter.NOBODY)))
                .isNull();
        assertThat(step.take(Exchanges.get("/").make(), new PipelineRun(UpstreamWaiter.NOBODY)))
                .isNotNull();
    }

    private static Limit limit(String name, Charge charge) {
        var policy = new Charging(charge);
        var spec = TestPolicies.spec(policy, RunsOn.REQUEST_THREAD);
        return new Limit(new PolicyDefinition(name, Stage.LIMIT, spec, Condition.ALWAYS), policy, StepMeter.NONE, null);
    }

    private record Charging(Charge charge) implements LimitPolicy {
        @Override
        public Optional<Charge> charge(Exchange exchange) {
            return Optional.of(charge);
        }

        @Override
        public Verdict settle(Exchange exchange, Permit permit) {
            return switch (permit) {
                case Permit.Granted _ -> Verdict.proceed();
                case Permit.Denied _ -> Verdict.stop(Response.of(429));
            };
        }
    }
}
