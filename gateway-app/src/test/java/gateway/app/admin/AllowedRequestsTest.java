package gateway.app.admin;

import static gateway.app.admin.AdminServer.definition;
import static gateway.app.admin.AdminServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the OpenAPI document does not allow is refused, rather than taken for something else.
final class AllowedRequestsTest {
    private final AdminServer server = new AdminServer();

    @AfterEach
    void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/merge-patch+json", "application/json-patch+json", "application/x+json"})
    void a_type_that_is_written_as_json_and_means_something_else_is_refused(String type) {
        HttpResponse<String> patched = server.send(server.request("/admin/v1/apis/orders")
                .header("Content-Type", type)
                .PUT(BodyPublishers.ofString(definition("orders", "/orders"))));

        assertThat(patched.statusCode()).isEqualTo(415);
        assertThat(json(patched).get("detail").stringValue()).isEqualTo("expected application/json, got " + type);
    }

    @Test
    void an_asterisk_among_tags_does_not_mean_any() {
        server.post("/plans", "{\"id\": \"gold\"}");

        assertThat(server.write("PUT", "/plans/gold", "{}", "If-Match", "*, \"x\"")
                        .statusCode())
                .isEqualTo(412);
        assertThat(server.write("GET", "/plans/gold", "", "If-None-Match", "*, \"x\"")
                        .statusCode())
                .isEqualTo(200);
        assertThat(server.write("PUT", "/plans/gold", "{}", "If-Match", "*").statusCode())
                .isEqualTo(200);
        assertThat(server.write("GET", "/plans/gold", "", "If-None-Match", "*").statusCode())
                .isEqualTo(304);
    }

    @Test
    void tags_may_stand_in_several_lines() {
        HttpResponse<String> created = server.post("/plans", "{\"id\": \"gold\"}");
        String tag = created.headers().firstValue("ETag").orElseThrow();

        assertThat(server.write("GET", "/plans/gold", "", "If-None-Match", "\"x\"", "If-None-Match", tag)
                        .statusCode())
                .isEqualTo(304);
        assertThat(server.write("PUT", "/plans/gold", "{}", "If-Match", "\"x\"", "If-Match", tag)
                        .statusCode())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/reload", "/secrets/rekey", "/revisions/0/rollback"})
    void a_body_where_none_is_read_says_nothing_or_is_refused(String path) {
        HttpResponse<String> something = server.post(path, "{\"surprise\": true}");

        assertThat(something.statusCode()).isEqualTo(422);
        assertThat(json(something).at("/errors/0/pointer").stringValue()).isEqualTo("/surprise");
        assertThat(server.post(path, "[]").statusCode()).isEqualTo(422);
        assertThat(server.send(server.request("/admin/v1" + path)
                                .header("Content-Type", "text/plain")
                                .POST(BodyPublishers.ofString("please")))
                        .statusCode())
                .isEqualTo(415);
        assertThat(server.post(path, "{}").statusCode()).isEqualTo(200);
        assertThat(server.post(path, "").statusCode()).isEqualTo(200);
    }

    @Test
    void a_deletion_with_a_body_deletes_nothing() {
        server.post("/plans", "{\"id\": \"gold\"}");

        assertThat(server.write("DELETE", "/bans", "{\"policy\": \"orders/ban\"}")
                        .statusCode())
                .isEqualTo(400);
        assertThat(server.write("DELETE", "/plans/gold", "{\"sure\": false}").statusCode())
                .isEqualTo(400);
        assertThat(server.write("DELETE", "/plans/gold", "{}").statusCode()).isEqualTo(204);
    }

    @ParameterizedTest
    @ValueSource(strings = {"policy", "subject"})
    void a_parameter_that_names_nothing_does_not_mean_all(String parameter) {
        HttpResponse<String> refused = server.delete("/bans?" + parameter + "=");

        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(json(refused).get("detail").stringValue()).isEqualTo(parameter + ": expected text, got \"\"");
        assertThat(server.delete("/bans").statusCode()).isEqualTo(200);
    }

    @Test
    void a_field_that_is_null_is_one_that_is_left_out() {
        assertThat(server.put("/plans/gold", "{\"id\": null, \"quota\": null, \"$schema\": null}")
                        .statusCode())
                .isEqualTo(201);
        assertThat(server.put("/secrets/token", "{\"id\": null, \"value\": \"hush-hush\"}")
                        .statusCode())
                .isEqualTo(201);
        assertThat(json(server.post("/plans", "{\"id\": null}"))
                        .at("/errors/0/pointer")
                        .stringValue())
                .isEqualTo("/id");
    }
}
