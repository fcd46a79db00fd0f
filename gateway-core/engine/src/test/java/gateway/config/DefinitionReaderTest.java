package gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Exchanges;
import gateway.json.ConfigNode;
import gateway.json.ConfigProblem;
import gateway.policy.Condition;
import gateway.policy.PolicyDefinition;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DefinitionReaderTest {
    private final DefinitionReader reader = new DefinitionReader(TestPolicies.registry());

    @Test
    void reads_a_whole_definition() {
        ApiDefinition api = reader.read("""
                {"id": "orders", "name": "Orders", "enabled": true,
                 "match": {"hosts": ["API.example.com", "*.example.org"], "path": "/orders", "methods": ["GET", "POST"]},
                 "stripPath": true,
                 "upstream": {"targets": [{"url": "http://10.0.0.1:9001/base", "weight": 3}], "balance": "round-robin",
                   "connectTimeout": "2s", "timeout": "30s", "preserveHost": false},
                 "policies": [{"type": "pass"}, {"type": "stop", "status": 418}, {"type": "pass"}],
                 "maxBodySize": "1MiB", "trafficLog": false}""");

        assertThat(api.match())
                .isEqualTo(new MatchDefinition(
                        List.of("api.example.com", "*.example.org"), "/orders", Set.of("GET", "POST")));
        assertThat(api.upstream())
                .isEqualTo(new UpstreamDefinition(
                        List.of(new TargetDefinition(URI.create("http://10.0.0.1:9001/base"), 3)),
                        UpstreamDefinition.Balance.ROUND_ROBIN,
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(30),
                        false,
                        Steering.named("orders")));
        assertThat(api.policies().stream().map(PolicyDefinition::step)).containsExactly("pass", "stop", "pass-2");
        assertThat(api.stripPath()).isTrue();
        assertThat(api.maxBodyBytes()).isEqualTo(1 << 20);
        assertThat(api.trafficLog()).isEqualTo(TrafficLogDefinition.OFF);
    }

    @Test
    void a_definition_may_name_its_schema_for_editors() {
        var node = ConfigNode.parse("""
                {"$schema": "../../docs/schema/api.json", "id": "orders", "match": {"path": "/"},
                 "upstream": {"targets": [{"url": "http://h"}]}}""");

        reader.read(node);

        assertThat(node.problems()).isEmpty();
    }

    @Test
    void names_every_problem_under_its_pointer() {
        var node = ConfigNode.parse("""
                {"id": "../etc", "match": {"hosts": ["a b"], "path": "orders", "methods": ["get"]}, "polcies": [],
                 "upstream": {"targets": [{"url": "ftp://x"}, {"url": "http://u:p@x/"}, {"weight": -1, "url": "http://x"}]},
                 "policies": [{"type": "stop"}, {"type": "psas"}, {"type": "pass", "x": 1, "when": {"method": []}}, {}]}""");

        reader.read(node);

        assertThat(node.problems().stream().map(ConfigProblem::pointer))
                .containsExactlyInAnyOrder(
                        "/id",
                        "/match/hosts/0",
                        "/match/path",
                        "/match/methods/0",
                        "/upstream/targets/0/url",
                        "/upstream/targets/1/url",
                        "/upstream/targets/2/weight",
                        "/policies/0/status",
                        "/policies/1/type",
                        "/policies/2/when/method",
                        "/policies/2/x",
                        "/policies/3/type",
                        "/polcies");
        assertThat(node.problems().stream().map(ConfigProblem::toString))
                .contains("/policies/1/type: unknown policy type \"psas\"; did you mean \"pass\"?");
    }

    @ParameterizedTest
    @ValueSource(strings = {"claims", "var", "error"})
    void no_policy_takes_the_name_of_facts_that_are_not_its_own(String id) {
        var node = ConfigNode.parse("""
                {"match": {"path": "/orders"}, "upstream": {"targets": [{"url": "http://a"}]},
                 "policies": [{"type": "pass", "id": "%s"}]}""".formatted(id));

        reader.read(node);

        assertThat(node.problems())
                .extracting(ConfigProblem::toString)
                .contains(
                        "/policies/0/id: expected none of claims, var, error, by which facts of all policies are found,"
                                + " got \"" + id + "\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{}", "[]", "1", "null", "{\"upstream\": {\"targets\": []}}", "{\"match\": [], \"policies\": {}}"
            })
    void has_problems_and_no_exception_with_something_else_altogether(String text) {
        var node = ConfigNode.parse(text);

        reader.read(node);

        assertThat(node.problems()).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'methods': ['POST']} | false",
                "{'methods': ['GET', 'POST']} | true",
                "{'paths': ['/items/{id}']} | true",
                "{'paths': ['/item']} | false",
                "{'headers': {'X-Beta': '*'}} | true",
                "{'headers': {'X-Beta': '2'}} | false",
                "{'cookies': {'beta': '1'}} | true",
                "{'cookies': {'beta': '*'}} | true",
                "{'cookies': {'beta': '2'}} | false",
                "{'cookies': {'Beta': '*'}} | false",
                "{'cookies': {'bet': '*'}} | false",
                "{'cookies': {'beta': '1', 'lang': 'de'}} | true",
                "{'cookies': {'beta': '1', 'lang': 'en'}} | false",
                "{'query': {'v': '1'}} | true",
                "{'query': {'w': '*'}} | false",
                "{'contentTypes': ['application/*']} | true",
                "{'contentTypes': ['text/plain']} | false",
                "{'consumers': ['key_1']} | false",
                "{'tags': ['gold']} | false",
                "{'methods': ['GET'], 'not': {'headers': {'X-Beta': '1'}}} | false",
                "{'not': {'methods': ['POST']}} | true",
                "{'methods': ['HEAD']} | false"
            })
    void a_condition_holds_when_all_that_it_names_holds(String when, boolean holds) {
        var node = ConfigNode.parse(when.replace('\'', '"'));

        Condition condition = ConditionReader.read(node, List.of());

        assertThat(node.problems()).isEmpty();
        var exchange = Exchanges.get("/items/7?v=1")
                .with("X-Beta", "1")
                .with("Cookie", "beta=1; lang=de; beta=2")
                .with("Content-Type", "Application/JSON; charset=utf-8")
                .make();
        assertThat(condition.holds(exchange)).isEqualTo(holds);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'cookies': 'beta'} | /cookies: expected an object, got \"beta\"",
                "{'cookies': {'beta': 1}} | /cookies/beta: expected text, got 1",
                "{'cookies': {'beta': ''}} | /cookies/beta: expected text, got \"\"",
                "{'cookies': {'a b': '1'}} | /cookies/a b: expected a cookie's name, got \"a b\"",
                "{'cookie': {'beta': '1'}} | /cookie: unknown field; did you mean \"cookies\"?"
            })
    void a_wrong_condition_of_cookies_is_refused_under_its_pointer(String when, String problem) {
        var node = ConfigNode.parse(when.replace('\'', '"'));

        ConditionReader.read(node, List.of());

        assertThat(node.problems().stream().map(ConfigProblem::toString)).containsExactly(problem);
    }
}
