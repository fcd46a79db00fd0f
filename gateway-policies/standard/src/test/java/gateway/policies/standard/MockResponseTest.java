package gateway.policies.standard;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Exchanges;
import gateway.http.Response;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

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
