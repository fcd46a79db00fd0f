package gateway.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import gateway.config.DefinitionReader;
import gateway.config.TestPolicies;
import gateway.http.Response;
import gateway.json.InvalidConfigException;
import gateway.policy.FakeServices;
import gateway.route.RouteMatch;
import gateway.service.DefinitionSet;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SnapshotCompilerTest {
    private final SnapshotCompiler compiler = new SnapshotCompiler(
            new DefinitionReader(TestPolicies.registry()),
            new FakeServices(),
            upstream -> (exchange, waiter) -> Response.of(200));

    @Test
    void compiles_what_is_stored_and_routes_to_it() {
        Snapshot snapshot = compiler.compile(stored(3, "a", api("a", "/a")), Snapshot.EMPTY);

        assertThat(snapshot.revision()).isEqualTo(3);
        assertThat(snapshot.table().match("h", "/a/b", "GET")).isInstanceOf(RouteMatch.Found.class);
    }

    @Test
    void takes_over_unchanged_apis_and_compiles_only_the_changed_one() {
        Snapshot first = compiler.compile(stored(1, "a", api("a", "/a"), "b", api("b", "/b")), Snapshot.EMPTY);

        Snapshot second = compiler.compile(stored(2, "a", api("a", "/a"), "b", api("b", "/c")), first);

        assertThat(second.apis().get("a")).isSameAs(first.apis().get("a"));
        assertThat(second.table().match("h", "/b", "GET")).isInstanceOf(RouteMatch.NotFound.class);
        assertThat(second.table().match("h", "/c", "GET")).isInstanceOf(RouteMatch.Found.class);
    }

    @Test
    void refuses_the_whole_with_every_problem_of_every_definition() {
        var definitions = stored(
                1,
                "a",
                "{\"id\": \"a\"}",
                "b",
                api("b", "/same/{x}"),
                "c",
                api("c", "/same/{y}"),
                "d",
                api("not-d", "/d"),
                "e",
                "{");

        var refused =
                catchThrowableOfType(InvalidConfigException.class, () -> compiler.compile(definitions, Snapshot.EMPTY));

        assertThat(refused.problems().stream().map(Object::toString))
                .contains(
                        "/apis/a/match: expected an object, got nothing",
                        "/apis/c/match: same match as API \"b\": every method /same/{y} on any host",
                        "/apis/d/id: expected \"d\", got \"not-d\"")
                .anyMatch(problem -> problem.startsWith("/apis/e: not valid JSON at line 1"));
    }

    @Test
    void a_lenient_start_leaves_out_what_is_broken_and_names_it() {
        Snapshot snapshot = compiler.compileLeniently(stored(1, "a", "{", "b", api("b", "/b")), Snapshot.EMPTY);

        assertThat(snapshot.apis()).containsOnlyKeys("b");
        assertThat(snapshot.problems()).hasSize(1);
    }

    @Test
    void a_disabled_api_is_known_but_serves_nothing() {
        var source = api("a", "/a").replace("{\"id\"", "{\"enabled\": false, \"id\"");

        Snapshot snapshot = compiler.compile(stored(1, "a", source), Snapshot.EMPTY);

        assertThat(snapshot.apis()).containsKey("a");
        assertThat(snapshot.table().match("h", "/a", "GET")).isInstanceOf(RouteMatch.NotFound.class);
    }

    @Test
    void what_all_definitions_cost_together_is_bounded_and_who_comes_last_is_left_out() {
        var bounded = new SnapshotCompiler(
                new DefinitionReader(TestPolicies.registry()),
                new FakeServices(),
                upstream -> (exchange, waiter) -> Response.of(200),
                250);
        Snapshot snapshot = bounded.compileLeniently(
                stored(1, "a", costly("a", 100), "b", costly("b", 100), "c", costly("c", 100), "d", costly("d", 50)),
                Snapshot.EMPTY);

        assertThat(snapshot.apis()).containsOnlyKeys("a", "b", "d");
        assertThat(snapshot.problems().stream().map(Object::toString))
                .containsExactly("/apis/c/policies: expected at most 250 characters and instructions in the regular"
                        + " expressions of all definitions, got 300");
        Snapshot next = bounded.compileLeniently(
                stored(2, "0", costly("0", 51), "b", costly("b", 100), "d", costly("d", 50), "e", costly("e", 50)),
                snapshot);
        assertThat(next.apis()).containsOnlyKeys("b", "d", "0");
    }

    private static String costly(String id, int cost) {
        return api(id, "/" + id).replace("\"pass\"", "\"costly\", \"cost\": " + cost);
    }

    private static DefinitionSet stored(long revision, String... idsAndTexts) {
        Map<String, String> documents = new HashMap<>();
        for (int i = 0; i < idsAndTexts.length; i += 2) documents.put(idsAndTexts[i], idsAndTexts[i + 1]);
        return DefinitionSet.ofApis(revision, documents);
    }

    private static String api(String id, String path) {
        return "{\"id\": \"" + id + "\", \"match\": {\"path\": \"" + path
                + "\"}, \"upstream\": {\"targets\": [{\"url\": \"http://10.0.0.1\"}]},"
                + " \"policies\": [{\"type\": \"pass\"}]}";
    }
}
