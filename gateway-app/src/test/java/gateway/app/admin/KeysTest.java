package gateway.app.admin;

import static gateway.app.admin.AdminServer.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.app.log.CapturedLog;
import gateway.json.Json;
import gateway.service.SecretUnavailableException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

final class KeysTest {
    private final AdminServer server = new AdminServer();

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void the_secret_is_answered_by_the_create_call_and_never_again() {
        HttpResponse<String> created = server.post("/keys", "{\"name\": \"alice\", \"apis\": {\"orders\": {}}}");
        String id = json(created).get("id").stringValue();
        String secret = json(created).get("secret").stringValue();

        assertThat(created.statusCode()).isEqualTo(201);
        assertThat(created.headers().firstValue("Location")).contains("/admin/v1/keys/" + id);
        assertThat(server.services.keys().authenticate(secret)).isPresent();
        assertThat(server.get("/keys/" + id).body()).doesNotContain(secret).doesNotContain("secret");
        assertThat(server.get("/keys").body()).doesNotContain(secret);
    }

    @Test
    void a_lost_race_is_a_failed_precondition() {
        server.post("/keys", "{\"id\": \"k1\"}");
        String tag = server.get("/keys/k1").headers().firstValue("ETag").orElseThrow();
        server.services.keys().getBusy();

        assertThat(server.write("PUT", "/keys/k1", "{}", "If-Match", tag).statusCode())
                .isEqualTo(412);
        assertThat(server.write("DELETE", "/keys/k1", "", "If-Match", tag).statusCode())
                .isEqualTo(412);
    }

    @Test
    void a_rotated_key_opens_with_both_secrets_while_they_overlap() {
        HttpResponse<String> created = server.post("/keys", "{\"id\": \"k1\"}");

        HttpResponse<String> rotated = server.post("/keys/k1/rotate", "{\"overlap\": \"1h\"}");

        assertThat(rotated.statusCode()).isEqualTo(200);
        for (HttpResponse<String> each : List.of(created, rotated)) {
            String secret = json(each).get("secret").stringValue();
            assertThat(server.services.keys().authenticate(secret)).isPresent();
        }
    }

    @Test
    void a_refused_rotation_rotates_nothing() {
        HttpResponse<String> created = server.post("/keys", "{\"id\": \"k1\"}");
        String secret = json(created).get("secret").stringValue();

        HttpResponse<String> unknown = server.post("/keys/k1/rotate", "{\"overlapp\": \"1h\"}");
        HttpResponse<String> tooLong = server.post("/keys/k1/rotate", "{\"overlap\": \"31d\"}");
        HttpResponse<String> late = server.write("POST", "/keys/k1/rotate", "", "If-Match", "\"stale\"");

        assertThat(unknown.statusCode()).isEqualTo(422);
        assertThat(unknown.body()).contains("did you mean \\\"overlap\\\"?");
        assertThat(tooLong.statusCode()).isEqualTo(422);
        assertThat(late.statusCode()).isEqualTo(412);
        assertThat(server.services.keys().authenticate(secret)).isPresent();
    }

    @Test
    void a_rotated_key_opens_with_its_new_secret_only() {
        JsonNode created = json(server.post("/keys", "{\"id\": \"k1\"}"));

        HttpResponse<String> rotated = server.write("POST", "/keys/k1/rotate", "");

        assertThat(rotated.statusCode()).isEqualTo(200);
        String secret = json(rotated).get("secret").stringValue();
        assertThat(server.services.keys().authenticate(secret)).isPresent();
        assertThat(server.services.keys().authenticate(created.get("secret").stringValue()))
                .isEmpty();
        assertThat(server.write("POST", "/keys/unknown/rotate", "").statusCode())
                .isEqualTo(404);
    }

    @Test
    void a_key_is_replaced_under_its_tag_and_keeps_its_secret() {
        HttpResponse<String> created = server.post("/keys", "{\"id\": \"k1\"}");
        String tag = created.headers().firstValue("ETag").orElseThrow();

        HttpResponse<String> replaced = server.write("PUT", "/keys/k1", "{\"enabled\": false}", "If-Match", tag);
        HttpResponse<String> stale = server.write("PUT", "/keys/k1", "{\"enabled\": true}", "If-Match", tag);

        assertThat(replaced.statusCode()).isEqualTo(200);
        assertThat(stale.statusCode()).isEqualTo(412);
        assertThat(server.services
                        .keys()
                        .authenticate(json(created).get("secret").stringValue())
                        .orElseThrow()
                        .enabled())
                .isFalse();
    }

