package gateway.policies.message.graphql;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import gateway.http.Consumer;
import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.json.ConfigNode;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.policies.message.PolicyRun;
import gateway.policy.FakeServices;
import gateway.service.Workers;
import java.net.URLEncoder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class GraphqlGuardTest {
    private static final String DOUBLING = """
            {...a} fragment a on Q {...b ...b} fragment b on Q {...c ...c} fragment c on Q {...d ...d}
            fragment d on Q {...e ...e} fragment e on Q {...f ...f} fragment f on Q {x}""";

    private final PolicyRun usual = PolicyRun.of("{\"type\": \"graphql-guard\"}");
    private final PolicyRun small = PolicyRun.of("""
            {"type": "graphql-guard", "depth": 3, "fields": 5, "aliases": 2, "directives": 2, "fragments": 6,
             "tokens": 60, "text": 1000, "variables": 4, "batch": 2}""");
    private final PolicyRun costly =
            PolicyRun.of("{\"type\": \"graphql-guard\", \"cost\": {\"limit\": 100, \"default\": 20}, \"batch\": 3}");

    private record Caller(List<String> tags) implements Consumer {
        @Override
        public String id() {
            return "jwt:1";
        }

        @Override
        public String name() {
            return "1";
        }

        @Override
        public Map<String, String> metadata() {
            return Map.of();
        }
    }

    private static String json(String query) {
        return Json.compact(Json.mapper().createObjectNode().put("query", query));
    }

    private static String said(Response answer) {
        if (answer.reason().isEmpty()) return Integer.toString(answer.status());
        return answer.status() + " " + answer.reason() + ": "
                + Json.parse(PolicyRun.text(answer)).at("/errors/0/message").stringValue();
    }

    private static String url(String... parameters) {
        var query = new StringBuilder("/?");
        for (int i = 0; i < parameters.length; i += 2)
            query.append(i == 0 ? "" : "&")
                    .append(parameters[i])
                    .append('=')
                    .append(URLEncoder.encode(parameters[i + 1], UTF_8));
        return query.toString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{a}",
                "query Q($n: Int = 5) @d { a(x: $n, y: [1, {z: \"\\\"}{\"}]) { b { c } } }",
                "{a: x b: y c}",
                "{...f ...f} fragment f on T {a b}",
                "{... @include(if: true) {... on T {a {b {c}}}}}",
                "# } } }\n{a(text: \"\"\"{ \\\"\"\" {{\"\"\")}",
                "\uFEFF,,{__typename}",
                "query A {a} mutation B {b}"
            })
    void lets_what_is_within_its_bounds_pass_as_it_is(String query) {
        String request =
                query.contains("mutation") ? json(query).replace("}\"", "}\",\"operationName\":\"A\"") : json(query);

        assertThat(said(small.post(request))).isEqualTo("200");
        assertThat(small.arrived()).isEqualTo(request);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {a {b {c {d}}}}                              | fields of at most 3 levels
            {a {...f}} fragment f on T {b {c {d}}}       | fields of at most 3 levels
            {a b c d e f}                                | at most 5 fields
            {...f ...f ...f} fragment f on T {a b}       | at most 5 fields
            {a: x b: x c: x}                             | at most 2 aliases
            {a @a @b @c}                                 | at most 2 directives
            query ($a: Int @a @b) @c {a}                 | at most 2 directives
            {...f ...f ...f} fragment f on T @a {a}      | at most 2 directives
            {... {... {... {... {... {... {... {a}}}}}}}} | at most 6 uses of fragments
            """)
    void refuses_what_is_over_a_bound_and_says_which(String query, String expected) {
        assertThat(said(small.post(json(query)))).isEqualTo("400 content-too-complex: expected " + expected);
        assertThat(small.arrived()).isEmpty();
    }

    @Test
    void bounds_the_text_before_it_is_parsed() {
        assertThat(said(small.post(json("{" + "a".repeat(1000))))).endsWith("expected at most 1000 characters");
        assertThat(said(small.post(json("{ ".repeat(61))))).endsWith("expected at most 60 tokens");
        assertThat(said(usual.post(json("{a".repeat(5_000))))).endsWith("at most 200 brackets within each other");
        assertThat(said(usual.post(json("{a(b:" + "[".repeat(5_000)))))
                .endsWith("at most 200 brackets within each other");
        assertThat(said(usual.post(json("{a(b: " + "9".repeat(60_000) + ")}"))))
                .endsWith("names and numbers of at most 256 characters");
        assertThat(said(usual.post(json("{" + "a:b ".repeat(5_000) + "}")))).endsWith("expected at most 2000 tokens");
        assertThat(said(usual.post(json("#".repeat(60_000) + "\n{a}")))).isEqualTo("200");
        assertThat(said(usual.post(json("#,\n".repeat(1_997) + "{a}")))).isEqualTo("200");
        assertThat(said(usual.post(json("#,\n".repeat(1_998) + "{a}")))).endsWith("expected at most 2000 tokens");
        // A block with blank lines before its text, each of which the parser takes off by moving all others.
        String block = "{a(b: \"\"\"%sx\"\"\")}";
        assertThat(said(usual.post(json(block.formatted(" \t\r\n".repeat(1_993))))))
                .endsWith("expected at most 2000 tokens");
        assertThat(usual.post(json(block.formatted(" \t\r\n".repeat(1_992)))).status())
                .isEqualTo(200);
        assertThat(said(usual.post(json(" ,\n".repeat(20_000) + "{a}")))).isEqualTo("200");
    }

    @Test
    void fragments_that_double_at_each_level_end_at_a_bound() {
        assertThat(said(small.post(json(DOUBLING)))).contains("content-too-complex");
        var deep = new StringBuilder("{...f0}");
        for (int i = 0; i < 1000; i++) deep.append("fragment f%d on T {...f%d ...f%d}".formatted(i, i + 1, i + 1));
        assertThat(said(usual.post(json(deep + "fragment f1000 on T {a}")))).contains("content-too-complex");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "{a",
                "{a}}",
                "{a()}",
                "{a} garbage",
                "{a(b: \"\n\")}",
                "type T {a: Int}",
                "{a} type T {a: Int}",
                "extend type T {a: Int}",
                "fragment f on T {a}",
                "{a} fragment f on T {a}",
                "{...f} fragment f on T {a} fragment f on T {b}",
                "{...f}",
                "{...f} fragment f on T {...f}",
                "{...f} fragment f on T {a {...g}} fragment g on T {b {...f}}",
                "{a} {b}",
                "{a} query Q {b}",
                "query Q {a} query Q {b}",
                "query A {a} query B {b}",
                "{a @}",
                "{a(b: $)}"
            })
    void refuses_what_no_server_executes(String query) {
        assertThat(said(usual.post(json(query)))).startsWith("400 malformed-content: ");
        assertThat(usual.arrived()).isEmpty();
    }

    @Test
    void tells_nothing_of_what_stands_in_a_broken_document() {
        assertThat(PolicyRun.text(usual.post(json("{a(password: \"geheim\" !)}"))))
                .doesNotContain("geheim");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {a {b c}}                              | {}                 | 3
            {a(first: 10) {b c}}                   | {}                 | 30
            {a(first: 5) {b(last: 4) {c}}}         | {}                 | 45
            {a(limit: 3, first: 7) {b}}            | {}                 | 14
            {a(page: {first: 9}) {b}}              | {}                 | 18
            {a(first: 0)}                          | {}                 | 20
            {a(first: -1)}                         | {}                 | 20
            {a(first: null)}                       | {}                 | 20
            {a(first: "9")}                        | {}                 | 9
            {a(first: " +9.5e0 ")}                 | {}                 | 10
            {a(first: "1e1")}                      | {}                 | 10
            {a(first: "-9")}                       | {}                 | 20
            {a(first: " ")}                        | {}                 | 20
            {a(first: [9])}                        | {}                 | 20
            {a(first: [])}                         | {}                 | 20
            {a(first: [[30]])}                     | {}                 | 30
            {a(first: {n: 9})}                     | {}                 | 20
            {a(page: {first: ["30"]})}             | {}                 | 30
            query ($n: F) {a(first: [$n])}         | {"n": 30}          | 30
            query ($n: F) {a(first: $n)}           | {"n": [30]}        | 30
            query ($n: F = [30]) {a(first: $n)}    | {}                 | 30
            query ($p: P) {a(page: $p)}            | {"p": {"first": ["30"]}} | 30
            query ($p: P) {a(page: $p)}            | {"p": {"first": {}}} | 20
            {a(first: true)}                       | {}                 | 20
            {a(page: {first: "9"})}                | {}                 | 9
            query ($n: Int = "4") {a(first: $n)}   | {}                 | 4
            query ($n: Int) {a(first: $n) {b}}     | {"n": "6"}         | 12
            query ($p: P) {a(page: $p) {b}}        | {"p": {"last": "8"}} | 16
            {a(first: 2.5)}                        | {}                 | 3
            query ($n: Int) {a(first: $n) {b}}     | {"n": 6}           | 12
            query ($n: Int) {a(first: $n) {b}}     | {}                 | 40
            query ($n: Int) {a(first: $n) {b}}     | {"n": null}        | 40
            query ($n: Int) {a(first: $n) {b}}     | {"n": {"x": 1}}    | 40
            query ($n: Int = 4) {a(first: $n) {b}} | {}                 | 8
            query ($p: P) {a(page: $p) {b}}        | {"p": {"q": [{"last": 8}]}} | 16
            query ($p: P = {first: 3}) {a(page: $p) {b}} | {}           | 6
            query ($n: Int) {a(page: {first: $n}) {b}}   | {"n": 7}     | 14
            {...f ...f} fragment f on T {a(first: 5) {b}} | {}          | 20
            """)
    void counts_what_a_document_costs(String query, String variables, String cost) {
        String request = "{\"query\":%s,\"variables\":%s}"
                .formatted(Json.compact(Json.mapper().valueToTree(query)), variables);

        assertThat(said(costly.post(request))).isEqualTo("200");
        assertThat(costly.last().labels()).containsEntry("graphql-cost", cost);
    }

    @Test
    void bounds_the_cost_of_all_documents_of_a_request() {
        String one = json("{a(first: 40)}");

        assertThat(said(costly.post("[" + one + "," + one + "]"))).isEqualTo("200");
        assertThat(said(costly.post("[" + one + "," + one + "," + one + "]")))
                .isEqualTo("400 content-too-complex: expected a cost of at most 100");
        assertThat(said(costly.post(json("{a(first: 999999999999999999999999) {b(first: 99999999999) {c}}}"))))
                .isEqualTo("400 content-too-complex: expected a cost of at most 100");
        assertThat(said(costly.post("{\"query\":\"query ($n: F) {a(first: $n) {b}}\",\"variables\":{\"n\":1e99999}}")))
                .isEqualTo("400 content-too-complex: expected a cost of at most 100");
    }

    @ParameterizedTest
    @ValueSource(strings = {"101", "0000101", "1e3", "1e999999999", "1e99999999999", "1E99999999999999999999"})
    @SuppressWarnings("InlineFormatString") // a document, longer than its use
    void numbers_written_as_texts_cost_as_much(String number) {
        String expected = "400 content-too-complex: expected a cost of at most 100";
        String byVariable = "{\"query\":\"query ($n: Int) {a(first: $n)}\",\"variables\":{\"n\":\"%s\"}}";

        for (String each : List.of(number, number.replaceFirst("1", "0".repeat(100) + "1"))) {
            assertThat(said(costly.post(json("{a(first: \"%s\")}".formatted(each)))))
                    .isEqualTo(expected);
            assertThat(said(costly.post(byVariable.formatted(each)))).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\uff11\uff10\uff11",
                "1_00",
                "1,000",
                "0x64",
                "100 of them",
                "\u00a0100",
                "1e",
                "\u4e00\u767e",
                "Infinity",
                "ALL"
            })
    @SuppressWarnings("InlineFormatString") // a document, longer than its use
    void texts_that_servers_may_read_as_any_number_cost_the_most(String text) {
        String expected = "400 content-too-complex: expected a cost of at most 100";
        String byVariable = "{\"query\":\"query ($n: Int) {a(first: $n)}\",\"variables\":{\"n\":\"%s\"}}";

        assertThat(said(costly.post(json("{a(first: \"%s\")}".formatted(text)))))
                .isEqualTo(expected);
        assertThat(said(costly.post(byVariable.formatted(text)))).isEqualTo(expected);
    }

    @Test
    void a_length_that_is_a_name_costs_the_most() {
        assertThat(said(costly.post(json("{a(first: ALL)}"))))
                .isEqualTo("400 content-too-complex: expected a cost of at most 100");
    }

    @Test
    void tells_again_why_a_document_was_refused() {
        String deep = json("{a {b {c {d}}}}");
        String expected = "400 content-too-complex: expected fields of at most 3 levels";

        assertThat(said(small.post(deep))).isEqualTo(expected);
        assertThat(said(small.post(deep))).isEqualTo(expected);
        assertThat(said(small.post(json("{a {b {c}}}")))).isEqualTo("200");
    }

    @Test
    void reads_a_document_that_was_refused_no_second_time() {
        var bounds = QueryBounds.read(ConfigNode.parse("{}"));
        var shapes = new QueryShapes(new QueryShapes.Id(bounds, Optional.empty()));
        Workers workers = new FakeServices().workers();
        Exchange exchange = Exchanges.get("/").make();

        Throwable first = catchThrowable(() -> shapes.of("{a {b}", workers, exchange));

        assertThat(first).isInstanceOf(QueryRefusedException.class);
        assertThat(catchThrowable(() -> shapes.of("{a {b}", workers, exchange))).isSameAs(first);
    }

    @Test
    void remembers_no_document_of_a_request_that_is_only_explained() {
        var bounds = QueryBounds.read(ConfigNode.parse("{}"));
        var shapes = new QueryShapes(new QueryShapes.Id(bounds, Optional.empty()));
        Workers workers = new FakeServices().workers();
        Exchange exchange = Exchanges.get("/").make();
        exchange.suppose();

        assertThat(shapes.of("{a}", workers, exchange)).isNotSameAs(shapes.of("{a}", workers, exchange));
        assertThat(catchThrowable(() -> shapes.of("{a {b}", workers, exchange)))
                .isNotSameAs(catchThrowable(() -> shapes.of("{a {b}", workers, exchange)));
    }

    @Test
    void remembers_shapes_but_not_what_variables_say() {
        String request = "{\"query\":\"query ($n: Int) {a(first: $n)}\",\"variables\":{\"n\":%d}}";

        assertThat(said(costly.post(request.formatted(100)))).isEqualTo("200");
        assertThat(said(costly.post(request.formatted(101)))).startsWith("400");
        assertThat(said(costly.post(request.formatted(99)))).isEqualTo("200");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{__schema {types {name}}}",
                "{a {__type(name: \"x\") {name}}}",
                "{x: __schema {a}}",
                "{_service {sdl}}",
                "{...f} fragment f on Q {__type {a}}"
            })
    void the_schema_may_be_asked_for_where_a_definition_says_so(String query) {
        var open = PolicyRun.of("{\"type\": \"graphql-guard\", \"introspection\": \"allow\"}");

        assertThat(said(usual.post(json(query)))).isEqualTo("403 content-refused: The schema may not be asked for");
        assertThat(said(open.post(json(query)))).isEqualTo("200");
    }

    @Test
    void takes_batches_as_large_as_they_may_be() {
        String one = json("{a}");

        assertThat(said(small.post("[" + one + "," + one + "]"))).isEqualTo("200");
        assertThat(said(small.post("[" + one + "," + one + "," + one + "]")))
                .isEqualTo("400 content-too-complex: expected at most 2 requests in one");
        assertThat(said(usual.post("[" + one + "," + one + "]"))).endsWith("at most 1 requests in one");
        assertThat(said(small.post("[]"))).isEqualTo("400 malformed-content: A batch is empty");
        assertThat(said(small.post("[" + one + ",1]"))).startsWith("400 malformed-content");
        assertThat(said(small.post("[" + one + "," + json("{a{b{c{d}}}}") + "]")))
                .startsWith("400 content-too-complex");
    }

    @Test
    void tokens_and_text_are_those_of_a_whole_batch() {
        String thirty = json("{a(b: [" + "1,".repeat(21) + "])}");
        String thirtyOne = json("{a(b: [" + "1,".repeat(22) + "])}");
        String long600 = json("{a}" + " ".repeat(597));

        assertThat(said(small.post("[" + thirty + "," + thirty + "]"))).isEqualTo("200");
        assertThat(said(small.post("[" + thirty + "," + thirtyOne + "]")))
                .isEqualTo("400 content-too-complex: expected at most 60 tokens");
        assertThat(said(small.post("[" + long600 + "]"))).isEqualTo("200");
        assertThat(said(small.post("[" + long600 + "," + long600 + "]")))
                .isEqualTo("400 content-too-complex: expected at most 1000 characters");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"query\":\"{a}\",\"query\":\"{b}\"}",
                "{\"query\":\"{a}\",\"\\u0071uery\":\"{b}\"}",
                "{\"query\":\"{a}\",\"Query\":\"{b}\"}",
                "{\"query\":\"{a}\",\"OPERATIONNAME\":\"b\"}",
                "{\"query\":[\"{a}\"]}",
                "{\"query\":null}",
                "{\"query\":\"{a}\",\"variables\":\"{}\"}",
                "{\"query\":\"{a}\",\"variables\":[1]}",
                "{\"query\":\"{a}\",\"operationName\":1}",
                "{\"query\":\"{a}\",\"operationName\":\"x\"}",
                "{\"query\":\"{a}\",\"extensions\":[]}",
                "{\"query\":\"{a}\",\"extensions\":{\"persistedQuery\":{}}}",
                "{\"query\":\"{a}\",\"documentId\":\"x\"}",
                "{\"query\":\"{a}\",\"extensions\":{\"persistedQuery\":{\"sha256Hash\":\"00\"}}}",
                "{\"query\":\"{a(b: \\\"\\ud800\\\")}\"}",
                "{\"query\":\"{a}\"} {}",
                "\"{a}\"",
                "{a}",
                ""
            })
    void refuses_requests_that_servers_may_read_otherwise(String body) {
        assertThat(said(usual.post(body))).startsWith("400 malformed-content: ");
        assertThat(usual.arrived()).isEmpty();
    }

    @Test
    void bounds_variables() {
        assertThat(said(small.post("{\"query\":\"{a}\",\"variables\":{\"a\":[1,2],\"b\":3}}")))
                .isEqualTo("200");
        assertThat(said(small.post("{\"query\":\"{a}\",\"variables\":{\"a\":[1,2,4],\"b\":3}}")))
                .isEqualTo("400 content-too-complex: expected at most 4 values within variables");
        assertThat(said(usual.post(
                        "{\"query\":\"{a}\",\"variables\":{\"a\":" + "[".repeat(70) + "]".repeat(70) + "}}")))
                .startsWith("400 content-too-complex: The body is JSON");
    }

    @Test
    void takes_requests_by_url() {
        assertThat(said(usual.send(Exchanges.get(
                        url("query", "query Q($a: Int) {a}", "operationName", "Q", "variables", "{\"a\":1}")))))
                .isEqualTo("200");
        assertThat(said(usual.send(Exchanges.get(url("query", "mutation {a}")))))
                .isEqualTo("405 method-not-allowed: A mutation is asked for by POST");
        assertThat(said(small.send(Exchanges.get(url("query", "{a {b {c {d}}}}")))))
                .startsWith("400 content-too-complex");
        for (String each : new String[] {
            "/",
            "/?query",
            url("query", "{a}", "query", "{b}"),
            url("query", "{a}", "quer%79", "{b}"),
            url("query", "{a}", "QUERY", "{b}"),
            url("query", "{a}", "variables", "{\"a\":1,\"a\":2}"),
            "/?query=%7Ba%7D%23;query=%7Bb%7D",
            "/?query=%7Ba%7D%zz"
        }) assertThat(said(usual.send(Exchanges.get(each)))).as(each).startsWith("400 malformed-content");
        assertThat(said(usual.send(Exchanges.get(url("query", "{a}")).body("{}"))))
                .startsWith("400 malformed-content");
    }

    @Test
    void a_post_has_its_request_in_the_body_alone() {
        for (String name :
                List.of("query", "operationName", "variables", "extensions", "documentId", "Query", "qu%65ry")) {
            var request = Exchanges.of("POST", url(name, "{b}"))
                    .with("Content-Type", "application/json")
                    .body(json("{a}"));
            assertThat(said(usual.send(request))).as(name).startsWith("400 malformed-content");
        }
        var other = Exchanges.of("POST", "/?trace=1")
                .with("Content-Type", "application/json")
                .body(json("{a}"));
        assertThat(said(usual.send(other))).isEqualTo("200");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "+query",
                "query+",
                "%00query",
                "query%00x",
                "query%00",
                "%09query",
                "query%0A",
                "%C2%A0query",
                "query[]",
                "query[0]",
                "query%5Bx%5D",
                "[query]",
                "query.x",
                "+Query[",
                "variables[a]",
                "operationName.",
                "extensions[x]",
                "documentId%00",
                "+[query"
            })
    void names_that_servers_may_take_for_others_stand_in_no_url(String name) {
        var post = Exchanges.of("POST", url(name, "{b}"))
                .with("Content-Type", "application/json")
                .body(json("{a}"));

        assertThat(said(usual.send(post))).startsWith("400 malformed-content: A member is called almost");
        assertThat(said(usual.send(Exchanges.get(url("query", "{a}", name, "{b}")))))
                .startsWith("400 malformed-content: A member is called almost");
        assertThat(said(usual.send(
                        Exchanges.get(url("query", "{a}", "x[query]", "1", "querying.x", "1", "my+query", "1")))))
                .isEqualTo("200");
    }

    @Test
    void takes_application_graphql_and_no_other_types() {
        var text = Exchanges.of("POST", "/").with("Content-Type", "application/graphql");
        assertThat(said(usual.send(text.body("{a}")))).isEqualTo("200");
        var deep = Exchanges.of("POST", "/").with("Content-Type", "application/graphql");
        assertThat(said(small.send(deep.body("{a{b{c{d}}}}")))).startsWith("400 content-too-complex");
        for (String type : List.of(
                "application/x-www-form-urlencoded",
                "multipart/form-data; boundary=x",
                "text/plain",
                "application/json; charset=utf-16")) {
            var request = Exchanges.of("POST", "/").with("Content-Type", type).body(json("{a}"));
            assertThat(said(usual.send(request))).as(type).startsWith("415 unsupported-media-type");
        }
        Response put = usual.send(Exchanges.of("PUT", "/")
                .with("Content-Type", "application/json")
                .body(json("{a}")));
        assertThat(said(put)).startsWith("405 method-not-allowed");
        assertThat(put.headers().first("Allow")).contains("GET, HEAD, POST");
    }

    @Test
    void refuses_in_the_form_that_a_client_accepts() {
        Response told = small.send(accepting("*/*", "{a{b{c{d}}}}"));
        assertThat(told.status()).isEqualTo(400);
        assertThat(told.headers().first("Content-Type")).contains("application/graphql-response+json");
        assertThat(Json.parse(PolicyRun.text(told))
                        .at("/errors/0/extensions/code")
                        .stringValue())
                .isEqualTo("CONTENT_TOO_COMPLEX");
        Response old = small.send(accepting("application/json", "{a{b{c{d}}}}"));
        assertThat(old.status()).isEqualTo(200);
        assertThat(old.reason()).isEqualTo("content-too-complex");
        assertThat(old.headers().first("Cache-Control")).contains("no-store");
        assertThat(old.headers().first("Content-Type")).contains("application/json");
        Response both =
                small.send(accepting("application/graphql-response+json, application/json;q=0.9", "{a{b{c{d}}}}"));
        assertThat(both.status()).isEqualTo(400);
    }

    private static Exchanges accepting(String types, String query) {
        return Exchanges.of("POST", "/")
                .with("Content-Type", "application/json")
                .with("Accept", types)
                .body(json(query));
    }

    @Test
    void kinds_of_operations_are_for_callers_with_tags() {
        var run = PolicyRun.of("""
                {"type": "graphql-guard", "operations": {
                  "mutation": {"tags": ["writer"]}, "subscription": {}, "query": {"allow": false}}}""");

        assertThat(said(run.send(called("mutation {a}", "reader")))).startsWith("403 forbidden");
        assertThat(said(run.send(called("mutation {a}", "reader", "writer")))).isEqualTo("200");
        assertThat(said(run.post(json("mutation {a}")))).startsWith("403 forbidden");
        assertThat(said(run.post(json("subscription {a}")))).isEqualTo("200");
        assertThat(said(run.send(called("{a}", "writer")))).startsWith("403 forbidden");
        assertThat(said(run.send(called("query A {a} subscription B {b}", "writer"))))
                .startsWith("403 forbidden");
        assertThat(said(usual.post(json("subscription {a}")))).startsWith("403 forbidden");
    }

    @Test
    void an_empty_list_of_tags_would_let_everybody_ask_and_is_refused() {
        assertThatThrownBy(() -> PolicyRun.of("""
                {"type": "graphql-guard", "operations": {"mutation": {"tags": []}}}"""))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessage("/policies/0/operations/mutation/tags: expected 1 to 100 tags, got 0");
    }

    private static Exchanges called(String query, String... tags) {
        return Exchanges.of("POST", "/")
                .with("Content-Type", "application/json")
                .calledBy(new Caller(List.of(tags)))
                .body(json(query));
    }

    @Test
    void handshakes_of_web_sockets_pass_only_where_a_definition_says_so() {
        var open = PolicyRun.of("{\"type\": \"graphql-guard\", \"webSockets\": true}");
        String target = url("query", "{a}");

        assertThat(said(usual.send(Exchanges.get(target).with("Sec-WebSocket-Version", "13"))))
                .startsWith("403 forbidden");
        assertThat(said(open.send(Exchanges.get("/").with("Sec-WebSocket-Version", "13"))))
                .isEqualTo("200");
    }

    @Test
    void what_only_looks_like_a_handshake_asks_for_nothing() {
        var open = PolicyRun.of("{\"type\": \"graphql-guard\", \"webSockets\": true}");
        String deep = "{a".repeat(11) + "}".repeat(11);
        var post = Exchanges.of("POST", "/")
                .with("Content-Type", "application/json")
                .with("Sec-WebSocket-Version", "13");

        assertThat(said(open.send(post.body(json(deep))))).startsWith("400 content-too-complex");
        assertThat(open.arrived()).isEmpty();
        for (String target : List.of(url("query", deep), url("query[]", deep), url("documentId", "x")))
            assertThat(said(open.send(Exchanges.get(target).with("Sec-WebSocket-Version", "13"))))
                    .as(target)
                    .startsWith("400 malformed-content");
        assertThat(said(open.send(
                        Exchanges.get("/").with("Sec-WebSocket-Version", "13").body(json("{a}")))))
                .isEqualTo("400 malformed-content: The request has a body");
        assertThat(said(open.send(Exchanges.get(url("token", "x")).with("Sec-WebSocket-Version", "13"))))
                .isEqualTo("200");
    }

    @Test
    void documents_may_be_named_and_go_on_spelled_out() {
        PolicyRun run = persisted("");
        String hash = PersistedQueries.hash("query B {b}");

        assertThat(said(run.post("{\"documentId\":\"a\",\"variables\":{\"x\":1.50}}")))
                .isEqualTo("200");
        assertThat(run.arrived()).isEqualTo("{\"query\":\"{a}\",\"variables\":{\"x\":1.50}}");
        assertThat(said(run.post("{\"extensions\":{\"persistedQuery\":{\"version\":1,\"sha256Hash\":\"%s\"},\"t\":1}}"
                        .formatted(hash))))
                .isEqualTo("200");
        assertThat(run.arrived()).isEqualTo("{\"query\":\"query B {b}\",\"extensions\":{\"t\":1}}");
        assertThat(said(run.send(Exchanges.get(url("documentId", "a", "trace", "1")))))
                .isEqualTo("200");
        assertThat(run.last().outgoing().query()).isEqualTo("trace=1&query=%7Ba%7D");
        assertThat(said(run.post("{\"documentId\":\"x\"}"))).isEqualTo("400 content-refused: PersistedQueryNotFound");
        assertThat(said(usual.post("{\"documentId\":\"a\"}")))
                .isEqualTo("400 content-refused: PersistedQueryNotSupported");
        assertThat(said(run.post(json("{c}")))).isEqualTo("200");
    }

    @Test
    void only_those_that_are_listed_may_pass() {
        PolicyRun run = persisted(", \"only\": true");

        assertThat(said(run.post(json("{a}")))).isEqualTo("200");
        assertThat(said(run.post(json("{a }")))).startsWith("403 content-refused");
        assertThat(said(run.post("{\"documentId\":\"x\"}"))).isEqualTo("400 content-refused: PersistedQueryNotInList");
    }

    private static PolicyRun persisted(String more) {
        var services = new FakeServices();
        services.putResource("queries.json", "{\"a\": \"{a}\", \"b\": \"query B {b}\"}");
        return PolicyRun.of(
                "{\"type\": \"graphql-guard\", \"persisted\": {\"queries\": {\"resource\": \"queries.json\"}" + more
                        + "}}",
                services);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"[]", "{\"a\": 1}", "{\"a\": \"{a\"}", "{\"a\": \"{a{b{c{d{e{f{g{h{i{j{k}}}}}}}}}}}\"}", "{"})
    void a_definition_is_refused_with_documents_that_could_not_pass(String content) {
        var services = new FakeServices();
        services.putResource("q", content);

        assertThatThrownBy(() -> PolicyRun.of(
                        "{\"type\": \"graphql-guard\", \"persisted\": {\"queries\": {\"resource\": \"q\"}}}", services))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("/persisted/queries");
    }

    @Test
    void report_mode_refuses_nothing_and_says_what_it_would_have() {
        var run = PolicyRun.of("{\"type\": \"graphql-guard\", \"mode\": \"report\", \"depth\": 1}");

        assertThat(run.post(json("{a{b}}")).status()).isEqualTo(200);
        assertThat(run.reported()).singleElement().asString().endsWith("content-too-complex");
    }
}
