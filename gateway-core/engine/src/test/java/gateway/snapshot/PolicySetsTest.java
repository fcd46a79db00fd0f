package gateway.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.config.DefinitionReader;
import gateway.config.TestPolicies;
import gateway.http.Response;
import gateway.policy.FakeServices;
import gateway.policy.PolicyDefinition;
import gateway.route.Route;
import gateway.route.RouteMatch;
import gateway.service.DefinitionSet;
import gateway.service.DocumentId;
import gateway.service.DocumentKind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Policy sets in snapshots: what of them reaches APIs, and when these are compiled anew.
final class PolicySetsTest {
    private final SnapshotCompiler compiler = new SnapshotCompiler(
            new DefinitionReader(TestPolicies.registry()),
            new FakeServices(),
            upstream -> (exchange, waiter) -> Response.of(200),
            250);
    private final Map<DocumentId, String> documents = new HashMap<>();

    @Test
    void policies_of_a_set_stand_where_it_is_used_under_names_of_their_own() {
        set("gold", "{'type': 'pass'}, {'type': 'pass'}, {'type': 'stop', 'status': 403, 'id': 'closed'}");
        api("orders", "{'type': 'pass'}, {'use': 'gold'}, {'type': 'pass'}");

        Snapshot snapshot = compile();

        assertThat(snapshot.problems()).isEmpty();
        assertThat(steps(snapshot, "orders"))
                .containsExactly("pass", "set:gold/pass", "set:gold/pass-2", "set:gold/closed", "pass-2");
        assertThat(pipeline(snapshot, "/orders"))
                .isEqualTo("[set:gold/closed, pass, set:gold/pass, set:gold/pass-2, pass-2]");
    }

    @Test
    void a_set_that_is_used_twice_runs_once_where_it_comes_first() {
        set("base", "{'type': 'pass'}");
        set("gold", "{'use': 'base'}, {'type': 'pass'}");
        set("silver", "{'use': 'base'}");
        api("orders", "{'use': 'gold'}, {'use': 'silver'}");

        assertThat(steps(compile(), "orders")).containsExactly("set:base/pass", "set:gold/pass");
    }

    @Test
    void a_version_uses_sets_besides_those_of_its_api() {
        set("gold", "{'type': 'pass'}");
        set("guard", "{'type': 'preflight'}");
        apiWith("orders", """
            , 'policies': [{'use': 'gold'}],
            'versions': {'in': 'header', 'name': 'X-V', 'list': [
                {'name': 'v1', 'policies': [{'use': 'gold'}, {'type': 'pass'}]}]}""");
        apiWith("refused", """
            , 'versions': {'in': 'header', 'name': 'X-V', 'list': [{'name': 'v1', 'policies': [{'use': 'guard'}]}]}""");

        Snapshot snapshot = compile();

        assertThat(steps(snapshot, "orders")).containsExactly("set:gold/pass", "v1/pass");
        assertThat(problems(snapshot))
                .containsExactly("/apis/refused/versions/list/0/policies/0/use: expected set:guard/preflight among the"
                        + " policies of the API, where preflights are answered");
    }

    @Test
    void a_changed_set_compiles_unchanged_apis_anew_and_leaves_the_others() {
        set("base", "{'type': 'pass'}");
        set("gold", "{'use': 'base'}");
        set("silver", "{'type': 'pass'}");
        api("orders", "{'use': 'gold'}");
        api("sales", "{'use': 'silver'}");
        Snapshot before = compile();

        set("base", "{'type': 'stop', 'status': 403}");
        Snapshot after = compile(before);

        assertThat(steps(after, "orders")).containsExactly("set:base/stop");
        assertThat(after.apis().get("sales")).isSameAs(before.apis().get("sales"));
        assertThat(compile(after).apis().get("orders")).isSameAs(after.apis().get("orders"));
    }

    @Test
    void an_unknown_set_is_refused_under_its_pointer_with_a_suggestion() {
        set("gold", "{'type': 'pass'}");
        api("orders", "{'use': 'glod'}");
        api("sales", "{'use': ''}");
        api("both", "{'use': 'gold', 'type': 'pass'}");

        assertThat(problems(compile()))
                .containsExactly(
                        "/apis/both/policies/0/type: unknown field",
                        "/apis/orders/policies/0/use: unknown policy set \"glod\"; did you mean \"gold\"?",
                        "/apis/sales/policies/0/use: expected text, got \"\"");
    }

    @Test
    void a_circle_is_refused_and_so_is_who_enters_it() {
        set("a", "{'use': 'b'}");
        set("b", "{'use': 'c'}");
        set("c", "{'type': 'pass'}, {'use': 'a'}");
        set("self", "{'use': 'self'}");
        api("orders", "{'use': 'a'}");

        Snapshot broken = compile();

        assertThat(problems(broken))
                .containsExactly(
                        "/apis/orders/policies/0/use: the policy set \"a\" has problems",
                        "/policy-sets/a/policies/0/use: the policy set \"b\" has problems",
                        "/policy-sets/b/policies/0/use: the policy set \"c\" has problems",
                        "/policy-sets/c/policies/1/use: a circle of policy sets: a uses b uses c uses a",
                        "/policy-sets/self/policies/0/use: a circle of policy sets: self uses self");

        set("c", "{'type': 'pass'}");
        documents.remove(new DocumentId(DocumentKind.POLICY_SETS, "self"));
        Snapshot mended = compile(broken);
        assertThat(problems(mended)).isEmpty();
        assertThat(steps(mended, "orders")).containsExactly("set:c/pass");

        set("c", "{'use': 'a'}"); // a and b are as they were
        assertThat(problems(compile(mended)))
                .anyMatch(problem -> problem.contains("a circle of policy sets"))
                .anyMatch(problem -> problem.startsWith("/apis/orders/"));
    }