    @Test
    void a_key_is_not_created_by_put_since_nobody_would_see_its_secret() {
        assertThat(server.put("/keys/k1", "{}").statusCode()).isEqualTo(404);
    }

    @Test
    void a_deleted_key_is_gone() {
        server.post("/keys", "{\"id\": \"k1\"}");

        assertThat(server.delete("/keys/k1").statusCode()).isEqualTo(204);
        assertThat(server.delete("/keys/k1").statusCode()).isEqualTo(404);
        assertThat(server.get("/keys/k1").statusCode()).isEqualTo(404);
    }

    @Test
    void every_problem_of_a_refused_key_stands_under_its_pointer() {
        HttpResponse<String> refused = server.post(
                "/keys", "{\"nmae\": \"x\", \"expires\": \"soon\", \"rateLimit\": {\"requests\": 0, \"per\": \"1s\"}}");

        assertThat(refused.statusCode()).isEqualTo(422);
        assertThat(json(refused)
                        .get("errors")
                        .valueStream()
                        .map(e -> e.get("pointer").stringValue()))
                .containsExactlyInAnyOrder("/expires", "/rateLimit/requests", "/nmae");
        assertThat(refused.body()).contains("did you mean \\\"name\\\"?");
    }

    @Test
    void a_write_warns_of_apis_that_there_are_not() {
        server.post("/apis", AdminServer.definition("orders", "/orders"));
        String key = "{\"id\": \"k1\", \"apis\": {\"orders\": {}, \"oders\": {}, \"a/b\": {}}}";
        JsonNode expected = Json.parse("""
                [{"pointer": "/apis/oders", "message": "there is no API of this id; did you mean \\"orders\\"?"},
                 {"pointer": "/apis/a~1b", "message": "there is no API of this id"}]""");

        HttpResponse<String> created = server.post("/keys", key);
        HttpResponse<String> replaced = server.put("/keys/k1", key);

        assertThat(created.statusCode()).isEqualTo(201);
        assertThat(json(created).get("secret").isString()).isTrue();
        assertThat(replaced.statusCode()).isEqualTo(200);
        for (HttpResponse<String> each : List.of(created, replaced)) {
            assertThat(json(each).get("warnings").valueStream()).containsExactlyInAnyOrderElementsOf(expected);
        }
        assertThat(server.get("/keys/k1").body()).contains("oders").doesNotContain("warnings");
        String right = "{\"apis\": {\"orders\": {}}}";
        assertThat(server.put("/keys/k1", right).body()).doesNotContain("warnings");
        assertThat(server.post("/keys", right).body()).doesNotContain("warnings");
    }

    @Test
    void the_operators_log_tells_of_apis_that_there_are_not() {
        try (var log = new CapturedLog()) {
            server.post("/keys", "{\"id\": \"k1\", \"apis\": {\"oders\": {}}}");

            assertThat(log.text()).contains("keys/k1 opens APIs that are not there: /apis/oders");
        }
    }

    @Test
    void warnings_are_no_more_than_problems_are() {
        var apis = Json.mapper().createObjectNode();
        for (int i = 0; i < 500; i++) apis.putObject("none" + i);

        JsonNode warnings =
                json(server.post("/keys", "{\"apis\": " + apis + "}")).get("warnings");

        assertThat(warnings.size()).isEqualTo(101);
        assertThat(warnings.get(100).get("message").stringValue()).isEqualTo("and 400 more");
    }

    @Test
    void a_taken_id_is_a_conflict() {
        server.post("/keys", "{\"id\": \"k1\"}");

        assertThat(server.post("/keys", "{\"id\": \"k1\"}").statusCode()).isEqualTo(409);
    }

    @Test
    void writes_to_keys_stand_in_the_audit_log_without_secret_or_token() {
        server.post("/keys", "{\"id\": \"k1\"}");
        server.delete("/keys/k1");

        HttpResponse<String> audit = server.get("/audit");

        assertThat(json(audit)
                        .get("items")
                        .valueStream()
                        .map(e -> e.get("action").stringValue()))
                .containsExactly("DELETE keys/k1", "POST keys (k1)");
        assertThat(audit.body()).doesNotContain(AdminServer.TOKEN).contains("\"token:");
    }

