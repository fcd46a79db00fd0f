package gateway.example;

import com.google.auto.service.AutoService;
import gateway.http.Problem;
import gateway.json.ConfigNode;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import gateway.policy.Verdict;

/// Lets a request pass only with a certain header; answers 400 to the others.
public record RequireHeader(String name) implements PolicySpec {
    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        return exchange -> exchange.headers().contains(name)
                ? Verdict.proceed()
                : Verdict.stop(Problem.of("header-missing", 400, "Header missing", "The header " + name + " is missing")
                        .toResponse(exchange.requestId()));
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        @Override
        public String name() {
            return "require-header";
        }

        @Override
        public Stage stage() {
            return Stage.GUARD;
        }

        @Override
        public RequireHeader read(ConfigNode node) {
            return new RequireHeader(node.field("name").requiredText());
        }
    }
}
