package gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Response;
import gateway.json.ConfigNode;
import gateway.pipeline.Pipeline;
import gateway.policy.FakeServices;
import gateway.policy.PolicyDefinition;
import gateway.policy.Stage;
import java.util.List;
import org.junit.jupiter.api.Test;

/// `stage` says where a policy stands whose type may stand in several stages.
final class StagesTest {
    private final DefinitionReader reader = new DefinitionReader(TestPolicies.registry());

    @Test
    void a_policy_stands_where_its_type_does_unless_told_otherwise() {
        assertThat(policies("{'type': 'anywhere'}, {'type': 'anywhere', 'stage': 'guard'}, {'type': 'pass'}"))
                .extracting(PolicyDefinition::stage)
                .containsExactly(Stage.TRANSFORM, Stage.GUARD, Stage.TRANSFORM);
    }

    @Test
    void policies_are_sorted_by_the_stage_that_they_have_chosen() {
        List<PolicyDefinition> policies = policies("{'type': 'anywhere', 'id': 'last', 'stage': 'upstream'},"
                + "{'type': 'pass'}, {'type': 'anywhere', 'id': 'first', 'stage': 'guard'}");

        var pipeline = Pipeline.compile("orders", policies, (_, _) -> Response.of(200), new FakeServices());

        assertThat(pipeline).hasToString("[first, pass, last]");
    }

    @Test
    void a_stage_where_the_type_cannot_stand_is_refused_under_its_pointer() {
        assertThat(problems("{'type': 'anywhere', 'stage': 'limit'}, {'type': 'anywhere', 'stage': 'tail'},"
                        + "{'type': 'pass', 'stage': 'guard'}"))
                .containsExactlyInAnyOrder(
                        "/policies/0/stage: expected \"guard\" or \"transform\" or \"upstream\", got \"limit\"",
                        "/policies/1/stage: expected one of \"guard\", \"authenticate\", \"authorize\", \"limit\","
                                + " \"validate\", \"transform\", \"cache\", \"upstream\", got \"tail\"",
                        "/policies/2/stage: unknown field");
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
