package gateway.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import gateway.config.DefinitionReader;
import gateway.config.TestPolicies;
import gateway.http.Response;
import gateway.json.InvalidConfigException;
import gateway.policy.FakeServices;
import gateway.service.DefinitionSet;
import gateway.service.DocumentId;
import gateway.service.DocumentKind;
import gateway.service.SecretReference.Origin;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class SecretsOfSnapshotsTest {
    private final FakeServices services = new FakeServices();
    private final SnapshotCompiler compiler = new SnapshotCompiler(
            new DefinitionReader(TestPolicies.registry()),
            services,
            upstream -> (exchange, waiter) -> Response.of(200));
    private final Map<DocumentId, String> documents = new HashMap<>();
    private long revision;

    @Test
    void an_api_is_compiled_anew_when_a_stored_secret_that_it_uses_has_changed_and_only_then() {
        api("orders", "{\"secret\": \"token\"}");
        api("other", "{\"secret\": \"another\"}");
        secret("token", "one");
        secret("another", "one");
        Snapshot first = compiled(Snapshot.EMPTY);

        secret("token", "two");
        Snapshot second = compiled(first);

        assertThat(second.apis().get("orders")).isNotSameAs(first.apis().get("orders"));
        assertThat(second.apis().get("other")).isSameAs(first.apis().get("other"));
    }

    @Test
    void files_and_variables_are_looked_at_for_each_snapshot() {
        api("orders", "{\"file\": \"token\"}");
        services.secrets().put(Origin.FILE, "token", "one");
        Snapshot first = compiled(Snapshot.EMPTY);
        assertThat(compiled(first).apis().get("orders")).isSameAs(first.apis().get("orders"));

        services.secrets().put(Origin.FILE, "token", "two");

        assertThat(compiled(first).apis().get("orders"))
                .isNotSameAs(first.apis().get("orders"));
    }

    @Test
    void one_that_cannot_be_had_is_a_problem_where_it_is_named() {
        api("orders", "{\"secret\": \"unknown\"}");
        api("other", "{\"env\": \"GATEWAY_SECRET_UNSET\"}");

        var refused = catchThrowableOfType(InvalidConfigException.class, () -> compiled(Snapshot.EMPTY));

        assertThat(refused.problems().stream().map(Object::toString))
                .containsExactly(
                        "/apis/orders/policies/0/value: {\"secret\": \"unknown\"}: there is no secret \"unknown\"",
                        "/apis/other/policies/0/value: {\"env\": \"GATEWAY_SECRET_UNSET\"}: no {\"env\": \"GATEWAY_SECRET_UNSET\"}");
    }

    @Test
    void one_that_cannot_be_opened_leaves_out_those_that_use_it_and_stands_under_its_own_pointer() {
        api("orders", "{\"secret\": \"token\"}");
        api("other", "{\"secret\": \"another\"}");
        secret("another", "one");
        documents.put(new DocumentId(DocumentKind.SECRETS, "token"), "{\"id\": \"token\"}");

        Snapshot snapshot = compiler.compileLeniently(new DefinitionSet(1, documents), Snapshot.EMPTY);

        assertThat(snapshot.apis()).containsOnlyKeys("other");
        assertThat(snapshot.problems().stream().map(problem -> problem.pointer()))
                .containsExactly("/apis/orders/policies/0/value", "/secrets/token");
    }

    @Test
    void one_that_an_api_holds_sealed_opens_for_that_api_alone() {
        api("orders", "{\"sealed\": \"apis.orders.hush\"}");
        api("other", "{\"sealed\": \"apis.orders.hush\"}");

        Snapshot snapshot = compiler.compileLeniently(new DefinitionSet(1, documents), Snapshot.EMPTY);

        assertThat(snapshot.apis()).containsOnlyKeys("orders");
        assertThat(snapshot.problems().stream().map(Object::toString))
                .containsExactly(
                        "/apis/other/policies/0/value: the secret that is written here: sealed for another document");
    }

    @Test
    void one_in_the_clear_is_not_served_as_it_stands() {
        api("orders", "\"hush-hush\"");

        Snapshot snapshot = compiler.compileLeniently(new DefinitionSet(1, documents), Snapshot.EMPTY);

        assertThat(snapshot.apis()).isEmpty();
        assertThat(snapshot.problems().toString()).contains("/policies/0/value").doesNotContain("hush-hush");
    }

    @Test
    void those_of_sets_and_of_the_global_policies_open_for_these() {
        api("orders", "{\"sealed\": \"apis.orders.hush\"}");
        documents.put(DocumentId.GLOBAL, """
                {"before": [{"type": "hidden", "value": {"sealed": "global.global.hush"}}]}""");
        documents.put(new DocumentId(DocumentKind.POLICY_SETS, "gold"), """
                {"id": "gold", "policies": [{"type": "hidden", "value": {"sealed": "policy-sets.gold.hush"}}]}""");
        documents.put(DocumentId.api("gilded"), """
                {"id": "gilded", "match": {"path": "/gilded"}, "policies": [{"use": "gold"}],
                 "upstream": {"targets": [{"url": "http://h"}]}}""");

        assertThat(compiled(Snapshot.EMPTY).apis()).containsOnlyKeys("orders", "gilded");
    }

    @Test
    void no_secret_is_in_what_a_snapshot_prints() {
        api("orders", "{\"secret\": \"token\"}");
        secret("token", "hush-hush");

        assertThat(compiled(Snapshot.EMPTY).toString()).doesNotContain("hush-hush");
    }

    private Snapshot compiled(Snapshot previous) {
        return compiler.compile(new DefinitionSet(++revision, documents), previous);
    }

    private void api(String id, String reference) {
        documents.put(DocumentId.api(id), """
                {"id": "%s", "match": {"path": "/%s"}, "policies": [{"type": "hidden", "value": %s}],
                 "upstream": {"targets": [{"url": "http://h"}]}}""".formatted(id, id, reference));
    }

    private void secret(String id, String value) {
        documents.put(
                new DocumentId(DocumentKind.SECRETS, id), "{\"id\": \"%s\", \"value\": \"%s\"}".formatted(id, value));
    }
}
