package gateway.app.admin;

import static gateway.app.admin.AdminServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
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
}
