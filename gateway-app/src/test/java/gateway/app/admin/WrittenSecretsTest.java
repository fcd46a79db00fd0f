package gateway.app.admin;

import static gateway.app.admin.AdminServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Secret;
import gateway.json.Json;
import gateway.service.AuditEntry;
import gateway.service.DocumentId;
import gateway.service.DocumentKind;
import gateway.service.SecretReference.Origin;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// Secrets that definitions hold themselves, over HTTP.
final class WrittenSecretsTest {
    private static final String HUSH = "hush-4f9c1e";
    private static final String VIEWER = "viewer-token-of-thirty-two-characters";
    private static final String EDITOR = "editor-token-of-thirty-two-characters";
    private static final String KEEPER = "keeper-token-of-thirty-two-characters";

    private final AdminServer server = new AdminServer(AdminTokens.of(
            new Secret(AdminServer.TOKEN),
            List.of(
                    token(VIEWER, "viewer", AdminRight.READ),
                    token(EDITOR, "editor", AdminRight.READ, AdminRight.WRITE),
                    token(KEEPER, "keeper", AdminRight.READ, AdminRight.SECRETS))));

    @AfterEach
    void stop() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource({"apis/orders,apis,policies", "policy-sets/gold,policy-sets,policies", "global,,before"})
    void a_text_is_sealed_and_shown_as_a_mask_wherever_its_document_is(String path, String list, String place) {
        HttpResponse<String> put = server.put("/" + path, document(path, "\"" + HUSH + "\""));

        assertThat(put.statusCode()).isEqualTo(201);
        assertThat(mask(put, place)).matches("[0-9a-f]{8}");
        DocumentId id = path.equals("global")
                ? DocumentId.GLOBAL
                : new DocumentId(DocumentKind.of(list).orElseThrow(), path.substring(path.indexOf('/') + 1));
        assertThat(server.store.load().text(id).orElseThrow())
                .contains("\"sealed\"")
                .doesNotContain(HUSH);
        assertThat(server.get("/" + path).headers().firstValue("ETag")).isPresent();
        if (list != null) assertThat(server.get("/" + list).body()).contains(mask(put, place));
        for (String page : List.of("/" + path, "/revisions/1", "/revisions/0/diff", "/revisions/1/diff?to=0")) {
            assertThat(server.get(page).body()).as(page).contains("\"masked\"");
            assertThat(server.get(page).body()).as(page).doesNotContain(HUSH).doesNotContain("v1.");
        }
        for (String page : List.of("/apis", "/revisions", "/audit", "/snapshot")) {
            assertThat(server.get(page).body()).as(page).doesNotContain(HUSH).doesNotContain("v1.");
        }
    }

    @Test
    void a_mask_that_comes_back_keeps_what_is_stored_and_makes_no_revision() {
        HttpResponse<String> put = server.put("/apis/orders", api("\"" + HUSH + "\""));
        String stored = stored();

        assertThat(server.put("/apis/orders", put.body()).body()).isEqualTo(put.body());
        assertThat(server.put("/apis/orders", api("\"" + HUSH + "\"")).body()).isEqualTo(put.body());
        assertThat(server.post("/changes", changes(put.body())).statusCode()).isEqualTo(200);

        assertThat(stored()).isEqualTo(stored);
        assertThat(json(server.get("/snapshot")).get("revision").intValue()).isEqualTo(1);
        String renamed = put.body().replace("\"id\" :", "\"name\": \"Renamed\", \"id\" :");
        assertThat(server.put("/apis/orders", renamed).statusCode()).isEqualTo(200);
        assertThat(Json.parse(stored()).at("/policies"))
                .isEqualTo(Json.parse(stored).at("/policies"));
    }

    @Test
    void any_other_mask_is_refused_under_its_pointer_with_all_else_that_is_wrong() {
        server.put("/apis/orders", api("\"" + HUSH + "\""));
        String other = api("{\"masked\": \"00000000\"}").replace("\"path\": \"/orders\"", "\"path\": \"orders\"");

        for (HttpResponse<String> refused :
                List.of(server.put("/apis/orders", other), server.post("/validate", other))) {
            assertThat(refused.statusCode()).isEqualTo(422);
            assertThat(pointers(refused)).containsExactly("/match/path", "/policies/0/basic/password");
        }
        HttpResponse<String> changes = server.post("/changes", changes(other));
        assertThat(changes.statusCode()).isEqualTo(422);
        assertThat(pointers(changes))
                .containsExactly("/apis/orders/match/path", "/apis/orders/policies/0/basic/password");
    }