    @Test
    void a_shared_secret_is_sealed_shown_as_a_mask_and_kept_by_it() {
        String secret = "hush, hush, \u00e9";
        HttpResponse<String> created = server.post("/keys", """
                {"id": "k1", "credentials": [{"algorithm": "hmac-sha256", "secret": "%s"}]}""".formatted(secret));
        assertThat(created.statusCode()).isEqualTo(201);
        assertThat(server.credential("k1")).isEqualTo(secret);
        String shown = server.get("/keys/k1").body();
        assertThat(created.body() + shown + server.get("/keys").body())
                .doesNotContain("hush")
                .doesNotContain("sealed")
                .contains("masked");
        assertThat(server.services.keys().find("k1").orElseThrow().toString()).doesNotContain("hush");

        HttpResponse<String> again = server.put("/keys/k1", shown.replace("\"name\" : \"\"", "\"name\" : \"new\""));

        assertThat(again.statusCode()).isEqualTo(200);
        assertThat(json(again).get("name").stringValue()).isEqualTo("new");
        assertThat(json(again).get("credentials")).isEqualTo(json(created).get("credentials"));
        assertThat(server.credential("k1")).isEqualTo(secret);
        assertThat(server.put("/keys/k1", "{}").statusCode()).isEqualTo(200);
        assertThat(server.get("/keys/k1").body()).doesNotContain("credentials");
        assertThat(server.put("/keys/k1", shown).statusCode()).isEqualTo(422); // nothing is behind the mask any more
    }

    @Test
    void a_key_that_is_given_its_id_has_its_secrets_sealed_for_it() {
        JsonNode created = json(server.post(
                "/keys", "{\"credentials\": [{\"algorithm\": \"hmac-sha512\", \"secret\": \"long enough\"}]}"));
        String id = created.get("id").stringValue();

        assertThat(id).startsWith("key_");
        assertThat(server.credential(id)).isEqualTo("long enough");
    }

    @Test
    void an_envelope_of_one_key_opens_nothing_in_another() {
        server.post(
                "/keys",
                "{\"id\": \"k1\", \"credentials\": [{\"algorithm\": \"hmac-sha1\", \"secret\": \"long enough\"}]}");
        var credentials = server.services.keys().find("k1").orElseThrow().key().credentials();
        server.post("/keys", "{\"id\": \"k2\"}");
        var other = server.services.keys().find("k2").orElseThrow().key();
        server.services.keys().replace(other.withCredentials(credentials), Optional.empty());

        assertThatThrownBy(() -> server.credential("k2")).isInstanceOf(SecretUnavailableException.class);
    }

    @Test
    void wrong_credentials_are_told_all_at_once_and_never_repeated() {
        HttpResponse<String> refused = server.post("/keys", """
                {"plan": "none", "credentials": [
                  {"algorithm": "hmac-sha256", "secret": "hush"},
                  {"algorithm": "hmac-sha256", "sealed": "v1.hush"},
                  {"algorithm": "hmac-sha256", "secret": {"masked": "01234567"}},
                  {"algorithm": "ed25519", "pem": "hush"},
                  {"algorithm": "rsa-pss-sha512", "pem":
                    "-----BEGIN PUBLIC KEY-----\\nMCowBQYDK2VwAyEA0T7ZJz6oUo230b3vW0n1Sskg+R+I30tS4Mil/4i6Tn4=\\n-----END PUBLIC KEY-----\\n"},
                  {"algorithm": "ed25519", "secret": "hush, hush"}]}""");

        assertThat(refused.statusCode()).isEqualTo(422);
        assertThat(refused.body()).doesNotContain("hush");
        assertThat(json(refused).get("errors").values().stream()
                        .map(each -> each.get("pointer").stringValue()))
                .contains(
                        "/credentials/0/secret",
                        "/credentials/1/sealed",
                        "/credentials/2/secret",
                        "/credentials/3/pem",
                        "/credentials/4/pem",
                        "/credentials/5",
                        "/plan");
    }

    @Test
    void secrets_of_keys_are_sealed_anew_with_the_others() {
        server.sealKeyWithThePreviousKey("k1", "long enough");
        server.post("/keys", "{\"id\": \"k2\"}");
        var before = server.services.keys().find("k1").orElseThrow();

        JsonNode done = json(server.post("/secrets/rekey", ""));

        assertThat(done.get("rekeyed").intValue()).isEqualTo(1);
        assertThat(done.get("secrets").intValue()).isEqualTo(1);
        assertThat(server.services.keys().find("k1").orElseThrow().key().credentials())
                .isNotEqualTo(before.key().credentials());
        assertThat(server.credential("k1")).isEqualTo("long enough");
        assertThat(json(server.post("/secrets/rekey", "")).get("rekeyed").intValue())
                .isZero();
    }
}
