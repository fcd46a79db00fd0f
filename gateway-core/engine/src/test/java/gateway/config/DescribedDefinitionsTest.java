package gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Response;
import gateway.json.ConfigNode;
import gateway.policy.NestedPolicies;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Stage;
import gateway.policy.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Descriptions are asked for by people who wait: how often types are read for them is bounded.
final class DescribedDefinitionsTest {
    @Test
    void a_type_is_read_as_often_however_many_others_hold_policies() {
        assertThat(readings(5, 10)).isEqualTo(readings(5, 1));
    }

    @Test
    void a_type_with_four_times_the_fields_is_read_less_than_five_times_as_often() {
        assertThat(readings(40, 1)).isLessThan(5 * readings(10, 1));
    }

    /// How often a type with this many fields is read until all kinds of documents are described.
    private static int readings(int fields, int holders) {
        var counted = new Counted(fields, new AtomicInteger());
        List<PolicyType> types = new ArrayList<>(List.of(counted));
        for (int i = 0; i < holders; i++) types.add(new Holder("holder-" + i));

        DescribedDefinitions described = new DefinitionReader(PolicyRegistry.of(types)).described();

        assertThat(described.api().shapes()).containsKeys("Policy", "Nestedauthenticate");
        assertThat(described.global().shapes()).containsKeys("SetPolicy", "Nestedauthenticate");
        return counted.readings().get();
    }

    private static PolicySpec nothing() {
        return TestPolicies.spec(_ -> Verdict.stop(Response.of(403)));
    }

    private record Counted(int fields, AtomicInteger readings) implements PolicyType {
        @Override
        public String name() {
            return "counted";
        }

        @Override
        public Stage stage() {
            return Stage.AUTHENTICATE;
        }

        @Override
        public PolicySpec read(ConfigNode node) {
            readings.incrementAndGet();
            for (int i = 0; i < fields; i++) node.field("field" + i).integer(1, 9);
            return nothing();
        }
    }

    private record Holder(String name) implements PolicyType {
        @Override
        public Stage stage() {
            return Stage.GUARD;
        }

        @Override
        public PolicySpec read(ConfigNode node) {
            return nothing();
        }

        @Override
        public PolicySpec read(ConfigNode node, NestedPolicies nested) {
            nested.read(node.field("policies"), Stage.AUTHENTICATE);
            return nothing();
        }
    }
}