    @Test
    void a_broken_set_tells_its_problems_and_leaves_out_every_api_that_uses_it() {
        set("gold", "{'type': 'stop', 'status': 1}, {'type': 'pass', 'scope': 'shared'}");
        api("orders", "{'type': 'pass'}, {'use': 'gold'}");
        api("sales", "{'type': 'pass'}");

        Snapshot snapshot = compile();

        assertThat(problems(snapshot))
                .containsExactly(
                        "/apis/orders/policies/1/use: the policy set \"gold\" has problems",
                        "/policy-sets/gold/policies/0/status: expected 100 to 599, got 1",
                        "/policy-sets/gold/policies/1/scope: expected only with policies that count, not with pass");
        assertThat(snapshot.apis()).containsOnlyKeys("sales");
    }

    @Test
    void what_is_left_out_keeps_its_match_so_that_no_broader_api_serves_it() {
        api("everything", "{'type': 'pass'}", "/");
        api("orders", "{'use': 'none'}");
        api("twin", "{'type': 'pass'}", "/twins");
        api("twins", "{'use': 'none'}");
        apiWith("off", ", 'enabled': false, 'policies': [{'use': 'none'}]");
        documents.put(DocumentId.api("lost"), "{\"id\": \"lost\", \"match\": {\"path\": 1}}");

        Snapshot snapshot = compile();

        assertThat(pipeline(snapshot, "/orders/1")).isEqualTo("[not-configured]");
        assertThat(pipeline(snapshot, "/twins")).isEqualTo("[pass]");
        assertThat(pipeline(snapshot, "/off")).isEqualTo("[pass]");
        assertThat(pipeline(snapshot, "/lost")).isEqualTo("[pass]");
        assertThat(problems(snapshot)).noneMatch(problem -> problem.contains("same match"));
    }

    @Test
    void sets_that_cost_too_much_together_are_left_out_and_cost_once_however_often_they_are_used() {
        set("a", "{'type': 'costly', 'cost': 200}");
        set("b", "{'type': 'costly', 'cost': 100}");
        set("c", "{'type': 'costly', 'cost': 50}");
        api("one", "{'use': 'a'}");
        api("two", "{'use': 'a'}, {'use': 'c'}");

        assertThat(problems(compile()))
                .containsExactly("/policy-sets/b/policies: expected at most 250 characters and instructions in the"
                        + " regular expressions of all definitions, got 300");
    }

    @Test
    void ids_of_policies_are_unique_in_their_list() {
        api("orders", "{'type': 'pass', 'id': 'x'}, {'type': 'pass', 'id': 'x'}, {'type': 'pass', 'id': 'a/b'}");
        api("sales", "{'type': 'stop', 'status': 403, 'id': 'pass'}, {'type': 'pass'}");

        assertThat(problems(compile()))
                .containsExactly(
                        "/apis/orders/policies/1/id: another policy of this list is called \"x\"",
                        "/apis/orders/policies/2/id: expected 1 to 64 letters, digits, '.', '_' or '-', got \"a/b\"",
                        "/apis/sales/policies/1/id: another policy of this list is called \"pass\"");
    }

    private Snapshot compile() {
        return compile(Snapshot.EMPTY);
    }

    private Snapshot compile(Snapshot previous) {
        return compiler.compileLeniently(new DefinitionSet(previous.revision() + 1, documents), previous);
    }

    private void set(String id, String policies) {
        String text = "{'id': '%s', 'policies': [%s]}".formatted(id, policies);
        documents.put(new DocumentId(DocumentKind.POLICY_SETS, id), text.replace('\'', '"'));
    }

    private void api(String id, String policies) {
        api(id, policies, "/" + id);
    }

    private void api(String id, String policies, String path) {
        apiWith(id, path, ", 'policies': [" + policies + "]");
    }

    private void apiWith(String id, String fields) {
        apiWith(id, "/" + id, fields);
    }

    private void apiWith(String id, String path, String fields) {
        String text = "{'id': '%s', 'match': {'path': '%s'}, 'upstream': {'targets': [{'url': 'http://10.0.0.1'}]}%s}"
                .formatted(id, path, fields);
        documents.put(DocumentId.api(id), text.replace('\'', '"'));
    }

    private static List<String> problems(Snapshot snapshot) {
        return snapshot.problems().stream().map(Object::toString).toList();
    }

    private static List<String> steps(Snapshot snapshot, String api) {
        CompiledApi compiled = snapshot.apis().get(api);
        assertThat(compiled).as("%s of %s", api, snapshot.problems()).isNotNull();
        return compiled.definition().allPolicies().stream()
                .map(PolicyDefinition::step)
                .toList();
    }

    private static String pipeline(Snapshot snapshot, String path) {
        return snapshot.table().match("h", path, "GET") instanceof RouteMatch.Found(Route route)
                ? route.pipeline().toString()
                : "none";
    }
}
