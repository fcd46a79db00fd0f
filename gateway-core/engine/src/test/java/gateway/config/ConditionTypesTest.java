package gateway.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.json.ConfigNode;
import gateway.json.Json;
import gateway.net.AllowedNetworks;
import gateway.policy.Condition;
import gateway.policy.ConditionType;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.core.JsonPointer;

/// Conditions on what policies have found out, and conditions that others bring.
final class ConditionTypesTest {
    /// `{"scheme": "https"}`.
    private static final ConditionType SCHEME = new ConditionType() {
        @Override
        public String name() {
            return "scheme";
        }

        @Override
        public Condition read(ConfigNode node) {
            String expected = node.requiredText();
            return exchange -> exchange.scheme().equals(expected);
        }
    };

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'/jwt/tenant': 'gold'} | true",
                "{'/jwt/tenant': 'silver'} | false",
                "{'/jwt/tenant': '*', '/jwt/roles': 'admin'} | true",
                "{'/jwt/roles': 'guest'} | false",
                "{'/jwt/tenant': ['tin', 'gold']} | true",
                "{'/jwt/roles': ['tin', 'gold']} | false",
                "{'/jwt/level': 3} | true",
                "{'/jwt/level': '3'} | false",
                "{'/jwt/verified': true} | true",
                "{'/jwt/none': '*'} | false",
                "{'/jwt/missing': '*'} | false",
                "{'/other/tenant': 'gold'} | false"
            })
    void a_fact_is_met_by_its_value_or_one_of_its_elements(String facts, boolean holds) {
        Exchange exchange = Exchanges.get("/").make();
        exchange.found("jwt", Json.parse("""
                        {"tenant": "gold", "roles": ["user", "admin"], "level": 3.0, "verified": true, "none": null}"""));

        assertThat(read("{'facts': " + facts + "}", List.of()).holds(exchange)).isEqualTo(holds);
    }

    @Test
    void without_facts_none_is_met() {
        Exchange exchange = Exchanges.get("/").make();

        assertThat(read("{'facts': {'/jwt/tenant': '*'}}", List.of()).holds(exchange))
                .isFalse();
        assertThat(exchange.fact(JsonPointer.compile("/jwt"))).isEmpty();
    }

    @Test
    void a_wrong_place_and_a_wrong_value_are_refused_under_their_pointers() {
        assertThat(problems("{'facts': {'tenant': 'gold', '/jwt/roles': [['admin']]}}"))
                .containsExactlyInAnyOrder(
                        "/facts/tenant: expected a place such as \"/jwt/tenant\", got \"tenant\"",
                        "/facts/~1jwt~1roles: expected text, a number, true or false, or a list of such");
    }

    @Test
    void a_condition_that_others_bring_stands_beside_the_usual_ones() {
        Condition condition = read("{'methods': ['GET'], 'not': {'scheme': 'http'}}", List.of(SCHEME));

        assertThat(condition.holds(Exchanges.get("/").scheme("https").make())).isTrue();
        assertThat(condition.holds(Exchanges.get("/").make())).isFalse();
        assertThat(problems("{'scheme': 'http'}")).containsExactly("/scheme: unknown field");
    }

    @Test
    void it_holds_for_policies_and_branches_alike() {
        var reader =
                new DefinitionReader(PolicyRegistry.of(TestPolicies.types(), List.of(SCHEME)), AllowedNetworks.USUAL);

        ApiDefinition api = reader.read("""
                {"id": "orders", "match": {"path": "/"},
                 "policies": [{"type": "pass", "when": {"scheme": "https"}}],
                 "upstream": {"targets": [{"url": "http://127.0.0.1:9"}],
                              "split": {"branches": [{"name": "beta", "when": {"scheme": "https"},
                                                      "targets": [{"url": "http://127.0.0.1:8"}]}]}}}""");

        assertThat(api.policies().getFirst().when().holds(Exchanges.get("/").make()))
                .isFalse();
    }

    @Test
    void it_may_not_take_the_name_of_another() {
        assertThatThrownBy(() -> PolicyRegistry.of(List.of(), List.of(SCHEME, SCHEME)))
                .hasMessage("two conditions are called scheme");
    }

    private static Condition read(String when, List<ConditionType> more) {
        ConfigNode node = ConfigNode.parse(when.replace('\'', '"'));
        Condition condition = ConditionReader.read(node, more);
        assertThat(node.problems()).isEmpty();
        return condition;
    }

    private static List<String> problems(String when) {
        ConfigNode node = ConfigNode.parse(when.replace('\'', '"'));
        ConditionReader.read(node, List.of());
        return node.problems().stream().map(Object::toString).toList();
    }
}
