package gateway.policies.message;

import static gateway.policies.message.PolicyRun.told;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Exchanges;
import gateway.http.Response;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What all policies of this module say alike of JSON that they read.
final class JsonReadersTest {
    private static final List<String> TOO_MUCH = List.of(
            "[".repeat(65) + "]".repeat(65),
            "[" + "1".repeat(101) + "]",
            "[1e99999999999]",
            "{\"" + "n".repeat(50_001) + "\":1}");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'type': 'json-schema', 'schema': {}",
                "'type': 'content-filter', 'rules': [{'name': 'a', 'words': ['bad'], 'in': ['body']}]",
                "'type': 'openapi-validation', 'response': 'enforce', 'unknownPaths': 'pass', 'basePath': '/',"
                        + " 'document': {'openapi': '3.0.3', 'info': {'title': 'a', 'version': '1'}, 'paths': {'/': {"
                        + "'post': {'requestBody': {'content': {'application/json': {'schema': {}}}}, 'responses':"
                        + " {'200': {'description': 'a', 'content': {'application/json': {'schema': {}}}}}}}}}",
                "'type': 'body-template', 'template': '{{body.a}}', 'contentType': 'text/plain'",
                "'type': 'convert', 'request': 'json-to-xml', 'response': 'json-to-xml', 'root': 'a'",
                "'type': 'json-transform', 'operations': [{'remove': '/a'}]",
                "'type': 'graphql-guard'"
            })
    void what_is_more_than_is_read_is_too_complex_and_not_malformed(String policy) {
        boolean both = policy.contains("json-schema") || policy.contains("filter") || policy.contains("transform");
        PolicyRun run = PolicyRun.of('{' + policy.replace('\'', '"') + (both ? ", \"on\": \"both\"}" : "}"));

        for (String json : TOO_MUCH) {
            String shown = json.substring(0, 5);
            if (policy.contains("graphql")) {
                assertThat(PolicyRun.text(run.post(json))).as(shown).contains("content-too-complex");
                continue;
            }
            assertThat(told(run.post(json))).as(shown).isEqualTo("400 content-too-complex");
            assertThat(run.arrived()).isEmpty();
            if (policy.contains("template")) continue;
            assertThat(told(run.answering(json).post("{}"))).as(shown).isEqualTo("502 response-refused");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'type': 'json-schema', 'schema': {}, 'otherTypes': 'pass'",
                "'type': 'content-limits', 'otherTypes': 'pass'",
                "'type': 'content-filter', 'otherTypes': 'pass',"
                        + " 'rules': [{'name': 'a', 'words': ['bad'], 'in': ['body']}]",
                "'type': 'body-template', 'template': '{{body.a}}', 'contentType': 'text/plain'",
                "'type': 'convert', 'request': 'json-to-xml', 'response': 'xml-to-json', 'root': 'a'",
                "'type': 'json-transform', 'operations': [{'remove': '/a'}]",
                "'type': 'graphql-guard'"
            })
    void json_that_says_it_is_something_else_too_goes_no_further(String policy) {
        PolicyRun run = PolicyRun.of('{' + policy.replace('\'', '"') + '}');

        for (List<String> types :
                List.of(List.of("application/json", "text/plain"), List.of("text/plain, application/json"))) {
            var request = Exchanges.of("POST", "/");
            for (String each : types) request.with("Content-Type", each);
            assertThat(run.send(request.body("{\"a\":1}")).status()).isEqualTo(415);
            assertThat(run.arrived()).isEmpty();
        }
    }

    @Test
    void answers_that_say_two_types_are_not_sent_on_unchanged() {
        PolicyRun run = PolicyRun.of(
                "{\"type\": \"json-transform\", \"on\": \"response\", \"operations\": [{\"remove\": \"/a\"}]}");
        Response answer = Response.of(200, "application/json", "{\"a\":1}".getBytes(UTF_8));
        answer.headers().add("Content-Type", "text/plain");

        assertThat(told(run.answering(answer).send(Exchanges.get("/")))).isEqualTo("502 response-refused");
    }

    @Test
    void json_in_a_form_is_too_complex_likewise() {
        PolicyRun run = PolicyRun.of("""
                {"type": "openapi-validation", "basePath": "/", "document": {"openapi": "3.0.3",
                 "info": {"title": "a", "version": "1"}, "paths": {"/": {"post": {"requestBody": {"content":
                 {"application/x-www-form-urlencoded": {"schema": {"type": "object", "properties":
                 {"a": {"type": "object"}}}, "encoding": {"a": {"contentType": "application/json"}}}}},
                 "responses": {}}}}}}""");

        assertThat(told(run.send(Exchanges.of("POST", "/")
                        .with("Content-Type", "application/x-www-form-urlencoded")
                        .body("a=" + "[".repeat(65) + "]".repeat(65)))))
                .isEqualTo("400 content-too-complex");
    }
}
