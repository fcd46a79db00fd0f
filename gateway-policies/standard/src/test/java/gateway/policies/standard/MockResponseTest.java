package gateway.policies.standard;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MockResponseTest {
    private final Reading reading = new Reading(new MockResponse.Type());

    @Test
    void answers_json_with_its_headers() {
        Response response = stop("{'status': 201, 'headers': {'Cache-Control': 'no-store'}, 'json': {'items': []}}");

        assertThat(response.status()).isEqualTo(201);
        assertThat(response.headers()).hasToString("[Content-Type, application/json, Cache-Control, no-store]");
        assertThat(text(response)).isEqualTo("{\"items\":[]}");
    }

    @Test
    void answers_text_of_any_type() {
        assertThat(stop("{'body': 'hé'}").headers().all("content-type")).containsExactly("text/plain; charset=utf-8");
        assertThat(text(stop("{'body': 'hé'}"))).isEqualTo("hé");
        assertThat(stop("{'headers': {'content-type': 'text/html'}, 'body': '<p>'}")
                        .headers()
                        .all("Content-Type"))
                .containsExactly("text/html");
    }

    @Test
    void answers_200_without_content_when_nothing_is_said() {
        assertThat(stop("{}").status()).isEqualTo(200);
        assertThat(stop("{}").headers()).hasToString("[]");
        assertThat(text(stop("{}"))).isEmpty();
    }

    @Test
    void makes_each_answer_headers_of_its_own() {
        var policy = reading.policy("{'body': 'x'}");
        policy.stop(Exchanges.get("/").make()).orElseThrow().with("X-Once", "1");

        Response second = policy.stop(Exchanges.get("/").make()).orElseThrow();

        assertThat(second.headers().contains("X-Once")).isFalse();
    }

    @Test
    void answers_only_the_requests_it_names() {
        var policy = reading.policy("{'requests': [{'path': '/items', 'methods': ['GET']}]}");

        assertThat(policy.stop(Exchanges.get("/items/7").make())).isPresent();
        assertThat(policy.stop(Exchanges.of("HEAD", "/items/7").make())).isPresent();
        assertThat(policy.stop(Exchanges.of("POST", "/items").make())).isEmpty();
        assertThat(policy.stop(Exchanges.get("/other").make())).isEmpty();
    }

    @Test
    void leaves_braces_alone_unless_told_that_they_are_placeholders() {
        Response response = stop("{'headers': {'X-A': '{request.id}'}, 'body': '{request.id}'}");

        assertThat(text(response)).isEqualTo("{request.id}");
        assertThat(response.headers().first("X-A")).contains("{request.id}");
    }

    @Test
    void puts_values_into_the_texts_of_json_where_they_cannot_leave_their_place() {
        var policy = reading.policy("{'template': true, 'headers': {'X-A': 'a {request.query.a}'},"
                + " 'json': {'a': '{request.query.a}!', 'b': [{'{request.method}': '{{}'}], 'c': 1}}");

        Response response =
                policy.stop(Exchanges.get("/?a=%22%7D%5C%0D%0Ax").make()).orElseThrow();

        assertThat(text(response)).isEqualTo("{\"a\":\"\\\"}\\\\\\u000D\\u000Ax!\",\"b\":[{\"GET\":\"{}\"}],\"c\":1}");
        assertThat(response.headers().first("X-A")).contains("a \"}\\??x");
        assertThat(response.headers().first("Content-Type")).contains("application/json");
    }

    @Test
    void escapes_values_by_the_type_of_the_body() {
        String ask = "/?a=%3Cb%3E%26";
        for (var each : Map.of(
                        "text/html", "<p>&lt;b&gt;&amp;</p>",
                        "application/soap+xml; charset=utf-8", "<p>&lt;b&gt;&amp;</p>",
                        "text/plain", "<p><b>&</p>")
                .entrySet()) {
            var policy = reading.policy("{'template': true, 'headers': {'Content-Type': '" + each.getKey()
                    + "'}, 'body': '<p>{request.query.a}</p>'}");
            assertThat(text(policy.stop(Exchanges.get(ask).make()).orElseThrow()))
                    .isEqualTo(each.getValue());
        }
    }

    @Test
    void a_template_that_a_request_makes_too_long_is_not_made() {
        var policy = reading.policy("{'template': true, 'headers': {'Content-Type': 'text/html'}, 'body': '"
                + "{request.header.x}".repeat(100) + "'}");

        Response answer = policy.stop(
                        Exchanges.get("/").with("X", "\"".repeat(8_000)).make())
                .orElseThrow();

        assertThat(answer.status()).isEqualTo(500);
        assertThat(text(answer)).contains("policy-failed", "longer than 16384 characters");
        assertThat(reading.problems("{'template': true, 'body': '" + "x".repeat(16_385) + "'}"))
                .contains("/body: expected at most 16384 characters for a template, got 16385");
    }

    @Test
    void refuses_templates_of_types_whose_escapes_are_not_known() {
        assertThat(reading.problems(
                        "{'template': true, 'headers': {'Content-Type': 'text/css'}, 'body': '{request.idd}'}"))
                .contains("/body: expected JSON, XML, HTML or text/plain for a template, got text/css: how values are"
                        + " escaped in it is not known")
                .hasSize(2);
        assertThat(reading.problems("{'template': true, 'body': '" + "{request.id}".repeat(101) + "'}"))
                .containsExactly("/body: expected at most 100 placeholders, got 101");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            application/json | {{"a": {request.query.a}}  | within the quotes of a text, got it outside of quotes
            application/json | {{"a": "\\{request.query.a}"} | within the quotes of a text, got it behind a backslash
            text/html | <b {request.query.a}>             | got it in a tag, outside of quotes
            text/html | <b x{request.query.a}='1'>        | got it in the name of an attribute
            text/html | <{request.query.a}>               | got it in the name of a tag
            text/html | <b x={request.query.a}>           | got it as an attribute without quotes
            text/html | <b x=don't y={request.query.a}>   | got it as an attribute without quotes
            text/html | <b x = '1'y='2' ="{request.query.a}"> | got it in the name of an attribute
            text/html | <b OnClick="f('{request.query.a}')"> | got it in an attribute that is run
            text/html | <!-- <i> {request.query.a} -->    | got it in a comment or other markup that is no tag
            text/xml  | <!-- {request.query.a} -->        | got it in a comment or other markup that is no tag
            text/xml  | <?a {request.query.a}?>           | got it in a comment or other markup that is no tag
            image/svg+xml | <svg xmlns="http://www.w3.org/2000/svg" onload="{request.query.a}"/> | in an attribute that is run
            """)
    void refuses_values_where_no_escape_keeps_them_in_their_place(String type, String body, String problem) {
        assertThat(problems(type, body))
                .singleElement()
                .asString()
                .startsWith("/body: expected {request.query.a} ")
                .endsWith(problem);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            text/html | <Script>{request.query.a}</Script>
            text/html | <style>{request.query.a}</style>
            image/svg+xml | <s:svg xmlns:s="http://www.w3.org/2000/svg"><s:script>{request.query.a}</s:script></s:svg>
            """)
    void refuses_pages_with_scripts_and_styles(String type, String body) {
        assertThat(problems(type, body))
                .containsExactly("/body: expected no script and no style: values are not escaped for them");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            application/json | {{"a": "\\\\{request.query.a}", "{request.query.a}": 1}
            text/html | <a title='{request.query.a}' class = "x {request.query.a}">{request.query.a}</a>
            text/html | <!-- don't {request.query.a} --><p title=>a>{request.query.a}
            text/xml  | <?xml version="1.0"?><!-- a --><user online="{request.query.a}"><style>{request.query.a}</style></user>
            text/plain | <{request.query.a}
            """)
    void takes_values_where_they_stay_in_their_place(String type, String body) {
        assertThat(problems(type, body)).isEmpty();
    }

    @Test
    void the_type_by_which_values_are_escaped_is_no_callers() {
        assertThat(problems("text/html; charset={request.query.a}", "x"))
                .containsExactly("/headers/Content-Type: expected no placeholder, since values are escaped by the type,"
                        + " got \"text/html; charset={request.query.a}\"");
        assertThat(problems("text/html; charset=shift_jis", "x"))
                .containsExactly("/headers/Content-Type: expected the charset utf-8 for a template, got \"text/html;"
                        + " charset=shift_jis\"");
        assertThat(reading.problems("{'template': true, 'body': '<{request.id}',"
                        + " 'headers': {'Content-Type': 'text/plain', 'content-type': 'text/html'}}"))
                .hasSize(1);
    }

    @Test
    void html_of_a_template_says_its_charset() {
        assertThat(stop("{'template': true, 'headers': {'content-type': 'text/html'}, 'body': '{request.id}'}")
                        .headers()
                        .all("Content-Type"))
                .containsExactly("text/html; charset=utf-8");
    }

    private List<String> problems(String type, String body) {
        return reading.problems(Json.compact(Json.mapper()
                        .createObjectNode()
                        .put("template", true)
                        .put("body", body)
                        .set("headers", Json.mapper().createObjectNode().put("Content-Type", type)))
                .replace("'", "\\u0027"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "code=404 | 404 | missing",
                "respond-async, example=gone; a=1 | 404 | gone",
                "CODE = \"503\" | 503 | away",
                "code=404, example=gone | 404 | gone",
                "code=503, example=gone | 200 | usual",
                "code=500 | 200 | usual",
                "example | 200 | usual",
                "code=404, code=503 | 404 | missing"
            })
    void gives_the_example_that_is_preferred(String prefer, int status, String name) {
        var policy = reading.policy("{'body': 'usual', 'examples': [{'name': 'missing', 'status': 404,"
                + " 'body': 'missing'}, {'name': 'gone', 'status': 404, 'body': 'gone'},"
                + " {'name': 'away', 'status': 503, 'body': 'away'}]}");

        Response response =
                policy.stop(Exchanges.get("/").with("Prefer", prefer).make()).orElseThrow();

        assertThat(response.status()).isEqualTo(status);
        assertThat(text(response)).isEqualTo(name);
        assertThat(response.headers().all("Vary")).containsExactly("Prefer");
        assertThat(response.headers().first("Preference-Applied"))
                .isEqualTo(name.equals("usual") ? Optional.empty() : Optional.of("example=" + name));
    }

    @Test
    void asks_for_examples_with_names_of_their_own_and_a_delay_of_seconds() {
        assertThat(reading.problems("{'delay': '11s', 'examples': [{'name': 'a'}, {'name': 'a'}, {'name': 'b c'}]}"))
                .containsExactlyInAnyOrder(
                        "/delay: expected a duration from 0s to 10s, got \"11s\"",
                        "/examples: expected each name once",
                        "/examples/2/name: expected 1 to 100 letters, digits and \"_.-\", got \"b c\"");
    }

    /// The delay is the feature: no more is asked than that it is not cut short.
    @Test
    void lets_a_request_wait_as_long_as_told() {
        var policy = reading.policy("{'delay': '20ms'}");
        long begun = System.nanoTime();

        policy.stop(Exchanges.get("/").make());

        assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(20_000_000);
    }

    @Test
    void names_every_problem() {
        assertThat(
                        reading.problems(
                                "{'status': 199, 'json': 1, 'body': 'x',"
                                        + "'headers': {'Content-Length': '5', 'X Y': 'a', 'X-A': 'a\\r\\nb'}, 'requests': [{'path': 'x'}]}"))
                .containsExactlyInAnyOrder(
                        "/status: expected 200 to 599, got 199",
                        "/body: expected either \"body\" or \"json\", got both",
                        "/headers/Content-Length: the gateway writes Content-Length itself",
                        "/headers/X Y: expected a header name, got \"X Y\"",
                        "/headers/X-A: expected only characters that may stand in a header",
                        "/requests/0/path: expected a path that begins with \"/\", got \"x\"");
        assertThat(reading.problems("{'status': 204, 'body': 'x'}"))
                .containsExactly("/body: expected none with status 204");
    }

    private Response stop(String json) {
        return reading.policy(json).stop(Exchanges.get("/").make()).orElseThrow();
    }

    private static String text(Response response) {
        return new String(response.body().bytes(Long.MAX_VALUE), StandardCharsets.UTF_8);
    }
}
