package gateway.policies.standard;

import com.google.auto.service.AutoService;
import gateway.http.Exchange;
import gateway.json.ConfigNode;
import gateway.net.IpRanges;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import gateway.policy.Verdict;
import java.util.List;

/// Lets requests pass by client address; answers 403 to the others.
///
/// @param allow empty: every address that is not denied
/// @param deny holds against `allow`
public record IpFilter(IpRanges allow, IpRanges deny) implements PolicySpec {
    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        return this::decide;
    }

    @Override
    public boolean mayReport() {
        return true;
    }

    private Verdict decide(Exchange exchange) {
        var address = exchange.clientAddress();
        boolean passes = !deny.contains(address) && (allow.isEmpty() || allow.contains(address));
        return passes ? Verdict.proceed() : CredentialRefusal.forbidden(exchange, "Your address is not allowed here");
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        @Override
        public String name() {
            return "ip-filter";
        }

        @Override
        public Stage stage() {
            return Stage.GUARD;
        }

        @Override
        public List<Stage> stages() {
            return List.of(Stage.GUARD, Stage.AUTHORIZE);
        }

        private static final String SOMETHING = """
                {"anyOf": [{"required": ["allow"], "properties": {"allow": {"type": "array", "minItems": 1}}},
                 {"required": ["deny"], "properties": {"deny": {"type": "array", "minItems": 1}}}]}""";

        @Override
        public IpFilter read(ConfigNode node) {
            var filter = new IpFilter(
                    IpRanges.read(node.field("allow", "who may pass")
                            .form("addresses and CIDR ranges")
                            .unlessGiven("everybody")),
                    IpRanges.read(node.field("deny", "who may not, even when `allow` names them")
                            .form("addresses and CIDR ranges")
                            .unlessGiven("nobody")));
            node.obeys(SOMETHING);
            if (namesNothing(node)) node.problem("expected at least one address in \"allow\" or \"deny\"");
            return filter;
        }

        /// An empty `allow` would let everybody pass, which nobody means who writes it.
        private static boolean namesNothing(ConfigNode node) {
            return isEmpty(node.field("allow")) && isEmpty(node.field("deny"));
        }

        private static boolean isEmpty(ConfigNode list) {
            return list.json().isEmpty() || list.json().get().isEmpty();
        }
    }
}
