package gateway.policies.cache;

import static gateway.policies.cache.CachedRoute.status;
import static gateway.policies.cache.CachedRoute.text;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.json.InvalidConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// `POST` that only asks.
final class PostKeyTest {
    private final CachedRoute whole =
            CachedRoute.with(", \"postKey\": [\"\"]").counts("Cache-Control", "max-age=60", "ETag", "\"1\"");

    @Test
    void the_same_question_is_answered_from_what_is_kept_however_it_is_written() {
        ask(whole, "{\"query\": \"a\", \"page\": 1.0}");

        Response again = ask(whole, " {\"query\":\"\\u0061\",\"page\":1.0}");

        assertThat(status(again)).startsWith("gateway; hit");
        assertThat(text(again)).isEqualTo("answer 1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"query\": \"a\", \"page\": 2}",
                "{\"query\": \"a\"}",
                "{\"query\": \"a\", \"page\": \"1\"}",
                "{\"query\": \"a\", \"page\": 1, \"more\": null}",
                "[1]",
            })
    void another_question_is_another_key(String other) {
        ask(whole, "{\"query\": \"a\", \"page\": 1}");

        assertThat(text(ask(whole, other))).isEqualTo("answer 2");
        assertThat(text(whole.get("/a"))).isEqualTo("answer 3");
    }

    @Test
    void members_that_do_not_count_never_reach_the_upstream() {
        CachedRoute route =
                CachedRoute.with(", \"postKey\": [\"/query\", \"/of/tenant\"]").counts("Cache-Control", "max-age=60");
        ask(route, "{\"evil\": true, \"query\": [1, 2.50], \"of\": {\"tenant\": \"a\", \"evil\": 1}}");

        assertThat(new String(route.last().outgoing().body().bytes(1000), UTF_8))
                .isEqualTo("{\"query\":[1,2.50],\"of\":{\"tenant\":\"a\"}}");
        assertThat(text(ask(route, "{\"query\": [1, 2.50], \"of\": {\"tenant\": \"a\"}}")))
                .isEqualTo("answer 1");
        assertThat(text(ask(route, "{\"query\": [1, 2.50], \"of\": [\"a\"]}"))).isEqualTo("answer 2");
    }

    @Test
    void what_tells_of_the_body_that_came_does_not_go_on_with_another() {
        CachedRoute route = CachedRoute.with(", \"postKey\": [\"/query\"]").counts("Cache-Control", "max-age=60");

        route.send(Exchanges.of("POST", "/a")
                .with("Content-Type", "application/json")
                .with("Content-Digest", "sha-256=:AAAA:")
                .with("Content-MD5", "AAAA")
                .body("{\"query\": 1, \"more\": 2}"));

        assertThat(route.last().headers().contains("Content-Digest")).isFalse();
        assertThat(route.last().headers().contains("Content-MD5")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"[\"\"]", "[\"/query\"]"})
    void half_of_a_surrogate_pair_is_no_question_mark(String members) {
        CachedRoute route = CachedRoute.with(", \"postKey\": " + members).counts("Cache-Control", "max-age=60");

        assertThat(status(ask(route, "{\"query\": \"what\\ud800\"}"))).isEqualTo("gateway; fwd=bypass");
        assertThat(text(ask(route, "{\"query\": \"what?\"}"))).isEqualTo("answer 2");
        assertThat(text(ask(route, "{\"query\": \"what\\ud83d\\ude00\"}"))).isEqualTo("answer 3");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"{ \"query\": -0 }|{\"query\":0}", "{\"query\": \"\\u0061\"}|{\"query\":\"a\"}"})
    void the_upstream_gets_the_text_that_was_keyed(String sent, String keyed) {
        ask(whole, sent);

        assertThat(new String(whole.last().outgoing().body().bytes(1000), UTF_8))
                .isEqualTo(keyed);
        assertThat(text(ask(whole, keyed))).isEqualTo("answer 1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"query\": 1, \"query\": 2}", "{", "no JSON"})
    void what_is_no_json_passes_by_and_has_nothing_forgotten(String body) {
        ask(whole, "{\"query\": \"a\"}");

        assertThat(status(ask(whole, body))).isEqualTo("gateway; fwd=bypass");
        assertThat(text(ask(whole, "{\"query\": \"a\"}"))).isEqualTo("answer 1");
    }

    @Test
    void other_types_and_large_or_unmeasured_bodies_pass_by() {
        String large = "{\"query\": \"" + "x".repeat(64 << 10) + "\"}";

        assertThat(status(ask(whole, large))).isEqualTo("gateway; fwd=bypass");
        assertThat(status(whole.send(Exchanges.of("POST", "/a")
                        .with("Content-Type", "application/json")
                        .chunked("{}"))))
                .isEqualTo("gateway; fwd=bypass");
        assertThat(status(whole.send(Exchanges.of("POST", "/a")
                        .with("Content-Type", "text/plain")
                        .body("{}"))))
                .isEqualTo("gateway; fwd=bypass");
    }

    @Test
    void a_change_of_the_target_has_its_answers_forgotten() {
        ask(whole, "{\"query\": \"a\"}");
        whole.send(Exchanges.of("DELETE", "/a"));

        assertThat(text(ask(whole, "{\"query\": \"a\"}"))).isEqualTo("answer 3");
    }

    @Test
    void each_caller_has_his_own() {
        ask(whole, "{\"query\": \"a\"}", "Bearer one");

        assertThat(text(ask(whole, "{\"query\": \"a\"}", "Bearer two"))).isEqualTo("answer 2");
        assertThat(text(ask(whole, "{\"query\": \"a\"}"))).isEqualTo("answer 3");
    }

    @Test
    void without_it_post_is_a_change() {
        CachedRoute route = CachedRoute.with("").counts("Cache-Control", "max-age=60");
        route.get("/a");
        ask(route, "{}");

        assertThat(text(route.get("/a"))).isEqualTo("answer 3");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[\"query\"]|/policies/0/postKey/0: expected a JSON Pointer",
                "[\"/a\", \"/a/b\"]|/policies/0/postKey: expected no pointer into what another names, got \"/a/b\"",
                "[\"\", \"/a\"]|/policies/0/postKey: expected no pointer into what another names, got \"/a\"",
                "\"/a\"|/policies/0/postKey: expected an array",
            })
    void pointers_that_make_no_sense_are_refused(String pointers, String problem) {
        assertThatThrownBy(() -> CachedRoute.with(", \"postKey\": " + pointers))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining(problem);
    }

    private static Response ask(CachedRoute route, String body) {
        return ask(route, body, "");
    }

    private static Response ask(CachedRoute route, String body, String authorization) {
        Exchanges request = Exchanges.of("POST", "/a")
                .with("Content-Type", "application/json")
                .body(body);
        return route.send(authorization.isEmpty() ? request : request.with("Authorization", authorization));
    }
}
