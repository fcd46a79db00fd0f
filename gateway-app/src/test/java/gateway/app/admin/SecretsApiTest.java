package gateway.app.admin;

import static gateway.app.admin.AdminServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.json.Json;
import gateway.service.DefinitionChange;
import gateway.service.DefinitionSet;
import gateway.service.DocumentId;
import gateway.service.DocumentKind;
import gateway.service.Revision;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Stored secrets over HTTP.
final class SecretsApiTest {
    private static final String HUSH = "{\"id\": \"token\", \"value\": \"hush-hush\"}";

    private final AdminServer server = new AdminServer();

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void a_secret_is_created_listed_replaced_and_deleted_and_never_shown() {
        HttpResponse<String> created = server.post("/secrets", HUSH);
        String tag = created.headers().firstValue("ETag").orElseThrow();

        assertThat(created.statusCode()).isEqualTo(201);
        assertThat(created.headers().firstValue("Location")).contains("/admin/v1/secrets/token");
        assertThat(mask(created)).matches("[0-9a-f]{8}");
        assertThat(server.post("/secrets", HUSH).statusCode()).isEqualTo(409);
        assertThat(server.put("/secrets/second", "{\"value\": \"hush-hush\"}").statusCode())
                .isEqualTo(201);
        assertThat(ids(server.get("/secrets?limit=1"))).containsExactly("second");
        assertThat(ids(server.get("/secrets?cursor=second"))).containsExactly("token");
        assertThat(ids(server.get("/secrets?name=tok"))).containsExactly("token");
        assertThat(server.write("PUT", "/secrets/token", "{\"value\": \"x\"}", "If-Match", "\"other\"")
                        .statusCode())
                .isEqualTo(412);
        HttpResponse<String> replaced =
                server.write("PUT", "/secrets/token", "{\"value\": \"hush-hush-2\"}", "If-Match", tag);
        assertThat(replaced.statusCode()).isEqualTo(200);
        assertThat(mask(replaced)).isNotEqualTo(mask(created));
        assertThat(server.delete("/secrets/token").statusCode()).isEqualTo(204);
        assertThat(server.get("/secrets/token").statusCode()).isEqualTo(404);

        for (String page : List.of(
                "/secrets",
                "/secrets/second",
                "/revisions",
                "/revisions/1",
                "/revisions/3",
                "/revisions/0/diff",
                "/revisions/4/diff?to=0",
                "/audit",
                "/snapshot")) {
            assertThat(server.get(page).body()).as(page).doesNotContain("hush-hush");
        }
        assertThat(stored("second")).doesNotContain("hush-hush").contains("\"sealed\"");
    }

    @Test
    void a_mask_that_comes_back_keeps_the_value_and_makes_no_revision() {
        String shown = server.post("/secrets", HUSH).body();

        HttpResponse<String> back = server.put("/secrets/token", shown);

        assertThat(back.statusCode()).isEqualTo(200);
        assertThat(json(server.get("/snapshot")).get("revision").intValue()).isEqualTo(1);
        assertThat(server.put("/secrets/token", "{\"value\": {\"masked\": \"00000000\"}}")
                        .statusCode())
                .isEqualTo(422);
    }

    @Test
    void an_unknown_secret_in_a_definition_is_refused_under_its_policy() {
        HttpResponse<String> refused = server.put("/apis/orders", using("token"));

        assertThat(refused.statusCode()).isEqualTo(422);
        assertThat(refused.body()).contains("/policies/0").contains("there is no secret \\\"token\\\"");
    }

    @Test
    void a_value_in_the_place_of_a_reference_is_refused_and_not_repeated() {
        HttpResponse<String> refused = server.put(
                "/apis/orders",
                using("token").replace("{\"secret\": \"token\"}", "{\"secret\": \"token\", \"value\": \"hush-hush\"}"));

        assertThat(refused.statusCode()).isEqualTo(422);
        assertThat(refused.body()).doesNotContain("hush-hush");
    }

    @Test
    void one_in_use_is_not_deleted() {
        server.post("/secrets", HUSH);
        server.put("/apis/orders", using("token"));

        HttpResponse<String> refused = server.delete("/secrets/token");

        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(refused.body()).contains("/apis/orders").contains("uses secrets/token");
        server.delete("/apis/orders");
        assertThat(server.delete("/secrets/token").statusCode()).isEqualTo(204);
    }

