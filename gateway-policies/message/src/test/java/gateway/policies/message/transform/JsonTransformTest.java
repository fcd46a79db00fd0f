package gateway.policies.message.transform;

import static gateway.policies.message.PolicyRun.told;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.Consumer;
import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.policies.message.PolicyRun;
import gateway.policy.FakeServices;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class JsonTransformTest {
    private record Tagged(String tag) implements Consumer {
        @Override
        public String id() {
            return "k";
        }

        @Override
        public String name() {
            return "k";
        }

        @Override
        public List<String> tags() {
            return List.of(tag);
        }

        @Override
        public Map<String, String> metadata() {
            return Map.of();
        }
    }

    private static PolicyRun transform(String operations, String more) {
        return PolicyRun.of("{\"type\": \"json-transform\", \"operations\": [" + operations + "]" + more + "}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {"remove": "/a"}                          | {"a":1,"b":2}            | {"b":2}
                    {"remove": "/l/*"}                        | {"l":[1,2,3]}            | {"l":[]}
                    {"remove": "/l/*/x"}                      | {"l":[{"x":1,"y":2},{"x":3},4]} | {"l":[{"y":2},{},4]}
                    {"remove": "/none"}                       | {"a":1}                  | {"a":1}
                    {"rename": "/a", "to": "/c/name"}         | {"a":1}                  | {"c":{"name":1}}
                    {"copy": "/a", "to": "/b"}                | {"a":[1]}                | {"a":[1],"b":[1]}
                    {"set": "/x/y", "value": "{api.id}"}      | {}                       | {"x":{"y":"orders"}}
                    {"set": "/x", "value": {"a": [1, "{request.method}"]}} | {"x":0}     | {"x":{"a":[1,"POST"]}}
                    {"set": "/l/*/n", "value": 1}             | {"l":[{},{"n":0}]}       | {"l":[{"n":1},{"n":1}]}
                    {"set": "/x", "value": null}              | {"x":0}                  | {"x":null}
                    {"default": "/x", "value": null}          | {}                       | {"x":null}
                    {"add": "/l", "value": null}              | {"l":[1]}                | {"l":[1,null]}
                    {"default": "/a", "value": 1}             | {"a":null}               | {"a":1}
                    {"default": "/a", "value": 1}             | {"a":false}              | {"a":false}
                    {"add": "/l", "value": 3}                 | {"l":[1]}                | {"l":[1,3]}
                    {"add": "/l", "value": 3}                 | {}                       | {"l":[3]}
                    {"mask": "/n", "keep": 4}                 | {"n":"4111111111111111"} | {"n":"***1111"}
                    {"mask": "/n", "keep": 4}                 | {"n":"12345678"}         | {"n":"***"}
                    {"mask": "/n", "keep": 4}                 | {"n":"123456789"}        | {"n":"***6789"}
                    {"mask": "/n", "keep": 1}                 | {"n":"ab😀"}             | {"n":"***😀"}
                    {"mask": "/n", "keep": 1}                 | {"n":"a😀"}              | {"n":"***"}
                    {"mask": "/n"}                            | {"n":{"a":1}}            | {"n":"***"}
                    {"keepOnly": ["/a", "/l/*/x"]}            | {"a":1,"b":2,"l":[{"x":1,"y":2},{"y":3}]} | {"a":1,"l":[{"x":1},{}]}
                    {"keepOnly": ["/l/2", "/l/0"]}            | {"l":[1,2,3]}            | {"l":[1,3]}
                    {"keepOnly": ["/l/*/x", "/l/*/y"]}        | {"l":[0,{"x":1,"y":2,"z":3}]} | {"l":[{"x":1,"y":2}]}
                    {"keepOnly": ["/a", "/a/b"]}              | {"a":{"b":1,"c":2},"d":3} | {"a":{"b":1,"c":2}}
                    {"redact": ["/s"], "unless": ["hr"]}      | {"s":1,"t":2}            | {"t":2}
                    {"merge": {"a": null, "b": {"c": 1}}}     | {"a":1,"b":{"d":2}}      | {"b":{"d":2,"c":1}}
                    {"patch": [{"op": "move", "from": "/a", "path": "/b"}]} | {"a":1}    | {"b":1}
                    {"remove": "/a~1b"}                       | {"a/b":1,"__proto__":2}  | {"__proto__":2}
                    {"jolt": [{"operation": "shift", "spec": {"*": {"n": "items[&1].name", "$": "keys"}}}]} | [{"n":1.50},{"n":"b"}] | {"keys":["0","1"],"items":[{"name":1.50},{"name":"b"}]}
                    {"jolt": [{"operation": "default", "spec": {"a": {"b": 1}}}, {"operation": "remove", "spec": {"c": ""}}, {"operation": "sort"}]} | {"d":1,"c":2} | {"a":{"b":1},"d":1}
                    {"jolt": [{"operation": "cardinality", "spec": {"l": "MANY", "o": "ONE"}}]} | {"l":1,"o":[2,3]} | {"o":2,"l":[1]}
                    {"set": "/z", "value": 1}                 | {"n":1.50,"m":123456789012345678901234567890} | {"n":1.50,"m":123456789012345678901234567890,"z":1}
                    """)
    void changes_what_arrives(String operation, String sent, String arrives) {
        PolicyRun run = transform(operation, "");

        assertThat(run.post(sent).status()).isEqualTo(200);
        assertThat(run.arrived()).isEqualTo(arrives);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    /*        | {"rename": "/a", "to": "/b"}     | [{"a":1},{"a":2},3]        | [{"b":1},{"b":2},3]
                    /l/*      | {"copy": "/a", "to": "/b/c"}     | {"a":0,"l":[{"a":1}]}      | {"a":0,"l":[{"a":1,"b":{"c":1}}]}
                    /l/*      | {"keepOnly": ["/a"]}             | {"x":0,"l":[{"a":1,"b":2}]} | {"x":0,"l":[{"a":1}]}
                    /*/l/*    | {"merge": {"a": null}}           | [{"l":[{"a":1}]},{"l":[]}] | [{"l":[{}]},{"l":[]}]
                    /l/*      | {"patch": [{"op": "replace", "path": "", "value": 0}]} | {"l":[{"a":1},{}]} | {"l":[0,0]}
                    /l/*      | {"jolt": [{"operation": "shift", "spec": {"a": "b"}}]} | {"l":[{"a":1},{"a":2}]} | {"l":[{"b":1},{"b":2}]}
                    /none/*   | {"remove": "/a"}                 | {"a":1}                    | {"a":1}
                    """)
    void changes_each_by_itself(String places, String operation, String sent, String arrives) {
        PolicyRun run = transform(operation, ", \"each\": \"" + places + "\"");

        assertThat(run.post(sent).status()).isEqualTo(200);
        assertThat(run.arrived()).isEqualTo(arrives);
    }

    @Test
    void tells_of_each_where_it_stands() {
        PolicyRun run = transform("{\"remove\": \"/a\"}", ", \"each\": \"/l/*\", \"strict\": true");

        assertThat(told(run.post("{\"l\": [{\"a\": 1}, {}]}")))
                .isEqualTo("422 invalid-content /l/1/a: expected to be there");
        assertThat(told(run.post("{\"l\": []}"))).isEqualTo("422 invalid-content /l/*: expected to be there");
    }

    @Test
    void tells_which_of_each_it_was() {
        PolicyRun run = transform(
                "{\"patch\": [{\"op\": \"test\", \"path\": \"/n\", \"value\": 1}]}", ", \"each\": \"/a~1b/*/l/*\"");

        assertThat(told(run.post(
                        "{\"a/b\": {\"x\": {\"l\": [{\"n\": 1}]}, \"y\": {\"l\": [{\"n\": 1}, {\"n\": 2}]}}}")))
                .isEqualTo("422 invalid-content /a~1b/y/l/1/n: expected another value");
    }

    @Test
    void bounds_all_of_them_together() {
        String jolt = "{\"jolt\": [{\"operation\": \"shift\", \"spec\": {\"a\": [\"b\", \"c\", \"d\"]}}]}";
        PolicyRun run = transform(jolt, ", \"each\": \"/*\", \"maxOutput\": \"8KiB\"");
        String one = "{\"a\":\"" + "x".repeat(1_000) + "\"}";
        assertThat(run.post("[" + one + "," + one + "]").status()).isEqualTo(200);
        assertThat(told(run.post("[" + one + "," + one + "," + one + "]"))).startsWith("400 content-too-complex");

        PolicyRun deep = transform("{\"copy\": \"/a\", \"to\": \"/x" + "/y".repeat(40) + "\"}", ", \"each\": \"/l/*\"");
        assertThat(deep.post("{\"l\": [{\"a\": " + "[".repeat(20) + "]".repeat(20) + "}]}")
                        .status())
                .isEqualTo(200);
        assertThat(told(deep.post("{\"l\": [{\"a\": " + "[".repeat(23) + "]".repeat(23) + "}]}")))
                .isEqualTo("400 content-too-complex : expected 64 levels");

        PolicyRun many =
                transform(String.join(",", Collections.nCopies(100, "{\"remove\": \"/a\"}")), ", \"each\": \"/*\"");
        assertThat(told(many.post("[" + "{},".repeat(10_000) + "{}]")))
                .isEqualTo("400 content-too-complex : expected 1000000 operations");
        PolicyRun chains = transform("{\"jolt\": [{\"operation\": \"sort\"}]}", ", \"each\": \"/*\"");
        assertThat(told(chains.post("[" + "{},".repeat(100_000) + "{}]"))) // each of its steps takes as long as ten
                .isEqualTo("400 content-too-complex : expected 1000000 operations");
    }

    /// The request's own thread may be that of an IO thread.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"copy\": \"/a\", \"to\": \"/a/b\"}, {\"copy\": \"/a\", \"to\": \"/a/b\"}, {\"copy\": \"/a\", \"to\": \"/a/b\"}",
                "{\"set\": \"/a/l/*\", \"value\": \"what is longer than it was\"}",
                "{\"jolt\": [{\"operation\": \"shift\", \"spec\": {\"a\": {\"l\": {\"*\": \"l[&]\"}}}}, {\"operation\": \"sort\"}]}"
            })
    void a_small_body_that_takes_long_goes_to_a_worker(String operations) {
        var services = new FakeServices();
        PolicyRun run = PolicyRun.of("{\"type\": \"json-transform\", \"operations\": [" + operations + "]}", services);

        run.post("{\"a\": {\"l\": [" + "1,".repeat(99) + "1]}}");
        assertThat(services.workers().taken()).isZero();

        assertThat(run.post("{\"a\": {\"l\": [" + "1,".repeat(1_799) + "1]}}").status())
                .isEqualTo(200);
        assertThat(services.workers().taken()).isOne();
    }

    @Test
    void many_changes_of_small_places_go_to_a_worker() {
        var services = new FakeServices();
        PolicyRun run = PolicyRun.of(
                "{\"type\": \"json-transform\", \"each\": \"/*\", \"operations\": [{\"remove\": \"/a\"}, {\"remove\": \"/b\"}]}",
                services);

        run.post("[" + "{},".repeat(499) + "{}]");
        assertThat(services.workers().taken()).isZero();
        run.post("[" + "{},".repeat(500) + "{}]");
        assertThat(services.workers().taken()).isOne();
    }

    @Test
    void changes_answers() {
        PolicyRun run = transform("{\"remove\": \"/internal\"}", ", \"on\": \"response\"");

        Response answer = run.answering("{\"internal\": 1, \"a\": 2}").post("{\"internal\": 1}");

        assertThat(PolicyRun.text(answer)).isEqualTo("{\"a\":2}");
        assertThat(run.arrived()).isEqualTo("{\"internal\": 1}");
    }

    @Test
    void values_of_callers_stay_texts() {
        PolicyRun run = transform("{\"set\": \"/x\", \"value\": \"{request.header.X}\"}", "");

        run.send(Exchanges.of("POST", "/")
                .with("Content-Type", "application/json")
                .with("X", "\", \"admin\": true, \"y\": \"")
                .body("{}"));

        assertThat(Json.parse(run.arrived()).propertyNames()).containsExactly("x");
    }

    @Test
    void refuses_what_a_strict_one_or_a_patch_does_not_find() {
        assertThat(told(transform("{\"remove\": \"/a\"}", ", \"strict\": true").post("{}")))
                .isEqualTo("422 invalid-content /a: expected to be there");
        PolicyRun patch = transform("{\"patch\": [{\"op\": \"remove\", \"path\": \"/a\"}]}", ", \"on\": \"both\"");
        assertThat(told(patch.post("{}"))).isEqualTo("422 invalid-content /a: expected to be there");
        assertThat(told(patch.answering("{}").post("{\"a\": 1}")))
                .isEqualTo("502 response-refused /a: expected to be there");
    }

    @Test
    void passes_over_other_types_and_empty_bodies_and_refuses_what_is_no_json() {
        PolicyRun run = transform("{\"set\": \"/a\", \"value\": 1}", "");

        run.send(Exchanges.of("POST", "/").with("Content-Type", "text/plain").body("abc"));
        assertThat(run.arrived()).isEqualTo("abc");
        assertThat(run.post("").status()).isEqualTo(200);
        assertThat(told(run.post("{\"a\":1,\"a\":2}"))).isEqualTo("400 malformed-content");
        assertThat(run.arrived()).isEmpty();
    }

    @Test
    void bounds_what_comes_of_it() {
        PolicyRun run = transform(
                "{\"set\": \"/l/*\", \"value\": \"" + "x".repeat(1_000) + "\"}", ", \"maxOutput\": \"16KiB\"");

        assertThat(run.post("{\"l\": [1, 2, 3]}").status()).isEqualTo(200);
        assertThat(told(run.post("{\"l\": [" + "1,".repeat(100) + "1]}"))).startsWith("400 content-too-complex");
    }

    @Test
    void bounds_how_deep_it_becomes() {
        PolicyRun run = transform("{\"copy\": \"/a\", \"to\": \"/x" + "/y".repeat(40) + "\"}", "");

        assertThat(run.post("{\"a\": 1}").status()).isEqualTo(200);
        assertThat(told(run.post("{\"a\": " + "[".repeat(30) + "]".repeat(30) + "}")))
                .isEqualTo("400 content-too-complex : expected 64 levels");
    }

    @Test
    void indexes_that_jolt_makes_of_names_fill_no_memory() {
        PolicyRun named = transform("{\"jolt\": [{\"operation\": \"shift\", \"spec\": {\"*\": \"items[&]\"}}]}", "");
        assertThat(told(named.post("{\"2000000000\": 1}")))
                .isEqualTo("400 content-too-complex : expected indexes of at most 4 digits");
        assertThat(told(named.post("{\"+200000000\": 1}"))).startsWith("400 content-too-complex");
        assertThat(named.post("{\"2\": 1, \"x\": 2}").status()).isEqualTo(200);
        assertThat(named.arrived()).isEqualTo("{\"items\":[null,null,1]}");

        PolicyRun columns = transform(
                "{\"jolt\": [{\"operation\": \"shift\", \"spec\": {\"*\": {\"*\": \"columns.&[&1]\"}}}]}", "");
        var rows = new StringBuilder("[");
        for (int i = 0; i < 5_000; i++) rows.append("{\"c").append(i).append("\":1},");
        assertThat(told(columns.post(rows.append("{}]").toString())))
                .startsWith("400 content-too-complex : expected at most 4194304 bytes to be added");
    }

    @Test
    void what_jolt_puts_into_itself_ends_at_the_bound() {
        PolicyRun run = transform("{\"jolt\": [{\"operation\": \"shift\", \"spec\": {\"a\": [\"x\", \"x\"]}}]}", "");

        assertThat(told(run.post("{\"a\": [1]}"))).startsWith("400 content-too-complex");
    }

    @Test
    void takes_of_jolt_what_can_be_bounded() {
        assertThatThrownBy(() -> transform(
                        "{\"jolt\": [{\"operation\": \"java.lang.String\"}, {\"operation\": \"shift\"},"
                                + "{\"operation\": \"shift\", \"spec\": {\"a*b*c*\": \"x[@(1,n)]\"}},"
                                + "{\"operation\": \"default\", \"spec\": {\"a[]\": {\"1000000\": 1}}}]}",
                        ""))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("/jolt/0: expected the operation to be one of")
                .hasMessageContaining("got \"java.lang.String\"")
                .hasMessageContaining("/jolt/1: expected \"spec\" beside \"operation\": \"shift\"")
                .hasMessageContaining("/jolt/2/spec/a*b*c*: expected at most two `*` in a key")
                .hasMessageContaining("/jolt/2/spec/a*b*c*: expected no index that a value gives")
                .hasMessageContaining(
                        "/jolt/3/spec/a[]/1000000: expected indexes of at most 4 digits, got \"1000000\"");
        assertThatThrownBy(() -> transform(
                        "{\"jolt\": [{\"operation\": \"sort\"}, {\"operation\": \"shift\", \"spec\": {\"a\": \"x.*\"}}]}",
                        ""))
                .hasMessageContaining("/operations/0/jolt/1: expected a step that JOLT takes");
    }

    @Test
    void callers_with_a_tag_see_what_is_redacted_for_others() {
        PolicyRun run = transform("{\"redact\": [\"/s\", \"/l/*/s\"], \"unless\": [\"hr\"]}", "");
        String sent = "{\"s\":1,\"l\":[{\"s\":2,\"t\":3}]}";

        for (String[] each : new String[][] {{"hr", sent}, {"it", "{\"l\":[{\"t\":3}]}"}}) {
            run.send(Exchanges.of("POST", "/")
                    .with("Content-Type", "application/json")
                    .calledBy(new Tagged(each[0]))
                    .body(sent));
            assertThat(run.arrived()).isEqualTo(each[1]);
        }
    }

    @Test
    void tells_HEAD_neither_length_nor_version_of_what_it_would_change() {
        PolicyRun run = transform("{\"remove\": \"/a\"}", ", \"on\": \"response\"");
        run.answering(Response.of(200)
                .with("Content-Type", "application/json")
                .with("Content-Length", "9")
                .with("ETag", "\"1\""));

        Response answer = run.send(Exchanges.of("HEAD", "/"));

        assertThat(answer.headers().contains("Content-Length")).isFalse();
        assertThat(answer.headers().contains("ETag")).isFalse();
    }

    @Test
    void tells_HEAD_the_length_of_what_it_passes_over() {
        PolicyRun run = transform("{\"remove\": \"/a\"}", ", \"on\": \"response\"");
        run.answering(Response.of(200).with("Content-Type", "image/png").with("Content-Length", "9"));

        assertThat(run.send(Exchanges.of("HEAD", "/")).headers().first("Content-Length"))
                .contains("9");
    }

    @Test
    void takes_ranges_out_of_requests_whose_answers_it_changes() {
        PolicyRun run = transform("{\"remove\": \"/a\"}", ", \"on\": \"response\"");

        run.answering(Response.of(200, "application/json", "{}".getBytes(StandardCharsets.UTF_8)))
                .send(Exchanges.get("/").with("Range", "bytes=0-9").with("If-Range", "\"x\""));

        assertThat(run.last().headers().contains("Range")).isFalse();
        assertThat(run.last().headers().contains("If-Range")).isFalse();
    }

    @Test
    void names_every_problem() {
        assertThatThrownBy(() -> transform(
                        "{}, {\"set\": \"/a\"}, {\"remove\": \"a\"}, {\"remove\": \"/a\", \"to\": \"/b\"},"
                                + "{\"rename\": \"/a/*\", \"to\": \"/b\"}, {\"keepOnly\": []},"
                                + "{\"patch\": [{\"op\": \"remove\", \"path\": \"/a\"}, {\"op\": \"fly\", \"path\": \"/a\"}]}, {\"set\": \"/a\", \"remove\": \"/b\"}",
                        ""))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("/operations/0: expected exactly one of set, default")
                .hasMessageContaining("/operations/1: expected \"value\" beside it")
                .hasMessageContaining("/operations/2/remove: expected a JSON Pointer")
                .hasMessageContaining("/operations/3/to: expected nothing")
                .hasMessageContaining("/operations/4/rename: expected one place")
                .hasMessageContaining("/operations/5/keepOnly: expected 1 to 100 places")
                .hasMessageContaining("/operations/6/patch/1: expected an operation of a JSON Patch")
                .hasMessageContaining("merge, jolt, got set and remove");
    }
}
