package gateway.policies.standard;

import gateway.http.Allowance;
import gateway.http.Consumer;
import gateway.http.Exchange;
import gateway.policy.AnswerCondition;
import gateway.policy.CompiledPolicy;
import gateway.policy.Condition;
import gateway.policy.LimitPolicy;
import gateway.policy.OnOutage;
import gateway.policy.PolicyDefinition;
import gateway.policy.PolicyLayer;
import gateway.policy.PolicyMode;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.Services;
import gateway.policy.Stage;
import gateway.policy.Verdict;
import gateway.service.Charge;
import gateway.service.Counting;
import gateway.service.Permit;
import java.util.List;
import java.util.Optional;

/// Callers' own rate limits and quotas, of their keys or plans: what authenticates keys brings both along, so that they
/// hold wherever a key opens something. Where the definition has a limit by key, which such numbers replace, that one
/// counts in their place: a counter is spent once a request.
final class OwnLimits {
    /// Named `key:rate-limit` and `key:quota`.
    static final List<PolicyDefinition> BOTH =
            List.of(definition("rate-limit", LimitKind.RATE), definition("quota", LimitKind.QUOTA));

    private OwnLimits() {}

    private static PolicyDefinition definition(String type, LimitKind kind) {
        return new PolicyDefinition(
                "key:" + type,
                type,
                Stage.LIMIT,
                new OwnLimit(kind),
                Condition.ALWAYS,
                AnswerCondition.ALWAYS,
                OnOutage.DENY,
                PolicyMode.ENFORCE,
                false,
                PolicyLayer.BROUGHT,
                "");
    }

    /// Tells of no dependency: without the counters it refuses those who have numbers of their own, and readiness tells
    /// of policies that refuse everybody.
    private record OwnLimit(LimitKind kind) implements PolicySpec {
        @Override
        public CompiledPolicy compile(PolicyPlace place, Services services) {
            return new Counted(new OwnNumbers(kind, place.step(), services.clock()));
        }
    }

    private record Counted(OwnNumbers numbers) implements LimitPolicy {
        @Override
        public Optional<Charge> charge(Exchange exchange) {
            Optional<Consumer> caller = exchange.consumer();
            if (caller.isEmpty()) return Optional.empty();
            Optional<Allowance> own = numbers.of(caller.get());
            return own.isEmpty()
                    ? Optional.empty()
                    : Optional.of(numbers.charge(caller.get(), own.get(), Counting.EXACT));
        }

        @Override
        public Verdict settle(Exchange exchange, Permit permit) {
            Allowance own = numbers.of(exchange.consumer().orElseThrow()).orElseThrow();
            return numbers.settle(exchange, permit, numbers.texts(own));
        }
    }
}
