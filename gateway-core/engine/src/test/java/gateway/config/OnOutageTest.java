package gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.json.ConfigNode;
import gateway.policy.OnOutage;
import gateway.policy.PolicyDefinition;
import java.util.List;
import org.junit.jupiter.api.Test;

/// `onOutage` stands beside `when`, where a type knows how to go on.
final class OnOutageTest {
    private final DefinitionReader reader = new DefinitionReader(TestPolicies.registry());

    @Test
    void a_policy_refuses_unless_told_otherwise() {
        assertThat(policies("{'type': 'ask'}, {'type': 'ask', 'onOutage': 'allow'}, {'type': 'pass'}"))
                .extracting(PolicyDefinition::onOutage)
                .containsExactly(OnOutage.DENY, OnOutage.ALLOW, OnOutage.DENY);
    }

    @Test
    void what_a_type_cannot_do_is_refused_under_its_pointer() {
        assertThat(problems("{'type': 'ask', 'onOutage': 'local'}, {'type': 'ask', 'onOutage': 'panic'},"
                        + "{'type': 'pass', 'onOutage': 'allow'}"))
                .containsExactlyInAnyOrder(
                        "/policies/0/onOutage: expected \"allow\" or \"deny\", got \"local\"",
                        "/policies/1/onOutage: expected one of \"allow\", \"deny\", \"local\", got \"panic\"",
                        "/policies/2/onOutage: unknown field");
    }

    private List<PolicyDefinition> policies(String entries) {
        ConfigNode node = node(entries);
        List<PolicyDefinition> policies = reader.read(node).policies();
        assertThat(node.problems()).isEmpty();
        return policies;
    }

    private List<String> problems(String entries) {
        ConfigNode node = node(entries);
        reader.read(node);
        return node.problems().stream().map(Object::toString).toList();
    }

    private static ConfigNode node(String entries) {
        return ConfigNode.parse(("{'id': 'orders', 'match': {'path': '/'}, 'policies': [" + entries
                        + "], 'upstream': {'targets': [{'url': 'http://127.0.0.1:9'}]}}")
                .replace('\'', '"'));
    }
}
