package gateway.app;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.config.DefinitionReader;
import gateway.config.PolicyRegistry;
import gateway.json.ConfigNode;
import gateway.policy.PolicyDefinition;
import gateway.policy.PolicyMode;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Which policies may be left to report.
final class ModeTest {
    private final DefinitionReader reader = new DefinitionReader(PolicyRegistry.load());

    @Test
    void what_only_refuses_may_report() {
        var node = node("{'type': 'ip-filter', 'deny': ['10.0.0.1'], 'mode': 'report'},"
                + "{'type': 'path-rules', 'block': [{'path': '/x'}], 'mode': 'report'},"
                + "{'type': 'rate-limit', 'requests': 1, 'per': '1s', 'mode': 'report'},"
                + "{'type': 'quota', 'requests': 1, 'per': '1d', 'mode': 'enforce'}");

        assertThat(reader.read(node).policies())
                .extracting(PolicyDefinition::mode)
                .containsExactly(PolicyMode.REPORT, PolicyMode.REPORT, PolicyMode.REPORT, PolicyMode.ENFORCE);
        assertThat(node.problems()).isEmpty();
    }

    @Test
    void what_lets_callers_in_or_changes_something_may_not() {
        assertThat(problems("{'type': 'key-auth', 'mode': 'report'},"
                        + "{'type': 'path-rules', 'ignore': [{'path': '/x'}], 'mode': 'report'},"
                        + "{'type': 'headers', 'response': {'remove': ['Server']}, 'mode': 'report'},"
                        + "{'type': 'ip-filter', 'deny': ['10.0.0.1'], 'mode': 'dream'}"))
                .containsExactlyInAnyOrder(
                        "/policies/0/mode: expected \"enforce\", since this key-auth does more than refuse",
                        "/policies/1/mode: expected \"enforce\", since this path-rules does more than refuse",
                        "/policies/2/mode: expected \"enforce\", since this headers does more than refuse",
                        "/policies/3/mode: expected one of \"enforce\", \"report\", got \"dream\"");
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