    @Test
    void a_mask_of_another_document_or_of_one_that_is_gone_creates_nothing() {
        String shown = server.put("/apis/orders", api("\"" + HUSH + "\"")).body();
        server.delete("/apis/orders");

        assertThat(server.post("/apis", shown).statusCode()).isEqualTo(422);
        assertThat(server.put("/apis/orders", shown).statusCode()).isEqualTo(422);
        assertThat(server.post("/apis", shown.replace("orders", "items")).statusCode())
                .isEqualTo(422);
    }

    @Test
    void a_difference_shows_masks_on_both_sides() {
        server.put("/apis/orders", api("\"" + HUSH + "\""));
        server.put("/apis/orders", api("\"another-7b2a6d\""));

        JsonNode change = json(server.get("/revisions/1/diff?to=2")).at("/changes/0");

        assertThat(change.at("/operations/0/path").stringValue()).isEqualTo("/policies/0/basic/password/masked");
        assertThat(change.toString()).doesNotContain("another").doesNotContain("v1.");
    }

    @Test
    void a_rollback_brings_back_what_was_sealed_then() {
        String first = mask(server.put("/apis/orders", api("\"" + HUSH + "\"")), "policies");
        server.put("/apis/orders", api("\"another-7b2a6d\""));

        assertThat(server.post("/revisions/1/rollback", "").statusCode()).isEqualTo(200);

        assertThat(mask(server.get("/apis/orders"), "policies")).isEqualTo(first);
    }

    @Test
    void rekey_seals_anew_what_definitions_hold_in_one_revision_and_a_rollback_does_too() {
        server.writeSealedWithThePreviousKey(DocumentId.api("orders"), api("\"" + HUSH + "\""));
        server.writeSealedWithThePreviousKey(
                new DocumentId(DocumentKind.POLICY_SETS, "gold"), document("policy-sets/gold", "\"" + HUSH + "\""));
        String before = stored();

        JsonNode rekeyed = json(server.post("/secrets/rekey", ""));

        assertThat(rekeyed.toString()).isEqualTo("{\"secrets\":2,\"rekeyed\":2}");
        assertThat(stored()).isNotEqualTo(before);
        assertThat(json(server.get("/snapshot")).get("revision").intValue()).isEqualTo(3);
        assertThat(json(server.post("/secrets/rekey", "")).get("rekeyed").intValue())
                .isZero();
        String after = stored();
        assertThat(server.post("/revisions/2/rollback", "").statusCode()).isEqualTo(200);
        assertThat(stored()).isEqualTo(after);
    }

    @Test
    void whether_a_guess_is_what_is_stored_is_not_told_by_a_rehearsal() {
        String shown = server.put("/apis/orders", api("\"" + HUSH + "\"")).body();

        for (String guess : List.of(HUSH, "another-7b2a6d")) {
            HttpResponse<String> rehearsed = as(VIEWER, "/validate", api("\"" + guess + "\""));
            assertThat(json(rehearsed).at("/changes/0/change").stringValue()).isEqualTo("replace");
        }
        assertThat(json(as(VIEWER, "/validate", changes(shown))).at("/changes").size())
                .isZero();
    }

    @Test
    void whether_a_file_is_there_is_told_to_those_who_may_write_or_keep_secrets() {
        server.services.secrets().put(Origin.FILE, "there", HUSH);
        for (String file : List.of("there", "missing")) {
            assertThat(as(VIEWER, "/validate", api("{\"file\": \"" + file + "\"}"))
                            .statusCode())
                    .isEqualTo(403);
        }
        assertThat(as(VIEWER, "/validate", api("{\"env\": \"GATEWAY_SECRET_A\"}"))
                        .statusCode())
                .isEqualTo(403);
        for (String token : List.of(EDITOR, KEEPER)) {
            assertThat(as(token, "/validate", api("{\"file\": \"there\"}")).statusCode())
                    .isEqualTo(200);
            HttpResponse<String> missing = as(token, "/validate", api("{\"file\": \"missing\"}"));
            assertThat(missing.statusCode()).isEqualTo(422);
            assertThat(pointers(missing)).containsExactly("/policies/0/basic/password");
        }
    }

