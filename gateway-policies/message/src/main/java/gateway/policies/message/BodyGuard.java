package gateway.policies.message;

import gateway.http.BodyRefusedException;
import gateway.http.Exchange;
import gateway.http.HeldBody;
import gateway.http.Response;
import gateway.policies.message.BodyScope.Found;
import gateway.policy.Followup;
import gateway.policy.Policy;
import gateway.policy.Verdict;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A policy that lets bodies pass or refuses them, of requests, of answers or of both.
public final class BodyGuard implements Policy {
    private static final Logger LOG = LoggerFactory.getLogger(BodyGuard.class);

    private final String name;
    private final BodyScope scope;
    private final BodyCheck check;

    /// What is wrong with a body.
    @FunctionalInterface
    public interface BodyCheck {
        /// @throws BodyRefusedException when it is not what it says it is
        Optional<BodyFlaw> flaw(Exchange exchange, HeldBody body);
    }

    /// @param name of the step, for the log
    public BodyGuard(String name, BodyScope scope, BodyCheck check) {
        this.name = name;
        this.scope = scope;
        this.check = check;
    }

    @Override
    public Verdict apply(Exchange exchange) {
        if (scope.ofRequests()) {
            Optional<BodyFlaw> flaw = flaw(exchange, scope.of(exchange));
            if (flaw.isPresent()) return Verdict.stop(flaw.get().ofRequest(exchange.requestId()));
        }
        return scope.ofResponses() ? Verdict.proceed(new Answer(exchange)) : Verdict.proceed();
    }

    private Optional<BodyFlaw> flaw(Exchange exchange, Found found) {
        return switch (found) {
            case Found.Nothing() -> Optional.empty();
            case Found.Refused(var flaw) -> Optional.of(flaw);
            case Found.Content(var body) -> {
                try {
                    yield check.flaw(exchange, body);
                } catch (BodyRefusedException e) {
                    yield Optional.of(BodyScope.flaw(e));
                }
            }
        };
    }

    private final class Answer implements Followup {
        private final Exchange exchange;

        Answer(Exchange exchange) {
            this.exchange = exchange;
        }

        @Override
        public Response onResponse(Response answer) {
            Optional<BodyFlaw> flaw = flaw(exchange, scope.of(exchange, answer));
            if (flaw.isEmpty()) return answer;
            BodyFlaw why = flaw.get();
            LOG.debug("{} refuses an answer of {}: {} {}", name, exchange.api(), why.detail(), why.errors());
            return why.ofAnswer(exchange.requestId());
        }
    }
}
