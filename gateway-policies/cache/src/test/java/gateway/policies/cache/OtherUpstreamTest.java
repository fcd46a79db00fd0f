package gateway.policies.cache;

import static gateway.policies.cache.CachedRoute.status;
import static gateway.policies.cache.CachedRoute.text;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Exchanges;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What becomes of kept answers when an API's requests go elsewhere.
final class OtherUpstreamTest {
    private static final String SHARED = ", \"shared\": \"store\"";
    private static final String LASTING = "max-age=60";

    @ParameterizedTest
    @ValueSource(strings = {"", SHARED})
    void answers_of_one_upstream_are_not_given_for_another(String fields) {
        CachedRoute before = CachedRoute.with(fields).counts("Cache-Control", LASTING);
        before.get("/a");

        CachedRoute after = before.moves(fields, upstream("http://10.0.0.2", "http://10.0.0.1"))
                .answers(_ -> CachedRoute.answer(200, "of another", "Cache-Control", LASTING));

        assertThat(text(after.get("/a"))).isEqualTo("of another");
        assertThat(text(after.get("/a"))).isEqualTo("of another");
        assertThat(after.asked()).isEqualTo(1);
    }

    @Test
    void answers_that_nodes_share_are_not_given_for_another_upstream() {
        CachedRoute before = CachedRoute.with(SHARED).counts("Cache-Control", LASTING);
        before.get("/a");

        CachedRoute after = before.beside()
                .moves(SHARED, upstream("http://10.0.0.2"))
                .answers(_ -> CachedRoute.answer(200, "of another", "Cache-Control", LASTING));

        assertThat(text(after.get("/a"))).isEqualTo("of another");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", SHARED})
    void more_targets_behind_the_first_leave_what_is_kept(String fields) {
        CachedRoute before = CachedRoute.with(fields).counts("Cache-Control", LASTING);
        before.get("/a");

        CachedRoute after = before.moves(fields, upstream("http://10.0.0.1", "http://10.0.0.2"));

        assertThat(status(after.get("/a"))).startsWith("gateway; hit");
    }

    @Test
    void another_target_of_a_branch_leaves_what_other_branches_have() {
        CachedRoute before = CachedRoute.with("")
                .moves("", split("http://10.0.1.1"))
                .answers(each -> CachedRoute.answer(200, "of " + each.outgoing().branch(), "Cache-Control", LASTING));
        before.get("/a");
        before.send(Exchanges.get("/a").with("X-Branch", "canary"));

        CachedRoute after = before.moves("", split("http://10.0.1.2"))
                .answers(_ -> CachedRoute.answer(200, "of another canary", "Cache-Control", LASTING));

        assertThat(text(after.get("/a"))).isEqualTo("of main");
        assertThat(text(after.send(Exchanges.get("/a").with("X-Branch", "canary"))))
                .isEqualTo("of another canary");
    }

    private static String upstream(String... urls) {
        return "{\"targets\": [{\"url\": \"" + String.join("\"}, {\"url\": \"", urls) + "\"}]}";
    }

    private static String split(String canary) {
        return """
                {"targets": [{"url": "http://10.0.0.1"}],
                 "split": {"branches": [{"name": "canary", "percent": 5, "targets": [{"url": "%s"}]}]}}""".formatted(canary);
    }
}