    @Test
    void stored_secrets_among_changes_are_for_those_who_keep_them_and_the_rest_for_those_who_write() {
        String secret = "{\"put\": [{\"kind\": \"secrets\", \"document\": {\"id\": \"token\", \"value\": \"hush\"}}]}";

        assertThat(as(EDITOR, "/changes", secret).statusCode()).isEqualTo(403);
        assertThat(as(EDITOR, "/validate", secret).statusCode()).isEqualTo(403);
        assertThat(as(KEEPER, "/changes", changes(api("\"hush\""))).statusCode())
                .isEqualTo(403);
        assertThat(as(KEEPER, "/changes", secret).statusCode()).isEqualTo(200);
        assertThat(as(EDITOR, "/changes", "{\"delete\": [{\"kind\": \"secrets\", \"id\": \"token\"}]}")
                        .statusCode())
                .isEqualTo(403);
        assertThat(as(EDITOR, "/changes", changes(api("\"hush\""))).statusCode())
                .isEqualTo(200);
    }

    @Test
    void a_refusal_repeats_nothing_of_a_secret_wherever_it_was_put() {
        for (String policies : List.of(
                "[{\"type\": \"upstream-auth\", \"basic\": {\"user\": \"a\", \"pasword\": \"@\"}}]",
                "{\"type\": \"upstream-auth\", \"basic\": {\"user\": \"a\", \"password\": \"@\"}}",
                "[{\"type\": \"upstream-auth\", \"basic\": [{\"user\": \"a\", \"password\": \"@\"}]}]",
                "[{\"type\": \"upstream-auth\", \"basic\": {\"user\": \"a\", \"password\": [\"@\"]}}]",
                "[{\"type\": \"upstream-auth\", \"basic\": {\"user\": \"a\", \"password\": {\"vlaue\": \"@\"}}}]",
                "[{\"type\": \"upstream-auht\", \"basic\": {\"user\": \"a\", \"password\": \"@\"}}]")) {
            HttpResponse<String> refused = server.put("/apis/orders", """
                    {"match": {"path": "/orders"}, "upstream": {"targets": [{"url": "http://127.0.0.1:9"}]}, "policies": %s}""".formatted(policies.replace("@", HUSH)));

            assertThat(refused.statusCode()).as(policies).isEqualTo(422);
            assertThat(refused.body()).as(policies).doesNotContain(HUSH);
        }
        assertThat(server.audit.latest(0, 10).stream().map(AuditEntry::action)).noneMatch(each -> each.contains(HUSH));
    }

    private static AdminToken token(String token, String name, AdminRight... rights) {
        return AdminToken.ofDigest(AdminToken.digest(token), new AdminCaller(name, Set.of(rights)));
    }

    private HttpResponse<String> as(String token, String path, String body) {
        return server.send(server.request("/admin/v1" + path)
                .setHeader("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body)));
    }

    private String stored() {
        return server.store.load().text(DocumentId.api("orders")).orElseThrow();
    }

    private static String api(String password) {
        return document("apis/orders", password);
    }

    private static String document(String path, String password) {
        String policies =
                "[{\"type\": \"upstream-auth\", \"basic\": {\"user\": \"gateway\", \"password\": " + password + "}}]";
        return switch (path) {
            case "apis/orders" -> """
                {"id": "orders", "match": {"path": "/orders"}, "upstream": {"targets": [{"url": "http://127.0.0.1:9"}]}, "policies": %s}""".formatted(policies);
            case "global" -> "{\"before\": " + policies + "}";
            default -> "{\"id\": \"gold\", \"policies\": " + policies + "}";
        };
    }

    private static String changes(String api) {
        return "{\"put\": [{\"kind\": \"apis\", \"document\": " + api + "}]}";
    }

    private static String mask(HttpResponse<String> answer, String place) {
        return json(answer).at("/" + place + "/0/basic/password/masked").stringValue();
    }

    private static List<String> pointers(HttpResponse<String> refused) {
        return json(refused)
                .get("errors")
                .valueStream()
                .map(error -> error.get("pointer").stringValue())
                .toList();
    }
}
