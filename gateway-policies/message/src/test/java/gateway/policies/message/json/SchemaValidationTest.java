package gateway.policies.message.json;

import static gateway.policies.message.PolicyRun.told;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.policies.message.PolicyRun;
import gateway.policy.FakeServices;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SchemaValidationTest {
    private static final String ORDER = """
            {"type": "object", "required": ["id"], "additionalProperties": false, "properties": {
              "id": {"type": "integer", "minimum": 1}, "note": {"type": "string", "maxLength": 5, "pattern": "^[a-z]*$"},
              "lines": {"type": "array", "items": {"$ref": "#/$defs/line"}, "uniqueItems": true}},
             "$defs": {"line": {"type": "object", "required": ["price"],
                                "properties": {"price": {"type": "number", "multipleOf": 0.01}}}}}""";

    /// Two branches that meet at the same place: exponential in depth for whoever evaluates both.
    private static final String BRANCHES = """
            {"anyOf": [{"type": "array", "items": {"$ref": "#"}}, {"type": "array", "items": {"$ref": "#"}}]}""";

    private static PolicyRun orders(String more) {
        return PolicyRun.of("{\"type\": \"json-schema\", \"schema\": " + ORDER + more + "}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"id\": 1}",
                "{\"id\": 1.0, \"note\": \"abc\"}",
                "{\"id\": 123456789012345678901234567890, \"lines\": [{\"price\": 0.07}, {\"price\": 1.10}]}"
            })
    void lets_what_holds_pass_as_it_is(String json) {
        var run = orders("");

        assertThat(run.post(json).status()).isEqualTo(200);
        assertThat(run.arrived()).isEqualTo(json);
    }

    @Test
    void tells_what_stands_there_instead_of_a_schema_in_the_words_of_json() {
        assertThatThrownBy(() -> PolicyRun.of("{\"type\": \"json-schema\", \"schema\": \"a.json\"}"))
                .hasMessageEndingWith("expected a schema, or {\"resource\": \"id\"}, got string");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {}                            | ` : required: expected a member "id"`
                    []                            | ` : type: expected object`
                    {"id":0}                      | ` /id: minimum: expected at least 1`
                    {"id":"secret"}               | ` /id: type: expected integer`
                    {"id":1,"x/y":2}              | ` /x~1y: false: expected nothing here`
                    {"id":1,"note":"ABC"}         | ` /note: pattern: expected text that the pattern of the schema matches`
                    {"id":1,"note":"abcdef"}      | ` /note: maxLength: expected at most 5 characters`
                    {"id":1,"lines":[{}]}         | ` /lines/0: required: expected a member "price"`
                    {"id":1,"lines":[{"price":0.075}]} | ` /lines/0/price: multipleOf: expected a multiple of 0.01`
                    {"id":1,"lines":[{"price":1},{"price":1.0}]} | ` /lines: uniqueItems: expected no two elements alike`
                    {"id":0,"lines":[{"price":"x"}]} | ` /id: minimum: expected at least 1 /lines/0/price: type: expected number`
                    """)
    void refuses_what_does_not_hold_and_says_where_but_never_what(String json, String errors) {
        var run = orders("");

        assertThat(told(run.post(json))).isEqualTo("422 invalid-content" + errors);
        assertThat(run.arrived()).isEmpty();
    }

    @Test
    void tells_so_many_errors_and_answers_with_the_status_that_the_definition_says() {
        var run = orders(", \"errors\": 2, \"status\": 400");

        assertThat(told(run.post("{\"a\":1,\"b\":1,\"c\":1}")))
                .isEqualTo("400 invalid-content : required: expected a member \"id\" /a: false: expected nothing here");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"id\":1,\"id\":2}", "{\"id\":1", "{\"id\":1} 2", "{\"id\":NaN}"})
    void refuses_what_is_no_json_or_two_documents_in_one(String json) {
        var run = orders("");

        assertThat(told(run.post(json))).isEqualTo("400 malformed-content");
        assertThat(run.arrived()).isEmpty();
    }

    @Test
    void a_recursive_schema_with_branches_ends_at_its_bound() {
        var run = PolicyRun.of("{\"type\": \"json-schema\", \"schema\": " + BRANCHES + "}");

        assertThat(told(run.post("[".repeat(40) + 1 + "]".repeat(40))))
                .isEqualTo("400 content-too-complex : expected at most 100000 evaluations of its schema");
        assertThat(run.arrived()).isEmpty();
        assertThat(run.post("[[],[]]").status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"$ref\": \"#\"}",
                "{\"type\": \"array\", \"items\": {\"type\": \"array\", \"uniqueItems\": true}, \"uniqueItems\": true}",
                "{\"items\": {\"pattern\": \"^(([a-z])+.)+[A-Z]([a-z])+$\"}}",
                "{\"items\": {\"multipleOf\": 1e-300}, \"minItems\": 100001}",
                "{\"not\": {\"not\": {\"$dynamicRef\": \"#\"}}}"
            })
    void whatever_a_schema_makes_of_a_large_body_ends(String schema) {
        var run = PolicyRun.of("{\"type\": \"json-schema\", \"schema\": " + schema + "}");
        String numbers = "[" + "1,".repeat(40_000) + "1]";
        String texts = "[\"" + "a".repeat(900_000) + "\"]";

        for (String body : new String[] {numbers, texts, "[" + "[],".repeat(40_000) + "9e300]"}) {
            assertThat(told(run.post(body))).matches("(200|400 content-too-complex .*|422 invalid-content .*)");
        }
    }

    @Test
    void numbers_of_extreme_size_cost_no_more_than_others() {
        var run = PolicyRun.of("""
                {"type": "json-schema", "schema": {"anyOf": [{"multipleOf": 1e-300}, {"const": 1e300}], "minimum": -1e9}}""");

        assertThat(told(run.post("1e999999999"))).startsWith("400 content-too-complex");
        assertThat(run.post("-1e999999999").status()).isIn(400, 422);
        assertThat(run.post("1e-999999999").status()).isEqualTo(422);
        assertThat(run.post("3e-300").status()).isEqualTo(200);
        assertThat(told(run.post("9".repeat(10_000)))).isEqualTo("400 content-too-complex");
    }

    @Test
    void each_request_has_the_schema_that_its_method_and_path_select() {
        var run = PolicyRun.of("""
                {"type": "json-schema", "select": [
                  {"methods": ["POST"], "paths": ["/items"], "schema": {"type": "array"}},
                  {"paths": ["/items/{id}"], "schema": {"type": "object"}}]}""");

        assertThat(send(run, "POST", "/items", "[]").status()).isEqualTo(200);
        assertThat(send(run, "POST", "/items", "{}").status()).isEqualTo(422);
        assertThat(send(run, "PUT", "/items/7", "{}").status()).isEqualTo(200);
        assertThat(send(run, "PUT", "/items/7", "[]").status()).isEqualTo(422);
        assertThat(send(run, "PUT", "/others", "[]").status()).isEqualTo(200);
    }

    private static Response send(PolicyRun run, String method, String path, String json) {
        return run.send(Exchanges.of(method, path)
                .with("Content-Type", "application/json")
                .body(json));
    }

    @Test
    void looks_at_a_part_alone() {
        var run = PolicyRun.of("""
                {"type": "json-schema", "part": "/data/0", "schema": {"properties": {"a": {"type": "null"}}}}""");

        assertThat(run.post("{\"data\": [{\"a\": null}]}").status()).isEqualTo(200);
        assertThat(told(run.post("{\"data\": [{\"a\": 1}]}")))
                .isEqualTo("422 invalid-content /data/0/a: type: expected null");
        assertThat(told(run.post("{\"data\": []}"))).isEqualTo("422 invalid-content /data/0: expected to be there");
    }

    @Test
    void answers_that_do_not_hold_are_502_and_tell_no_value() {
        var run = PolicyRun.of("{\"type\": \"json-schema\", \"on\": \"both\", \"schema\": {\"required\": [\"id\"]}}");

        assertThat(run.answering("{\"id\":1}").post("{\"id\":1}").status()).isEqualTo(200);
        Response refused = run.answering("{\"secret\":1}").post("{\"id\":1}");
        assertThat(told(refused)).isEqualTo("502 response-refused : required: expected a member \"id\"");
        assertThat(PolicyRun.text(refused)).doesNotContain("secret");
        assertThat(run.answering("{\"secret\":1}").send(Exchanges.get("/")).status())
                .isEqualTo(502);
    }

    @Test
    void schemas_are_resources_and_refer_to_other_documents() {
        var services = new FakeServices();
        services.putResource("order.json", "{\"$ref\": \"line.json\"}");
        services.putResource("line.json", "{\"$id\": \"https://example.com/line\", \"type\": \"null\"}");
        for (String schema : new String[] {
            "{\"resource\": \"order.json\"}", "{\"$ref\": \"https://example.com/line\"}", "{\"$ref\": \"/line.json#\"}"
        }) {
            var run = PolicyRun.of(
                    "{\"type\": \"json-schema\", \"documents\": [{\"resource\": \"line.json\"}], \"schema\": " + schema
                            + "}",
                    services);

            assertThat(run.post("null").status()).isEqualTo(200);
            assertThat(run.post("1").status()).isEqualTo(422);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {"$schema": "http://example.com/mine"}          | /policies/0/schema/$schema
                    {"$ref": "https://example.com/other"}           | /policies/0/schema/$ref
                    {"properties": {"a": {"pattern": "(?=x)"}}}     | /policies/0/schema/properties/a/pattern
                    {"pattern": "(a)\\\\1"}                         | /policies/0/schema/pattern
                    {"pattern": "(x{1000}){1000}"}                  | /policies/0/schema/pattern
                    {"type": "text"}                                | /policies/0/schema/type
                    {"items": {"required": "a"}}                    | /policies/0/schema/items/required
                    {"minimum": "1"}                                | /policies/0/schema/minimum
                    {"multipleOf": 0}                               | /policies/0/schema/multipleOf
                    {"maxItems": -1}                                | /policies/0/schema/maxItems
                    {"allOf": [1]}                                  | /policies/0/schema/allOf/0
                    {"$ref": "#/$defs/none"}                        | /policies/0/schema/$ref
                    """)
    void a_schema_that_cannot_be_evaluated_is_refused_where_it_is_wrong(String schema, String pointer) {
        assertThatThrownBy(() -> PolicyRun.of("{\"type\": \"json-schema\", \"schema\": " + schema + "}"))
                .hasMessageContaining(pointer.substring("/policies/0".length()));
    }

    @Test
    void formats_are_asserted_where_the_definition_says_so() {
        String schema = ", \"schema\": {\"format\": \"date\"}}";

        assertThat(PolicyRun.of("{\"type\": \"json-schema\"" + schema)
                        .post("\"x\"")
                        .status())
                .isEqualTo(200);
        assertThat(told(PolicyRun.of("{\"type\": \"json-schema\", \"formats\": true" + schema)
                        .post("\"2024-02-30\"")))
                .isEqualTo("422 invalid-content : format: expected date");
    }

    @Test
    void may_only_report() {
        var run = orders(", \"mode\": \"report\", \"on\": \"both\"");

        assertThat(run.answering("[]").post("[]").status()).isEqualTo(200);
        assertThat(run.arrived()).isEqualTo("[]");
    }

    @Test
    void a_stream_of_json_is_not_let_pass_unseen() {
        var run = orders("");

        assertThat(told(run.send(Exchanges.of("POST", "/")
                        .with("Content-Type", "application/grpc+json")
                        .body("{}"))))
                .isEqualTo("415 unsupported-media-type");
    }

    @Test
    void bodies_that_are_empty_have_nothing_to_hold_to() {
        assertThat(orders("").send(Exchanges.get("/")).status()).isEqualTo(200);
        assertThat(orders("").post("").status()).isEqualTo(200);
        Response none = Response.of(200, "application/json", "".getBytes(UTF_8));
        assertThat(orders(", \"on\": \"response\"")
                        .answering(none)
                        .send(Exchanges.get("/"))
                        .status())
                .isEqualTo(200);
    }
}
