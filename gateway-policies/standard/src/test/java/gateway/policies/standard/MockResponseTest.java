package gateway.policies.standard;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Exchanges;
import gateway.http.Response;
import java.nio.charset.StandardCharsets;
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
                        "/examples/2/name: expected 1 to 100 letters, digits and \"_.-\"");
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