    @Test
    void one_that_only_a_disabled_api_names_is_in_use_too() {
        server.post("/secrets", HUSH);
        server.put("/apis/orders", using("token").replace("\"id\"", "\"enabled\": false, \"id\""));

        assertThat(server.delete("/secrets/token").statusCode()).isEqualTo(409);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void one_that_a_member_called_secret_names_is_in_use_too(boolean enabled) {
        server.post("/secrets", HUSH);
        server.put("/apis/orders", """
                {"id": "orders", "enabled": %s, "match": {"path": "/orders"},
                 "upstream": {"targets": [{"url": "http://127.0.0.1:9"}]},
                 "policies": [{"type": "upstream-auth", "oauth2": {"tokenUrl": "http://127.0.0.1:9/token",
                   "client": {"id": "gateway", "secret": {"secret": "token"}}}}]}""".formatted(enabled));

        HttpResponse<String> refused = server.delete("/secrets/token");

        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(refused.body()).contains("/apis/orders").contains("uses secrets/token");
        assertThat(server.get("/secrets/token").statusCode()).isEqualTo(200);
    }

    @Test
    void one_that_stands_in_a_policy_which_nobody_can_read_is_in_use_too() {
        server.post("/secrets", HUSH);
        String ofPlugin = using("token").replace("headers", "lost-plugin");
        server.store.commit(new Revision(
                2,
                Instant.EPOCH,
                "a node with the plugin",
                "",
                List.of(new DefinitionChange(DocumentId.api("orders"), Optional.empty(), Optional.of(ofPlugin)))));
        server.definitions.start();

        assertThat(server.delete("/secrets/token").statusCode()).isEqualTo(409);
    }

    @Test
    void data_that_looks_like_a_reference_is_none() {
        server.post("/secrets", HUSH);
        server.put("/apis/orders", """
                {"id": "orders", "match": {"path": "/orders"}, "upstream": {"targets": [{"url": "http://127.0.0.1:9"}]},
                 "policies": [{"type": "mock-response", "json": {"secret": "token"}}]}""");

        assertThat(server.delete("/secrets/token").statusCode()).isEqualTo(204);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/policy-sets/gold | {'policies': [@]} | /policies/0",
                "/global           | {'after': [@]}    | /after/0",
                "/apis/orders      | {'enabled': false, 'match': {'path': '/orders'}, 'policies': [@],"
                        + " 'upstream': {'targets': [{'url': 'http://127.0.0.1:9'}]}} | /policies/0"
            })
    void what_nothing_serves_yet_names_nothing_that_is_not_there(String path, String document, String place) {
        Map<String, String> policies = Map.of(
                "{'type': 'headers', 'request': {'set': {'X': {'secret': 'unknown-one'}}}}", "/request/set/X",
                "{'type': 'mock-response', 'body': {'resource': 'unknown.html'}}", "/body",
                "{'type': 'upstream-auth', 'basic': {'user': 'a', 'password': {'file': 'none'}}}", "/basic/password",
                "{'type': 'upstream-auth', 'basic': {'user': 'a', 'password': {'env': 'GATEWAY_SECRET_NONE'}}}",
                        "/basic/password");

        policies.forEach((policy, reference) -> {
            HttpResponse<String> refused =
                    server.put(path, document.replace("@", policy).replace('\'', '"'));

            assertThat(refused.statusCode()).as(policy).isEqualTo(422);
            assertThat(pointers(refused)).as(policy).containsExactly(place + reference);
            assertThat(server.get(path).statusCode()).as(policy).isEqualTo(404);
        });
    }

    @Test
    void what_comes_with_the_same_changes_is_there() {
        HttpResponse<String> stored = server.post("/changes", """
                {"put": [{"kind": "policy-sets", "document": {"id": "gold", "policies": [
                           {"type": "headers", "request": {"set": {"X": {"secret": "token"}}}}]}},
                         {"kind": "secrets", "document": %s}]}""".formatted(HUSH));

        assertThat(stored.statusCode()).isEqualTo(200);
        assertThat(server.delete("/secrets/token").statusCode()).isEqualTo(409);
    }

