package gateway.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import gateway.config.DefinitionReader;
import gateway.config.TestPolicies;
import gateway.http.Headers;
import gateway.http.Response;
import gateway.json.InvalidConfigException;
import gateway.policy.FakeServices;
import gateway.policy.PolicyDefinition;
import gateway.route.Route;
import gateway.route.RouteMatch;
import gateway.service.DefinitionSet;
import gateway.service.DocumentId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class OperationsTest {
    private static final String PASS = "'policies': [{'type': 'pass'}]";
    private static final String FOUR = """
            'operations': [
              {'id': 'items', 'match': {'path': '/items'}, %1$s},
              {'id': 'item', 'match': {'path': '/items/{id}', 'methods': ['GET']}, %1$s},
              {'id': 'mine', 'match': {'path': '/items/mine', 'methods': ['GET', 'PUT']}, %1$s},
              {'id': 'posts', 'match': {'methods': ['POST']}, %1$s}]""".formatted(PASS);

    private final SnapshotCompiler compiler = new SnapshotCompiler(
            new DefinitionReader(TestPolicies.registry()),
            new FakeServices(),
            upstream -> (exchange, waiter) -> Response.of(200));

    @ParameterizedTest
    @CsvSource({
        "GET, /shop, ''",
        "GET, /shop/, ''",
        "GET, /shop/other, ''",
        "POST, /shop, op:posts/pass",
        "POST, /shop/other/deep, op:posts/pass",
        "GET, /shop/items, op:items/pass",
        "GET, /shop/items/, op:items/pass",
        "GET, /shop/items/7, op:item/pass",
        "HEAD, /shop/items/7, op:item/pass",
        "GET, /shop/items/7/parts, op:item/pass",
        "GET, /shop/items/mine, op:mine/pass",
        "PUT, /shop/items/mine, op:mine/pass",
        "PUT, /shop/items/7, op:items/pass",
        "DELETE, /shop/items/mine, op:items/pass",
        "POST, /shop/items/7, op:items/pass",
        "GET, /shop/itemsx, ''"
    })
    void the_longest_path_that_has_the_method_wins(String method, String path, String step) {
        Snapshot snapshot = compiled("'match': {'path': '/shop'}, " + FOUR);

        assertThat(steps(route(snapshot, method, path))).isEqualTo(step.isEmpty() ? List.of() : List.of(step));
    }

    @Test
    void their_policies_stand_behind_those_of_the_api_within_a_stage() {
        Snapshot snapshot =
                compiled("'match': {'path': '/'}, 'policies': [{'type': 'pass'}, {'type': 'stop', 'status': 403}],"
                        + " 'operations': [{'id': 'item', 'match': {'path': '/item'},"
                        + " 'policies': [{'type': 'stop', 'status': 404}, {'type': 'pass'}]}]");

        assertThat(steps(route(snapshot, "GET", "/item")))
                .containsExactly("stop", "op:item/stop", "pass", "op:item/pass");
        assertThat(steps(route(snapshot, "GET", "/"))).containsExactly("stop", "pass");
        assertThat(route(snapshot, "GET", "/item").pipeline()).hasToString("[stop, op:item/stop, pass, op:item/pass]");
    }

    @Test
    void each_version_has_them_behind_its_segment_and_so_has_the_default_without_one() {
        Snapshot snapshot = compiled("'match': {'path': '/shop'}, 'operations': [{'id': 'item',"
                + " 'match': {'path': '/item'}, " + PASS + "}], 'versions': {'in': 'path', 'default': 'v2', 'list':"
                + " [{'name': 'v1', " + PASS + "}, {'name': 'v2'}]}");

        assertThat(steps(route(snapshot, "GET", "/shop/v1/item"))).containsExactly("v1/pass", "op:item/pass");
        assertThat(steps(route(snapshot, "GET", "/shop/v2/item"))).containsExactly("op:item/pass");
        assertThat(steps(route(snapshot, "GET", "/shop/item"))).containsExactly("op:item/pass");
        assertThat(steps(route(snapshot, "GET", "/shop/v1"))).containsExactly("v1/pass");
        assertThat(route(snapshot, "GET", "/shop/item").below("/shop/item")).isEqualTo("/item");
        assertThat(route(snapshot, "GET", "/shop/v1/item").versionName()).isEqualTo("v1");
    }

    @Test
    void global_policies_stand_around_them() {
        Map<DocumentId, String> documents = new HashMap<>();
        documents.put(
                DocumentId.GLOBAL, "{'before': [{'type': 'pass'}], 'after': [{'type': 'pass'}]}".replace('\'', '"'));
        documents.put(DocumentId.api("shop"), api("'match': {'path': '/'}, " + FOUR));

        Snapshot snapshot = compiler.compile(new DefinitionSet(1, documents), Snapshot.EMPTY);

        assertThat(steps(route(snapshot, "GET", "/items")))
                .containsExactly("global/pass", "op:items/pass", "global/pass-2");
    }

    @Test
    void what_is_wrong_stands_under_its_pointer() {
        var refused = catchThrowableOfType(InvalidConfigException.class, () -> compiled("""
                'match': {'path': '/'}, 'operations': [
                  {'id': 'a', 'match': {'path': '/x/{id}', 'methods': ['GET']}},
                  {'id': 'a', 'match': {'path': '/x/{other}', 'methods': ['GET', 'get']}},
                  {'match': {'path': 'y'}, 'policies': [{'type': 'preflight'}, {'type': 'pas'}], 'colour': 1},
                  {'id': 'b'}]"""));

        assertThat(refused.problems().stream().map(Object::toString))
                .contains(
                        "/apis/shop/operations/1/id: the operation \"a\" stands twice",
                        "/apis/shop/operations/1/match: same match as operation \"a\": GET /x/{other}",
                        "/apis/shop/operations/1/match/methods/1: expected a method such as \"GET\", got \"get\"",
                        "/apis/shop/operations/2/id: expected text, got nothing",
                        "/apis/shop/operations/2/match/path: expected a path that begins with \"/\", got \"y\"",
                        "/apis/shop/operations/2/policies/0/type: expected preflight among the policies of the API,"
                                + " where preflights are answered",
                        "/apis/shop/operations/2/policies/1/type: unknown policy type \"pas\"; did you mean \"pass\"?",
                        "/apis/shop/operations/3/match: expected an object, got nothing")
                .anyMatch(problem -> problem.startsWith("/apis/shop/operations/2/colour: unknown field"));
    }

    @Test
    void there_are_two_thousand_pipelines_at_most() {
        var many = new StringBuilder();
        for (int i = 0; i < 1_001; i++) {
            many.append(i == 0 ? "" : ", ").append("{'id': 'o%d', 'match': {'path': '/o%d'}}".formatted(i, i));
        }

        var refused = catchThrowableOfType(
                InvalidConfigException.class,
                () -> compiled("'match': {'path': '/'}, 'operations': [" + many + "],"
                        + " 'versions': {'in': 'path', 'list': [{'name': 'v1'}, {'name': 'v2'}]}"));

        assertThat(refused.problems().toString())
                .contains("/apis/shop/operations: expected at most 1000 operations, got 1001");
    }

    private Snapshot compiled(String fields) {
        return compiler.compile(DefinitionSet.ofApis(1, Map.of("shop", api(fields))), Snapshot.EMPTY);
    }

    private static String api(String fields) {
        return "{'id': 'shop', 'upstream': {'targets': [{'url': 'http://h'}]}, %s}"
                .formatted(fields)
                .replace('\'', '"');
    }

    private static Route route(Snapshot snapshot, String method, String path) {
        Route found = ((RouteMatch.Found) snapshot.table().match("h", path, method)).route();
        Headers none = Headers.create();
        Route version = found.versions() == null ? found : found.versions().choose(path, none, "");
        return version.of(path, method);
    }

    private static List<String> steps(Route route) {
        return route.api().policies().stream()
                .sorted(PolicyDefinition.ORDER)
                .map(PolicyDefinition::step)
                .toList();
    }
}
