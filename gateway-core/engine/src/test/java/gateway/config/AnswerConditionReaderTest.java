package gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Response;
import gateway.json.ConfigNode;
import gateway.json.ConfigProblem;
import gateway.policy.AnswerCondition;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// `when.answer`.
final class AnswerConditionReaderTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'statuses': [404]} | true",
                "{'statuses': [200, '4xx']} | true",
                "{'statuses': [200, '5xx']} | false",
                "{'headers': {'X-Kind': 'b'}} | true",
                "{'headers': {'X-Kind': 'c'}} | false",
                "{'headers': {'x-kind': '*'}} | true",
                "{'headers': {'X-Other': '*'}} | false",
                "{'contentTypes': ['application/*']} | true",
                "{'contentTypes': ['text/html', 'application/json']} | true",
                "{'statuses': ['4xx'], 'contentTypes': ['text/html']} | false"
            })
    void an_answer_is_wanted_when_all_that_is_named_holds(String when, boolean holds) {
        Response answer = Response.of(404).with("Content-Type", "Application/JSON; charset=utf-8");
        answer.headers().add("X-Kind", "a");
        answer.headers().add("X-Kind", "b");
        ConfigNode node = node(when);

        AnswerCondition condition = AnswerConditionReader.read(node);

        assertThat(node.problems()).isEmpty();
        assertThat(condition.holds(answer)).isEqualTo(holds);
    }

    @Test
    void without_it_every_answer_is_wanted() {
        assertThat(AnswerConditionReader.read(node("{}").field("answer"))).isEqualTo(AnswerCondition.ALWAYS);
    }

    @Test
    void what_is_wrong_stands_under_its_pointer() {
        assertThat(problems("{'type': 'pass', 'when': {'answer': {'statuses': [99, 'xx'], 'headers': {'a b': '1'},"
                        + "'body': 'x'}}}, {'type': 'pass', 'when': {'answer': {}}},"
                        + "{'type': 'pass', 'when': {'not': {'answer': {'statuses': [200]}}}}"))
                .containsExactlyInAnyOrder(
                        "/policies/0/when/answer/statuses/0: expected 100 to 599, got 99",
                        "/policies/0/when/answer/statuses/1: expected a status such as 404, or \"5xx\", got \"xx\"",
                        "/policies/0/when/answer/headers/a b: expected a header name, got \"a b\"",
                        "/policies/0/when/answer/body: unknown field",
                        "/policies/1/when/answer: expected at least one condition, got {}",
                        "/policies/2/when/not/answer: unknown field");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "methods': []",
                "paths': []",
                "headers': {}",
                "cookies': {}",
                "query': {}",
                "consumers': []",
                "tags': []",
                "contentTypes': []",
                "facts': {}",
                "body': {}"
            })
    void a_condition_that_names_nothing_is_refused_rather_than_held_always(String none) {
        String pointer = none.substring(0, none.indexOf('\''));

        assertThat(problems("{'type': 'pass', 'when': {'not': {'" + none + "}}}"))
                .containsExactly("/policies/0/when/not/" + pointer + ": expected at least one, got none");
    }

    @ParameterizedTest
    @ValueSource(strings = {"statuses': []", "headers': {}", "contentTypes': []"})
    void so_is_one_on_answers(String none) {
        String pointer = none.substring(0, none.indexOf('\''));

        assertThat(problems("{'type': 'pass', 'when': {'answer': {'" + none + "}}}"))
                .containsExactly("/policies/0/when/answer/" + pointer + ": expected at least one, got none");
    }

    private static List<String> problems(String entries) {
        ConfigNode node = node("{'id': 'orders', 'match': {'path': '/'}, 'policies': [" + entries
                + "], 'upstream': {'targets': [{'url': 'http://127.0.0.1:9'}]}}");
        new DefinitionReader(TestPolicies.registry()).read(node);
        return node.problems().stream().map(ConfigProblem::toString).toList();
    }

    private static ConfigNode node(String json) {
        return ConfigNode.parse(json.replace('\'', '"'));
    }
}
