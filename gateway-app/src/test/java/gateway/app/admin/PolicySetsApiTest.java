package gateway.app.admin;

import static gateway.app.admin.AdminServer.definition;
import static gateway.app.admin.AdminServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.json.Json;
import gateway.service.AuditEntry;
import gateway.service.DefinitionChange;
import gateway.service.DocumentId;
import gateway.service.FakeDefinitionStore;
import gateway.service.OlderNodesException;
import gateway.service.Revision;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Policy sets and changes of several documents, over HTTP.
final class PolicySetsApiTest {
    private static final String GOLD = """
        {"id": "gold", "name": "Gold", "policies": [{"type": "rate-limit", "requests": 5, "per": "1m"}]}""";

    private final AdminServer server = new AdminServer();

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void a_set_is_created_listed_replaced_and_deleted() {
        HttpResponse<String> created = server.post("/policy-sets", GOLD);
        String tag = created.headers().firstValue("ETag").orElseThrow();

        assertThat(created.statusCode()).isEqualTo(201);
        assertThat(created.headers().firstValue("Location")).contains("/admin/v1/policy-sets/gold");
        assertThat(server.post("/policy-sets", GOLD).body()).contains("there is a policy set \\\"gold\\\" already");
        server.put("/policy-sets/silver", "{\"policies\": []}");
        assertThat(ids(server.get("/policy-sets?limit=1"))).containsExactly("gold");
        assertThat(ids(server.get("/policy-sets?cursor=gold"))).containsExactly("silver");
        assertThat(ids(server.get("/policy-sets?name=Gol"))).containsExactly("gold");
        assertThat(ids(server.get("/apis"))).isEmpty();
        assertThat(server.write("PUT", "/policy-sets/gold", "{}", "If-Match", "\"other\"")
                        .statusCode())
                .isEqualTo(412);
        assertThat(server.write("PUT", "/policy-sets/gold", "{}", "If-Match", tag)
                        .statusCode())
                .isEqualTo(200);
        assertThat(server.delete("/policy-sets/gold").statusCode()).isEqualTo(204);
        assertThat(server.get("/policy-sets/gold").statusCode()).isEqualTo(404);
        assertThat(server.audit.latest(0, 10).stream().map(AuditEntry::action))
                .containsExactly(
                        "DELETE policy-sets/gold",
                        "PUT policy-sets/gold",
                        "PUT policy-sets/silver",
                        "POST policy-sets (gold)");
        assertThat(json(server.get("/revisions/1")).at("/changes/0/kind").stringValue())
                .isEqualTo("policy-sets");
        assertThat(json(server.get("/revisions")).at("/items/0/documents/0").stringValue())
                .isEqualTo("policy-sets/gold");
    }

    @Test
    void a_changed_set_is_live_in_every_api_that_uses_it() {
        server.post("/policy-sets", GOLD);
        server.post("/apis", using("orders", "gold"));
        assertThat(steps("orders")).containsExactly("set:gold/rate-limit");

        server.put("/policy-sets/gold", """
            {"policies": [{"type": "ip-filter", "deny": ["192.0.2.0/24"]}]}""");

        assertThat(steps("orders")).containsExactly("set:gold/ip-filter");
    }

    @Test
    void a_write_that_breaks_an_api_with_the_changed_set_is_refused_with_that_apis_pointer() {
        server.post("/policy-sets", GOLD);
        server.post("/apis", using("orders", "gold"));
        server.post("/apis", """
            {"id": "versioned", "match": {"path": "/v"}, "upstream": {"targets": [{"url": "http://127.0.0.1:9"}]},
             "versions": {"in": "header", "name": "X-V", "list": [{"name": "v1", "policies": [{"use": "gold"}]}]}}""");

        HttpResponse<String> broken = server.put("/policy-sets/gold", """
            {"policies": [{"type": "rate-limit", "requests": 0, "per": "1m"}]}""");

        assertThat(broken.statusCode()).isEqualTo(422);
        assertThat(pointers(broken))
                .containsExactly(
                        "/policies/0/requests",
                        "/apis/orders/policies/0/use",
                        "/apis/versioned/versions/list/0/policies/0/use");
        assertThat(steps("orders")).containsExactly("set:gold/rate-limit");
    }

    @Test
    void what_is_used_is_not_deleted_and_its_users_are_named() {
        server.post("/policy-sets", GOLD);
        server.post("/policy-sets", "{\"id\": \"platinum\", \"policies\": [{\"use\": \"gold\"}]}");
        server.post("/apis", using("orders", "gold"));

        HttpResponse<String> refused = server.delete("/policy-sets/gold");

        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(pointers(refused)).containsExactly("/apis/orders", "/policy-sets/platinum");
        assertThat(server.get("/policy-sets/gold").statusCode()).isEqualTo(200);
    }

    @Test
    void what_an_api_uses_that_is_not_served_is_not_deleted_either() {
        server.post("/policy-sets", GOLD);
        var orders = DocumentId.api("orders");
        String broken = using("orders", "gold").replace("/orders", "orders");
        server.store.commit(new Revision(
                2,
                Instant.EPOCH,
                "another node",
                "",
                List.of(new DefinitionChange(orders, Optional.empty(), Optional.of(broken)))));
        server.definitions.start();
        assertThat(server.live.current().apis()).isEmpty();

        HttpResponse<String> refused = server.delete("/policy-sets/gold");

        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(pointers(refused)).containsExactly("/apis/orders");
    }

