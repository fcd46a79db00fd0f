package gateway.policies.standard;

import com.google.auto.service.AutoService;
import gateway.http.Exchange;
import gateway.http.Problem;
import gateway.json.ConfigNode;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import gateway.policy.Verdict;
import java.util.List;

/// Bounds the bytes of a request's body; answers 413 past it.
///
/// @param max bytes as they come over the wire
public record RequestSizeLimit(long max) implements PolicySpec {
    private static final long LARGEST = 1L << 40;

    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        return this::decide;
    }

    private Verdict decide(Exchange exchange) {
        if (exchange.body().length().orElse(0) > max) return tooLarge(exchange);
        exchange.limitBody(max);
        return Verdict.proceed();
    }

    private Verdict tooLarge(Exchange exchange) {
        String detail = "The body is larger than " + max + " bytes";
        return Verdict.stop(
                Problem.of("body-too-large", 413, "Content too large", detail).toResponse(exchange.requestId()));
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        @Override
        public String name() {
            return "request-size-limit";
        }

        @Override
        public Stage stage() {
            return Stage.GUARD;
        }

        @Override
        public List<Stage> stages() {
            return List.of(Stage.GUARD, Stage.VALIDATE);
        }

        @Override
        public RequestSizeLimit read(ConfigNode node) {
            return new RequestSizeLimit(node.field("max", "most bytes of body; headers do not count")
                    .size(0, LARGEST));
        }
    }
}
