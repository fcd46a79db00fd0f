package gateway.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import gateway.config.DefinitionReader;
import gateway.config.TestPolicies;
import gateway.http.Response;
import gateway.json.InvalidConfigException;
import gateway.policy.FakeServices;
import gateway.policy.PolicyDefinition;
import gateway.service.DefinitionSet;
import gateway.service.DocumentId;
import gateway.service.DocumentKind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class GlobalPoliciesTest {
    private final SnapshotCompiler compiler = new SnapshotCompiler(
            new DefinitionReader(TestPolicies.registry()),
            new FakeServices(),
            upstream -> (exchange, waiter) -> Response.of(200));
    private final Map<DocumentId, String> documents = new HashMap<>();
    private long revision;

    @Test
    void stand_around_those_of_every_api_within_their_stage() {
        global(
                "{'before': [{'type': 'pass', 'id': 'first'}, {'type': 'stop', 'status': 403}], 'after': [{'type': 'pass'}]}");
        api("orders", "'policies': [{'type': 'pass'}, {'type': 'stop', 'status': 404}]");

        assertThat(steps("orders")).containsExactly("global/stop", "stop", "global/first", "pass", "global/pass-2");
    }

    @Test
    void what_opens_messages_stands_before_them_all() {
        global("{'before': [{'type': 'pass'}, {'type': 'stop', 'status': 403}], 'after': [{'type': 'open'}]}");
        api("orders", "'policies': [{'type': 'pass'}, {'type': 'open'}]");

        assertThat(steps("orders")).containsExactly("global/stop", "open", "global/open", "global/pass", "pass");
    }

    @Test
    void before_and_after_share_the_numbers_of_their_names() {
        global("{'before': [{'type': 'pass'}], 'after': [{'type': 'pass'}]}");
        api("orders", "'policies': []");

        assertThat(steps("orders")).containsExactly("global/pass", "global/pass-2");
    }

    @Test
    void policies_of_a_version_stand_between_them_too() {
        global("{'before': [{'type': 'pass'}], 'after': [{'type': 'pass'}]}");
        api(
                "orders",
                "'policies': [{'type': 'pass'}],"
                        + " 'versions': {'in': 'path', 'list': [{'name': 'v1', 'policies': [{'type': 'pass'}]}]}");

        var version = compiled(Snapshot.EMPTY)
                .apis()
                .get("orders")
                .route()
                .orElseThrow()
                .versions()
                .named()
                .get("v1");

        assertThat(version.api().policies().stream()
                        .sorted(PolicyDefinition.ORDER)
                        .map(PolicyDefinition::step))
                .containsExactly("global/pass", "pass", "v1/pass", "global/pass-2");
    }

    @Test
    void an_api_may_be_exempt() {
        global("{'before': [{'type': 'pass'}]}");
        api("orders", "'exemptFromGlobal': true, 'policies': []");

        assertThat(steps("orders")).isEmpty();
    }

    @Test
    void a_change_compiles_every_api_anew_that_is_not_exempt() {
        global("{'before': [{'type': 'pass'}]}");
        api("orders", "'policies': []");
        api("exempt", "'exemptFromGlobal': true");
        Snapshot first = compiled(Snapshot.EMPTY);
        assertThat(compiled(first).apis().get("orders")).isSameAs(first.apis().get("orders"));

        global("{'before': [{'type': 'pass'}, {'type': 'pass'}]}");
        Snapshot second = compiled(first);

        assertThat(second.apis().get("orders")).isNotSameAs(first.apis().get("orders"));
        assertThat(second.apis().get("exempt")).isSameAs(first.apis().get("exempt"));
        documents.remove(DocumentId.GLOBAL);
        assertThat(compiled(second).apis().get("orders").definition().policies())
                .isEmpty();
    }

    @Test
    void a_changed_set_that_they_use_changes_every_api() {
        set("gold", "[{'type': 'pass'}]");
        global("{'before': [{'use': 'gold'}]}");
        api("orders", "'policies': []");
        Snapshot first = compiled(Snapshot.EMPTY);
        assertThat(steps("orders")).containsExactly("set:gold/pass");

        set("gold", "[{'type': 'pass', 'id': 'other'}]");

        assertThat(compiled(first).apis().get("orders").definition().policies())
                .extracting(PolicyDefinition::step)
                .containsExactly("set:gold/other");
    }

    @Test
    void broken_ones_stand_under_their_pointer_and_leave_out_all_but_the_exempt() {
        global("{'before': [{'type': 'nothing'}], 'between': []}");
        api("orders", "'policies': []");
        api("exempt", "'exemptFromGlobal': true");

        Snapshot snapshot = compiler.compileLeniently(new DefinitionSet(1, documents), Snapshot.EMPTY);

        assertThat(snapshot.apis()).containsOnlyKeys("exempt");
        assertThat(snapshot.problems().stream().map(problem -> problem.pointer()))
                .containsExactly("/apis/orders/policies", "/global/before/0/type", "/global/between");
    }

    @Test
    void what_cannot_be_made_ready_of_them_is_a_problem_of_each_api() {
        global("{'before': [{'type': 'hidden', 'value': {'secret': 'unknown'}}]}");
        api("orders", "'policies': []");

        var refused = catchThrowableOfType(InvalidConfigException.class, () -> compiled(Snapshot.EMPTY));

        assertThat(refused.problems().toString())
                .contains("/apis/orders/global/before/0:")
                .contains("no secret \"unknown\"");
    }

    @Test
    void an_api_called_global_is_another_document() {
        api("global", "'policies': []");
        global("{'before': [{'type': 'pass'}]}");

        assertThat(steps("global")).containsExactly("global/pass");
        assertThat(DocumentId.ofPointer("/apis/global/match")).contains(DocumentId.api("global"));
        assertThat(DocumentId.ofPointer("/global/before/0")).contains(DocumentId.GLOBAL);
        assertThat(DocumentId.ofPointer("/global")).contains(DocumentId.GLOBAL);
    }

    private List<String> steps(String api) {
        return compiled(Snapshot.EMPTY).apis().get(api).definition().policies().stream()
                .sorted(PolicyDefinition.ORDER)
                .map(PolicyDefinition::step)
                .toList();
    }

    private Snapshot compiled(Snapshot previous) {
        return compiler.compile(new DefinitionSet(++revision, documents), previous);
    }

    private void global(String text) {
        documents.put(DocumentId.GLOBAL, text.replace('\'', '"'));
    }

    private void set(String id, String policies) {
        documents.put(
                new DocumentId(DocumentKind.POLICY_SETS, id),
                "{'id': '%s', 'policies': %s}".formatted(id, policies).replace('\'', '"'));
    }

    private void api(String id, String fields) {
        documents.put(
                DocumentId.api(id),
                "{'id': '%s', 'match': {'path': '/%s'}, 'upstream': {'targets': [{'url': 'http://h'}]}, %s}"
                        .formatted(id, id, fields)
                        .replace('\'', '"'));
    }
}
