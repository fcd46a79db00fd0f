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

/// Says which caller may do what, by scopes, tags, ids and claims. The first rule that covers a request decides
/// about it.
public record Authorize(List<AuthorizationRule> rules, Otherwise otherwise) implements PolicySpec {
    private static final int MOST_RULES = 200;

    /// What becomes of requests that no rule covers.
    enum Otherwise {
        DENY,
        ALLOW
    }

    public Authorize {
        rules = List.copyOf(rules);
    }

    @Override
    public boolean decidesByPath() {
        return rules.stream().anyMatch(rule -> !rule.paths().isEmpty());
    }

    @Override
    public boolean mayReport() {
        return true;
    }

    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        String challenge = "Bearer realm=\"" + placement.api() + "\", error=\"insufficient_scope\", scope=\"";
        return exchange -> decide(exchange, challenge);
    }

    private Verdict decide(Exchange exchange, String challenge) {
        if (exchange.authenticationWaived()) return Verdict.proceed(); // open to everybody: a preflight, say
        for (int i = 0; i < rules.size(); i++) {
            AuthorizationRule rule = rules.get(i);
            if (!rule.covers(exchange)) continue;
            if (!rule.admits(exchange)) return refused(exchange);
            return rule.hasScopes(exchange) ? Verdict.proceed() : unscoped(exchange, challenge, rule);
        }
        return otherwise == Otherwise.ALLOW ? Verdict.proceed() : refused(exchange);
    }

    private static Verdict refused(Exchange exchange) {
        return CredentialRefusal.forbidden(exchange, "You may not do this here");
    }

    private static Verdict unscoped(Exchange exchange, String challenge, AuthorizationRule rule) {
        String needed = rule.neededScopes();
        return Verdict.stop(
                Problem.of("insufficient-scope", 403, "Insufficient scope", "Your token lacks the scope " + needed)
                        .toResponse(exchange.requestId())
                        .with("WWW-Authenticate", challenge + needed + '"'));
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        @Override
        public String name() {
            return "authorize";
        }

        @Override
        public Stage stage() {
            return Stage.AUTHORIZE;
        }

        @Override
        public Authorize read(ConfigNode node) {
            ConfigNode list = node.field("rules", "the first that covers a request decides about it");
            List<AuthorizationRule> rules = list.list(AuthorizationRule::read);
            list.extent(1, MOST_RULES);
            if (rules.isEmpty() || rules.size() > MOST_RULES)
                list.problem("expected 1 to " + MOST_RULES + " rules, got " + rules.size());
            return new Authorize(
                    rules,
                    node.field("otherwise", "what becomes of requests that no rule covers")
                            .choice(Otherwise.DENY));
        }
    }
}
