package gateway.policies.cache;

import static gateway.policies.cache.CachedRoute.answer;
import static gateway.policies.cache.CachedRoute.status;
import static gateway.policies.cache.CachedRoute.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.json.InvalidConfigException;
import gateway.service.CachePurge;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Requests that the operator has go past the cache.
final class PassingByTest {
    private static final String PREVIEWS =
            ", \"key\": {\"query\": [\"page\"]}, \"bypass\": {\"query\": {\"preview\": \"*\"}}";

    private final CachedRoute route = CachedRoute.with(PREVIEWS).counts("Cache-Control", "max-age=60");

    @Test
    void they_are_neither_answered_from_what_is_kept_nor_kept() {
        route.get("/a?page=1");

        Response preview = route.get("/a?page=1&preview=1");

        assertThat(text(preview)).isEqualTo("answer 2");
        assertThat(status(preview)).isEqualTo("gateway; fwd=bypass");
        assertThat(text(route.get("/a?page=1"))).isEqualTo("answer 1");
        assertThat(text(route.get("/a?page=1&preview=1"))).isEqualTo("answer 3");
    }

    @Test
    void the_upstream_gets_all_of_them() {
        route.get("/a?page=1&preview=1&x=2");

        assertThat(route.last().outgoing().query()).isEqualTo("page=1&preview=1&x=2");
    }

    @Test
    void what_they_change_is_forgotten_all_the_same() {
        route.get("/a");
        route.send(Exchanges.of("PUT", "/a?preview=1"));
        route.send(Exchanges.of("PUT", "/a"));

        assertThat(text(route.get("/a"))).isEqualTo("answer 4");
    }

    @Test
    void a_question_in_a_post_may_pass_by_for_what_it_holds() {
        CachedRoute asked = CachedRoute.with(", \"postKey\": [\"\"], \"bypass\": {\"body\": {\"/live\": true}}")
                .counts("Cache-Control", "max-age=60");

        assertThat(status(ask(asked, "{\"live\": true}"))).isEqualTo("gateway; fwd=bypass");
        assertThat(status(ask(asked, "{\"live\": false}"))).isEqualTo("gateway; fwd=miss; stored");
        assertThat(status(ask(asked, "{\"live\": false}"))).startsWith("gateway; hit");
    }

    @Test
    void head_passes_by_where_methods_do_not_name_it() {
        CachedRoute got = CachedRoute.with(", \"methods\": [\"GET\"]").counts("Cache-Control", "max-age=60");
        got.get("/a");

        assertThat(status(got.send(Exchanges.of("HEAD", "/a")))).isEqualTo("gateway; fwd=bypass");
        assertThat(status(got.get("/a"))).startsWith("gateway; hit");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"methods\": [\"HEAD\"]|/methods: expected GET among them, whose answers alone are kept",
                "\"methods\": []|/methods: expected GET among them, whose answers alone are kept",
                "\"methods\": [\"GET\", \"POST\"]|/methods/1: expected GET or HEAD; POST is kept by postKey",
                "\"methods\": [\"GET\", \"get\"]|/methods/1: expected GET or HEAD, got \"get\"",
                "\"bypass\": {\"path\": \"/a\"}|/bypass/path: unknown field",
                "\"bypass\": {}|/bypass: expected at least one condition, got {}",
            })
    void what_makes_no_sense_is_refused(String field, String problem) {
        assertThatThrownBy(() -> CachedRoute.with(", " + field))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("/policies/0" + problem);
    }

    /// Of a request that the step is not asked about nobody reads the tags, and the client sees none either.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"when\": {\"paths\": [\"/b\"]}",
                "\"when\": {\"answer\": {\"statuses\": [404]}}",
                "\"bypass\": {\"paths\": [\"/a\"]}",
            })
    void no_client_sees_tags_whether_the_policy_is_asked_or_not(String field) {
        CachedRoute tagged =
                CachedRoute.with(", " + field).counts("Cache-Control", "max-age=60", "Cache-Tag", "item-7");

        Response answer = tagged.get("/a");

        assertThat(text(answer)).isEqualTo("answer 1");
        assertThat(answer.headers().contains("Cache-Tag")).isFalse();
    }

    @Test
    void a_step_that_is_not_asked_leaves_tags_to_the_one_that_is() {
        String others = ", \"id\": \"a\", \"when\": {\"paths\": [\"/a\"]}}, "
                + "{\"type\": \"cache\", \"id\": \"b\", \"when\": {\"not\": {\"paths\": [\"/a\"]}}";
        CachedRoute tagged = CachedRoute.with(others);
        tagged.answers(_ -> {
            tagged.purges(new CachePurge("", "", "", "t", false));
            return answer(200, "x", "Cache-Control", "max-age=60", "Cache-Tag", "t");
        });
        for (String path : List.of("/a", "/b", "/a", "/b")) tagged.get(path);

        assertThat(tagged.asked()).isEqualTo(4);
    }

    private static Response ask(CachedRoute route, String body) {
        return route.send(Exchanges.of("POST", "/a")
                .with("Content-Type", "application/json")
                .body(body));
    }
}
