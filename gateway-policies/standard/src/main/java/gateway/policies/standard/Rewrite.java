package gateway.policies.standard;

import com.google.auto.service.AutoService;
import gateway.http.Exchange;
import gateway.http.Problem;
import gateway.json.ConfigNode;
import gateway.policy.BodyUse;
import gateway.policy.Condition;
import gateway.policy.NestedPolicies;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import gateway.policy.Verdict;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Sends the upstream another path, query, method or host than the client asked for, or chooses a branch of it. What
/// was decided by what the client sent stays decided.
///
/// @param rules of which the first one that is for a request changes it
/// @param listed whether they stand in a list, rather than one in the policy's own fields
public record Rewrite(List<RewriteRule> rules, boolean listed) implements PolicySpec {
    private static final int MOST = 100;

    public Rewrite {
        rules = List.copyOf(rules);
    }

    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        RewriteRule[] each = rules.toArray(RewriteRule[]::new);
        LongMatches[] matches = rules.stream()
                .map(rule -> new LongMatches(services.workers(), PathRewrite.instructions(rule.path())))
                .toArray(LongMatches[]::new);
        return exchange -> {
            for (int i = 0; i < each.length; i++) {
                RewriteRule rule = each[i];
                if (!rule.when().holds(exchange)) continue;
                Optional<String> path = matches[i].on(
                        exchange.outgoing().path(), exchange, () -> rule.path().of(exchange));
                if (path.isPresent()) return changed(rule, path.get(), exchange);
            }
            return Verdict.proceed();
        };
    }

    private static Verdict changed(RewriteRule rule, String path, Exchange exchange) {
        Optional<String> flaw = rule.apply(path, exchange);
        if (flaw.isEmpty()) return Verdict.proceed();
        return Verdict.stop(
                Problem.of("bad-path", 400, "Bad request", flaw.get()).toResponse(exchange.requestId()));
    }

    @Override
    public BodyUse bodyUse() {
        return rules.stream().anyMatch(rule -> rule.when().readsBody())
                ? BodyUse.ofRequests(Condition.BODY)
                : BodyUse.NONE;
    }

    @Override
    public Map<String, String> branches() {
        var branches = new LinkedHashMap<String, String>();
        for (int i = 0; i < rules.size(); i++) {
            String branch = rules.get(i).target();
            if (!branch.isEmpty()) branches.put((listed ? "/rules/" + i : "") + "/target", branch);
        }
        return branches;
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        @Override
        public String name() {
            return "rewrite";
        }

        @Override
        public Stage stage() {
            return Stage.TRANSFORM;
        }

        @Override
        public Rewrite read(ConfigNode node) {
            return read(node, NestedPolicies.NONE);
        }

        @Override
        public Rewrite read(ConfigNode node, NestedPolicies nested) {
            ConfigNode list = node.field(
                    "rules",
                    "several, of which the first one that is for a request changes it;"
                            + " 1 to 100, in place of the fields below");
            RewriteRule.describe(node, "rules").apart("rules", RewriteRule.FIELDS.toArray(String[]::new));
            RewriteRule own = RewriteRule.readFields(node);
            if (!list.isPresent()) {
                RewriteRule.requireAny(node);
                return new Rewrite(List.of(own), false);
            }
            RewriteRule.refuseAll(node);
            List<RewriteRule> rules = list.list(rule -> RewriteRule.read(rule, nested));
            int size = list.json().map(json -> json.size()).orElse(0);
            list.extent(1, MOST);
            if (size == 0 || size > MOST) list.problem("expected 1 to " + MOST + " rules, got " + size);
            return new Rewrite(rules, true);
        }
    }
}