    @Test
    void several_documents_change_at_once_in_one_revision() {
        String changes = """
            {"put": [{"kind": "apis", "document": %s}, {"kind": "policy-sets", "document": %s}]}""".formatted(using("orders", "gold"), GOLD);

        HttpResponse<String> valid = server.post("/validate", changes);
        HttpResponse<String> done = server.write("POST", "/changes", changes, "If-Match", "\"0\"");
        HttpResponse<String> stale = server.write("POST", "/changes", changes, "If-Match", "\"0\"");
        HttpResponse<String> gone = server.post("/changes", """
            {"delete": [{"kind": "policy-sets", "id": "gold"}, {"kind": "apis", "id": "orders"}]}""");

        assertThat(json(valid).get("changes")).isEqualTo(Json.parse("""
            [{"kind": "apis", "id": "orders", "change": "create"},
             {"kind": "policy-sets", "id": "gold", "change": "create"}]"""));
        assertThat(json(valid).at("/apis/0/route/steps/0").stringValue()).isEqualTo("set:gold/rate-limit");
        assertThat(json(done).get("revision").intValue()).isEqualTo(1);
        assertThat(done.headers().firstValue("ETag")).contains("\"1\"");
        assertThat(stale.statusCode()).isEqualTo(412);
        assertThat(json(gone).get("revision").intValue()).isEqualTo(2);
        assertThat(server.live.current().apis()).isEmpty();
        assertThat(server.audit.latest(0, 10).stream().map(AuditEntry::action))
                .containsExactly(
                        "POST changes (policy-sets/gold, apis/orders)", "POST changes (apis/orders, policy-sets/gold)");
        server.write("POST", "/revisions/1/rollback", "");
        assertThat(steps("orders")).containsExactly("set:gold/rate-limit");
    }

    @Test
    void changes_are_all_or_nothing_and_tell_every_problem() {
        HttpResponse<String> malformed = server.post("/changes", """
            {"put": [{"kind": "wishes", "document": {"id": "a"}}, {"kind": "apis", "document": 1}],
             "delete": [{"kind": "apis"}], "patch": []}""");
        HttpResponse<String> twice = server.post("/changes", """
            {"put": [{"kind": "apis", "document": %s}], "delete": [{"kind": "apis", "id": "orders"}]}""".formatted(definition("orders", "/orders")));
        HttpResponse<String> half = server.post("/changes", """
            {"put": [{"kind": "policy-sets", "document": %s}, {"kind": "apis", "document": %s}]}""".formatted(GOLD, using("orders", "silver")));
        HttpResponse<String> nothing = server.post("/changes", "{}");

        assertThat(pointers(malformed))
                .containsExactly("/put/0/kind", "/put/1/document", "/put/1/document/id", "/delete/0/id", "/patch");
        assertThat(pointers(twice)).containsExactly("/delete/0");
        assertThat(half.statusCode()).isEqualTo(422);
        assertThat(pointers(half)).containsExactly("/apis/orders/policies/0/use");
        assertThat(nothing.statusCode()).isEqualTo(422);
        assertThat(server.store.load().revision()).isZero();
    }

    @Test
    void problems_of_changes_name_the_document_though_it_is_the_only_one_that_changes() {
        server.post("/policy-sets", GOLD);
        String broken = using("orders", "silver");
        String alone = "{\"put\": [{\"kind\": \"apis\", \"document\": %s}]}".formatted(broken);
        String beside =
                "{\"put\": [{\"kind\": \"apis\", \"document\": %s}, {\"kind\": \"policy-sets\", \"document\": %s}]}"
                        .formatted(broken, GOLD);

        for (String path : List.of("/changes", "/validate")) {
            for (String changes : List.of(alone, beside)) {
                HttpResponse<String> refused = server.post(path, changes);

                assertThat(refused.statusCode()).as(path).isEqualTo(422);
                assertThat(pointers(refused)).as(path).containsExactly("/apis/orders/policies/0/use");
            }
        }
        assertThat(pointers(server.post("/validate", "[" + broken + "]")))
                .containsExactly("/apis/orders/policies/0/use");
        assertThat(pointers(server.post("/validate", broken))).containsExactly("/policies/0/use");
        assertThat(pointers(server.post("/apis", broken))).containsExactly("/policies/0/use");
    }

    @Test
    void a_set_is_409_while_nodes_of_an_older_version_share_the_store() {
        FakeDefinitionStore store = server.store;
        store.meetOlderNodes();

        HttpResponse<String> refused = server.post("/policy-sets", GOLD);

        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(refused.body()).contains(new OlderNodesException("older nodes").getMessage());
        assertThat(server.post("/apis", definition("orders", "/orders")).statusCode())
                .isEqualTo(201);
    }

    private static String using(String id, String set) {
        return "{\"policies\": [{\"use\": \"" + set + "\"}], "
                + definition(id, "/" + id).strip().substring(1);
    }

    private List<String> steps(String api) {
        return server.live.current().apis().get(api).definition().policies().stream()
                .map(policy -> policy.step())
                .toList();
    }

    private static List<String> ids(HttpResponse<String> page) {
        return texts(json(page).get("items"), "id");
    }

    private static List<String> pointers(HttpResponse<String> refused) {
        return texts(json(refused).get("errors"), "pointer");
    }

    private static List<String> texts(JsonNode list, String field) {
        return list.valueStream().map(each -> each.get(field).stringValue()).toList();
    }
}
