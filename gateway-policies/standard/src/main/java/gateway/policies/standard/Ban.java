package gateway.policies.standard;

import com.google.auto.service.AutoService;
import gateway.json.ConfigNode;
import gateway.net.IpRanges;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import java.util.List;

/// Keeps those out for a while who keep being refused; answers them 429. It counts answers on their way back, so that
/// it sees failed logins, which limits never do: they stand behind the authentication.
///
/// @param never addresses that are let in whatever they have done
public record Ban(BannedBy by, RefusedAnswers answers, BanRule rule, IpRanges never) implements PolicySpec {
    /// One table for as long as a definition says the same, whatever else changes in it.
    private record Id(String policy, Ban spec) {}

    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        String policy = placement.counter();
        BanTable table =
                services.shared(new Id(policy, this), BanTable.class, () -> BanTable.of(policy, rule, services));
        return new BanGuard(this, table);
    }

    @Override
    public boolean mayReport() {
        return true;
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        @Override
        public String name() {
            return "ban";
        }

        @Override
        public Stage stage() {
            return Stage.GUARD;
        }

        @Override
        public List<Stage> stages() {
            return List.of(Stage.GUARD, Stage.AUTHORIZE);
        }

        private static final String KEY_IS_KNOWN = """
                {"if": {"required": ["by"], "properties": {"by": {"const": "key"}}},
                 "then": {"required": ["stage"], "properties": {"stage": {"const": "authorize"}}}}""";

        @Override
        public Ban read(ConfigNode node) {
            ConfigNode place = node.field("by", "who is counted and kept out");
            BannedBy by = BannedBy.read(place.form("`ip`, `key`, `header:<name>`"));
            node.obeys(KEY_IS_KNOWN);
            boolean behind = node.field("stage")
                    .json()
                    .filter(json -> json.isString() && json.stringValue().equals(ConfigNode.word(Stage.AUTHORIZE)))
                    .isPresent();
            if (by instanceof BannedBy.Key && !behind) {
                place.problem("expected \"key\" only with \"stage\": \"authorize\", where it is known who calls");
            }
            return new Ban(
                    by,
                    RefusedAnswers.read(
                            node.field("answers", "which answers count").unlessGiven("statuses 401 and 403")),
                    BanRule.read(node),
                    IpRanges.read(node.field("never", "addresses that are never kept out: offices behind one address")
                            .form("addresses and CIDR ranges")
                            .unlessGiven("nobody")));
        }
    }
}
