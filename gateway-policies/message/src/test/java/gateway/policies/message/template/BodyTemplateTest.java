package gateway.policies.message.template;

import static gateway.policies.message.PolicyRun.told;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.policies.message.PolicyRun;
import gateway.policy.FakeServices;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class BodyTemplateTest {
    private static PolicyRun filling(String type, String template, String more) {
        return PolicyRun.of(policy(type, template, more));
    }

    private static String policy(String type, String template, String more) {
        return "{\"type\": \"body-template\", \"contentType\": \"" + type + "\", \"template\": "
                + Json.compact(Json.mapper().getNodeFactory().stringNode(template)) + more + "}";
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {"n":"{{body.name}}"}                       | {"name":"Ann"}              | {"n":"Ann"}
                    {"n":{{body.name}}}                         | {"name":"Ann"}              | {"n":"Ann"}
                    {"n":{{body.n}},"m":"{{body.n}}"}           | {"n":1.50}                  | {"n":1.50,"m":"1.50"}
                    {"n":{{body.none}},"m":"{{body.none}}"}     | {"a":1}                     | {"n":null,"m":""}
                    {"n":{{body.n}},"m":"-{{body.n}}-"}         | {"n":null}                  | {"n":null,"m":"--"}
                    {"o":{{body}},"t":"{{body.o}}"}             | {"o":{"a":"b"}}             | {"o":{"o":{"a":"b"}},"t":"{\\"a\\":\\"b\\"}"}
                    [{{#body.l}}{{^-first}},{{/-first}}{{.}}{{/body.l}}] | {"l":["a",1,true,null]} | ["a",1,true,null]
                    [{{#body.l}}{{^-last}}{{x}},{{/-last}}{{/body.l}}0] | {"l":[{"x":1},{"x":2},{"x":3}]} | [1,2,0]
                    {"a":"{{#body.t}}yes{{/body.t}}{{^body.t}}no{{/body.t}}"} | {"t":true}    | {"a":"yes"}
                    {"a":"{{#body.t}}yes{{/body.t}}{{^body.t}}no{{/body.t}}"} | {"t":""}      | {"a":"no"}
                    {"a":"{{#body.t}}yes{{/body.t}}{{^body.t}}no{{/body.t}}"} | {"u":1}       | {"a":"no"}
                    {"n":{{body.n}},"a":"{{#body.n}}yes{{/body.n}}"} | {"n":"\\uffff"}        | {"n":"\uffff","a":"yes"}
                    {"a":[{{#body.l}}{{x}}{{/body.l}}]}         | {"x":1,"l":[{"x":null}]}    | {"a":[null]}
                    {{! a comment }}{"a":"{{request.method}}{{request.path}} {{api.id}}"} | {}  | {"a":"POST/x orders"}
                    """)
    void makes_json_of_values(String template, String sent, String arrives) {
        PolicyRun run = filling("application/json", template, "");

        Response answer = run.send(Exchanges.of("POST", "/x")
                .with("Content-Type", "application/json")
                .body(sent));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(run.arrived()).isEqualTo(arrives);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\",\"admin\":true,\"b\":\"",
                "\\",
                "\\\"",
                "a\nb\u0000c",
                "{{body.secret}}",
                "{{{x}}}",
                "null",
                "true",
                "[1,{\"a\":2}]",
                "\uFFFF",
                "</a>&<!--"
            })
    void texts_of_callers_stay_texts_in_json(String value) {
        PolicyRun run = filling("application/json", "{\"in\":\"{{body.v}}\",\"whole\":{{body.v}}}", "");
        var sent = Json.mapper().createObjectNode().put("v", value).put("secret", "s");

        assertThat(run.post(Json.compact(sent)).status()).isEqualTo(200);

        var arrived = Json.parse(run.arrived());
        assertThat(arrived.propertyNames()).containsExactly("in", "whole");
        assertThat(arrived.get("in").stringValue()).isEqualTo(value);
        assertThat(arrived.get("whole").stringValue()).isEqualTo(value);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    application/xml  | <a b="{{body.v}}">{{body.v}}</a>   | <a b="&quot;&lt;/a&gt;&amp;&#39; é">&quot;&lt;/a&gt;&amp;&#39; é</a>
                    text/html        | <p title='{{body.v}}'>{{body.v}}   | <p title='&quot;&lt;/a&gt;&amp;&#39; é'>&quot;&lt;/a&gt;&amp;&#39; é
                    application/x-www-form-urlencoded | v={{body.v}}&w=1  | v=%22%3C%2Fa%3E%26%27%20%C3%A9&w=1
                    text/plain       | v: {{body.v}}                      | v: "</a>&' é
                    """)
    void escapes_by_the_type_of_what_is_made(String type, String template, String arrives) {
        PolicyRun run = filling(type, template, "");

        run.post("{\"v\":\"\\\"</a>&' é\"}");

        assertThat(run.arrived()).isEqualTo(arrives);
        assertThat(run.last().headers().first("Content-Type").orElse("")).startsWith(type);
    }

    @Test
    void sees_headers_parameters_cookies_and_what_policies_have_found_out() {
        PolicyRun run = PolicyRun.of("""
                {"type": "tag", "set": {"var.a": "x"}},
                {"type": "body-template", "contentType": "text/plain",
                 "template": "{{request.header.X-A}} {{request.query.q}} {{request.cookie.c}} {{var.a}} {{client.ip}} {{key.id}}."}""");

        run.send(Exchanges.of("POST", "/?q=1%202")
                .with("X-A", "h")
                .with("Cookie", "c=3")
                .from("192.0.2.7"));

        assertThat(run.arrived()).isEqualTo("h 1 2 3 x 192.0.2.7 .");
    }

    @Test
    void nothing_of_java_can_be_reached() {
        PolicyRun run = filling(
                "text/plain",
                "{{body.class}}{{body.a.length}}{{body.a.bytes}}{{body.l.size}}{{body.toString}}"
                        + "{{body.n.intValue}}{{#body.l}}{{hashCode}}{{request.getClass}}"
                        + "{{request.header.class.name}}{{/body.l}}.",
                "");

        run.post("{\"a\":\"text\",\"l\":[1],\"n\":1}");

        assertThat(run.arrived()).isEqualTo(".");
    }

    @Test
    void changes_answers_whatever_came_for_the_request() {
        PolicyRun run =
                filling("application/json", "{\"s\":{{response.status}},\"x\":{{body.x}}}", ", \"on\": \"response\"");

        Response answer = run.answering("{\"x\": [1], \"y\": 2}").send(Exchanges.get("/"));

        assertThat(PolicyRun.text(answer)).isEqualTo("{\"s\":200,\"x\":[1]}");
        assertThat(told(run.answering("{\"x\": 1, \"x\": 2}").send(Exchanges.get("/"))))
                .startsWith("502 response-refused");
    }

    @Test
    void passes_over_other_types_and_requests_without_content() {
        PolicyRun run = filling("application/json", "{\"a\":{{body.a}}}", "");

        run.send(Exchanges.of("POST", "/").with("Content-Type", "text/plain").body("abc"));
        assertThat(run.arrived()).isEqualTo("abc");
        run.send(Exchanges.get("/"));
        assertThat(run.arrived()).isEmpty();
        assertThat(told(run.post("{\"a\":1,\"a\":2}"))).isEqualTo("400 malformed-content");
        run.post("");
        assertThat(run.arrived()).isEqualTo("{\"a\":null}");
    }

    @Test
    void bounds_what_comes_of_it_and_how_often_sections_are_repeated() {
        String list = "[" + "1,".repeat(2_000) + "1]";
        PolicyRun wide = filling("text/plain", "{{#body}}0123456789{{/body}}", ", \"maxOutput\": \"16KiB\"");
        assertThat(told(wide.post(list)))
                .isEqualTo("400 content-too-complex : expected at most 16384 bytes to come of it");
        PolicyRun often =
                filling("text/plain", "{{#body.l}}{{#body.l}}{{#body.l}}{{/body.l}}{{/body.l}}{{/body.l}}", "");
        assertThat(told(often.post("{\"l\":" + list + "}")))
                .isEqualTo("400 content-too-complex : expected sections to be repeated at most 1000000 times,"
                        + " with 10 names looked up in each");
    }

    @Test
    void names_that_are_looked_up_again_and_again_are_bounded() {
        PolicyRun run = filling(
                "text/plain", "{{#body.a}}{{#body.a}}" + "{{nothing}}".repeat(50) + "{{/body.a}}{{/body.a}}", "");

        assertThat(run.post("{\"a\": [" + "{},".repeat(599) + "{}]}").reason()).isEqualTo("content-too-complex");
        assertThat(run.post("{\"a\": [" + "{},".repeat(99) + "{}]}").status()).isEqualTo(200);
    }

    /// The request's own thread may be that of an IO thread.
    @Test
    void a_small_body_of_which_much_comes_goes_to_a_worker() {
        var services = new FakeServices();
        PolicyRun run = PolicyRun.of(
                policy("text/plain", "{{#body.a}}{{#body.a}}{{body.b}}{{/body.a}}{{/body.a}}", ""), services);

        run.post("{\"a\": [1, 2, 3], \"b\": 1}");
        assertThat(services.workers().taken()).isZero();

        run.post("{\"a\": [" + "1,".repeat(99) + "1], \"b\": 1}"); // 10,000 repetitions
        assertThat(services.workers().taken()).isOne();
        assertThat(run.arrived()).hasSize(10_000);

        run.post("{\"a\": [" + "1,".repeat(19) + "1], \"b\": \"" + "b".repeat(100) + "\"}"); // 40,000 characters
        assertThat(services.workers().taken()).isEqualTo(2);
        assertThat(run.arrived()).hasSize(40_000);
    }

    @Test
    void what_is_no_json_after_all_does_not_go_out() {
        PolicyRun run = filling("application/json", "[{{#body}}{{.}},{{/body}}]", "");

        assertThat(told(run.post("[1]"))).isEqualTo("500 policy-failed");
        assertThat(run.arrived()).isEmpty();
    }

    @Test
    void the_template_may_be_a_resource() {
        var services = new FakeServices();
        services.putResource("t.mustache", "{\"a\":{{body.a}}}");
        PolicyRun run =
                PolicyRun.of("{\"type\": \"body-template\", \"template\": {\"resource\": \"t.mustache\"}}", services);

        run.post("{\"a\":1}");

        assertThat(run.arrived()).isEqualTo("{\"a\":1}");
        services.putResource("t.mustache", "{{{body.a}}}");
        assertThatThrownBy(() -> PolicyRun.of(
                        "{\"type\": \"body-template\", \"template\": {\"resource\": \"t.mustache\"}}", services))
                .hasMessageContaining("/template: expected a name");
    }

    @Test
    void sections_may_add_attributes_to_a_tag() {
        String template = "<option{{#body.s}} selected{{/body.s}} title='{{body.a}}'>{{body.a}}</option>";

        PolicyRun run = filling("text/html", template, "");
        run.post("{\"s\": true, \"a\": \"'x\"}");

        assertThat(run.arrived()).isEqualTo("<option selected title='&#39;x'>&#39;x</option>");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    application/json | {{{body.a}}}                | expected a name, or # ^ / ! and a name
                    application/json | {{&body.a}}                 | expected a name, or # ^ / ! and a name
                    application/json | {{> other}}                 | expected a name, or # ^ / ! and a name
                    application/json | {{=<% %>=}}                 | expected a name, or # ^ / ! and a name
                    application/json | {{$block}}{{/block}}        | expected a name, or # ^ / ! and a name
                    application/json | {{body.a                    | expected "}}" after "{{"
                    application/json | {{#body.l}}x                | expected {{/body.l}} behind its section
                    application/json | {{#body.l}}{{/body}}        | expected no {{/body}} here
                    application/json | {"a":"\\{{body.a}}"}        | expected {{body.a}} within the quotes of a text, got it behind a backslash
                    application/json | {"a":{{#body.l}}"{{/body.l}}"} | expected quotes and tags to end within the section
                    application/json | {{bodi.a}}                  | unknown value "bodi.a"; did you mean "body"?
                    application/json | {{request.heder.a}}         | unknown value "request.heder.a"; did you mean "request.header"?
                    application/json | {{#key.nmae}}{{/key.nmae}}  | unknown value "key.nmae"; did you mean "key.name"?
                    application/json | {{api.name}}                | unknown value "api.name"; known are
                    application/json | {{request.path.a.b}}        | unknown value "request.path.a.b"; known are
                    application/json | {{request.header.a.b}}      | unknown value "request.header.a.b"; known are
                    application/xml  | <a {{body.a}}="x"/>         | expected {{body.a}} in a text or within the quotes
                    application/xml  | <a b={{body.a}}/>           | expected {{body.a}} in a text or within the quotes
                    application/xml  | <{{body.a}}/>               | expected {{body.a}} in a text or within the quotes
                    application/xml  | <!-- {{body.a}} -->         | expected {{body.a}} in a text or within the quotes
                    text/html        | <script>{{body.a}}</script> | expected no script and no style
                    text/html        | <a b=don't c={{body.a}}>    | got it as an attribute without quotes
                    text/html        | <a onclick="f('{{body.a}}')"> | got it in an attribute that is run
                    text/html        | <a{{#body.l}} b{{/body.l}}="{{body.a}}"> | got it as an attribute without quotes
                    image/png        | x                           | expected a type of JSON, XML, HTML, forms or plain text
                    """)
    void takes_no_template_whose_values_could_leave_their_places(String type, String template, String problem) {
        assertThatThrownBy(() -> filling(type, template, ""))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining(problem);
    }
}
