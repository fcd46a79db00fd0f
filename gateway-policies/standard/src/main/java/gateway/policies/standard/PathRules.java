package gateway.policies.standard;

import com.google.auto.service.AutoService;
import gateway.http.Exchange;
import gateway.json.ConfigNode;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import gateway.policy.Verdict;
import java.util.List;

/// Opens, closes and limits an API by method and path. What `block` names is closed; else what `ignore` names is
/// open to everybody; else, when there is an `allow` list, only what it names is served.
public record PathRules(List<PathRule> block, List<PathRule> ignore, List<PathRule> allow) implements PolicySpec {
    public PathRules {
        block = List.copyOf(block);
        ignore = List.copyOf(ignore);
        allow = List.copyOf(allow);
    }

    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        var matches = new LongMatches(services.workers(), instructions());
        return exchange -> matches.on(exchange.pathInApi(), exchange, () -> decide(exchange));
    }

    private long instructions() {
        return PathRule.instructions(block) + PathRule.instructions(ignore) + PathRule.instructions(allow);
    }

    @Override
    public boolean decidesByPath() {
        return true;
    }

    @Override
    public boolean waivesAuthentication() {
        return !ignore.isEmpty();
    }

    /// What opens paths to everybody does so in any mode.
    @Override
    public boolean mayReport() {
        return ignore.isEmpty();
    }

    private Verdict decide(Exchange exchange) {
        if (PathRule.anyCovers(block, exchange)) return refused(exchange);
        if (PathRule.anyCovers(ignore, exchange)) {
            exchange.waiveAuthentication();
            return Verdict.proceed();
        }
        if (!allow.isEmpty() && !PathRule.anyCovers(allow, exchange)) return refused(exchange);
        return Verdict.proceed();
    }

    private static Verdict refused(Exchange exchange) {
        return CredentialRefusal.forbidden(exchange, "This path is not served, or not with this method");
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        @Override
        public String name() {
            return "path-rules";
        }

        @Override
        public Stage stage() {
            return Stage.GUARD;
        }

        @Override
        public PathRules read(ConfigNode node) {
            boolean ignoreCase = node.field("caseInsensitive", "compare paths without regard to case")
                    .bool(false);
            return new PathRules(
                    rules(node.field("block", "not served").form("rules").unlessGiven("none"), ignoreCase),
                    rules(
                            node.field("ignore", "served to everybody: no authentication")
                                    .form("rules")
                                    .unlessGiven("none"),
                            ignoreCase),
                    rules(
                            node.field("allow", "when given, nothing else is served")
                                    .form("rules")
                                    .unlessGiven("everything"),
                            ignoreCase));
        }

        private static List<PathRule> rules(ConfigNode node, boolean ignoreCase) {
            node.extent(1, Integer.MAX_VALUE);
            if (node.json().filter(found -> found.isArray() && found.isEmpty()).isPresent()) {
                node.problem("expected at least one rule, got []");
            }
            return node.list(rule -> PathRule.read(rule, ignoreCase));
        }
    }
}