    @Test
    void a_rollback_leaves_secrets_as_they_are_and_one_that_needs_a_deleted_one_is_refused() {
        server.post("/secrets", HUSH);
        server.put("/apis/orders", using("token"));
        server.put("/secrets/token", "{\"value\": \"newer\"}");
        String newer = stored("token");

        assertThat(server.post("/revisions/1/rollback", "").statusCode()).isEqualTo(200);
        assertThat(stored("token")).isEqualTo(newer);
        server.delete("/secrets/token");

        HttpResponse<String> back = server.post("/revisions/2/rollback", "");
        assertThat(back.statusCode()).isEqualTo(409);
        assertThat(back.body()).contains("there is no secret");
        assertThat(Json.parse(back.body()).at("/errors/0/pointer").stringValue())
                .startsWith("/apis/orders/policies/0");
    }

    @Test
    void secrets_are_stored_and_deleted_together_with_what_uses_them() {
        String both = "{\"put\": [{\"kind\": \"secrets\", \"document\": " + HUSH
                + "}, {\"kind\": \"apis\", \"document\": " + using("token") + "}]}";

        assertThat(server.post("/validate", both).statusCode()).isEqualTo(200);
        HttpResponse<String> stored = server.post("/changes", both);

        assertThat(stored.statusCode()).isEqualTo(200);
        assertThat(stored("token")).contains("\"sealed\"").doesNotContain("hush-hush");
        assertThat(server.get("/revisions/1").body()).doesNotContain("hush-hush");
        String gone = """
                {"delete": [{"kind": "apis", "id": "orders"}, {"kind": "secrets", "id": "token"}]}""";
        assertThat(server.post("/changes", gone).statusCode()).isEqualTo(200);
    }

    @Test
    void what_is_wrong_with_a_secret_among_changes_stands_under_its_pointer_without_it() {
        HttpResponse<String> refused = server.post("/changes", """
                {"put": [{"kind": "secrets", "document": {"id": "token", "vlaue": "hush-hush"}},
                         {"kind": "policy-sets", "document": {"id": "gold", "policies": []}}]}""");

        assertThat(refused.statusCode()).isEqualTo(422);
        assertThat(refused.body()).contains("/secrets/token/vlaue").doesNotContain("hush-hush");
    }

    @Test
    void a_secret_may_name_a_schema_for_editors() {
        assertThat(json(server.get("/schemas/secrets")).at("/properties/value").isObject())
                .isTrue();
        assertThat(server.put("/secrets/token", "{\"$schema\": \"secret.json\", \"value\": \"hush-hush\"}")
                        .statusCode())
                .isEqualTo(201);
        assertThat(server.post("/keys", "{\"$schema\": \"key.json\", \"name\": \"alice\"}")
                        .statusCode())
                .isEqualTo(201);
    }

    @Test
    void whoever_may_not_store_secrets_does_not() {
        var request = server.request("/admin/v1/secrets").POST(java.net.http.HttpRequest.BodyPublishers.ofString(HUSH));
        request.setHeader("Authorization", "Bearer " + AdminServer.LESSER_TOKEN);
        request.header("Content-Type", "application/json");

        assertThat(server.send(request).statusCode()).isEqualTo(403);
        assertThat(server.get("/secrets/token").statusCode()).isEqualTo(404);
    }

    private String stored(String id) {
        DefinitionSet set = server.store.load();
        return set.text(new DocumentId(DocumentKind.SECRETS, id)).orElseThrow();
    }

    private static String using(String secret) {
        return """
            {"id": "orders", "match": {"path": "/orders"}, "upstream": {"targets": [{"url": "http://127.0.0.1:9"}]},
             "policies": [{"type": "headers", "request": {"set": {"X-Token": {"secret": "%s"}}}}]}""".formatted(secret);
    }

    private static String mask(HttpResponse<String> answer) {
        return Json.parse(answer.body()).at("/value/masked").stringValue();
    }

    private static List<String> pointers(HttpResponse<String> refused) {
        return json(refused)
                .get("errors")
                .valueStream()
                .map(error -> error.get("pointer").stringValue())
                .toList();
    }

    private static List<String> ids(HttpResponse<String> page) {
        return json(page)
                .get("items")
                .valueStream()
                .map(item -> item.get("id").stringValue())
                .toList();
    }
}
