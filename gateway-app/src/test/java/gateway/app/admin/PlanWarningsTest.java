package gateway.app.admin;

import static gateway.app.admin.AdminServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.json.Json;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Writes of plans that open APIs which there are not.
final class PlanWarningsTest {
    private static final String PLAN = "{\"id\": \"gold\", \"apis\": {\"oders\": {}}}";

    private final AdminServer server = new AdminServer();

    @AfterEach
    void stop() {
        server.close();
    }

    private static JsonNode warning(String pointer) {
        return Json.parse("[{\"pointer\": \"%s\", \"message\": \"there is no API of this id\"}]".formatted(pointer));
    }

    @Test
    void post_and_put_warn_and_what_is_stored_holds_no_warning() {
        HttpResponse<String> created = server.post("/plans", PLAN);
        HttpResponse<String> replaced = server.put("/plans/gold", PLAN);

        assertThat(created.statusCode()).isEqualTo(201);
        assertThat(replaced.statusCode()).isEqualTo(200);
        assertThat(json(created).get("warnings")).isEqualTo(warning("/apis/oders"));
        assertThat(json(replaced).get("warnings")).isEqualTo(warning("/apis/oders"));
        assertThat(server.get("/plans/gold").body()).contains("oders").doesNotContain("warnings");
    }

    @Test
    void an_api_that_comes_later_ends_the_warning() {
        server.post("/plans", PLAN);
        server.post("/apis", AdminServer.definition("oders", "/orders"));

        assertThat(server.put("/plans/gold", PLAN).body()).doesNotContain("warnings");
    }

    @Test
    void changes_and_their_rehearsal_warn_under_the_name_of_the_plan() {
        String changes = "{\"put\": [{\"kind\": \"plans\", \"document\": " + PLAN + "}]}";

        assertThat(json(server.post("/validate", changes)).get("warnings"))
                .isEqualTo(warning("/plans/gold/apis/oders"));
        assertThat(json(server.post("/changes", changes)).get("warnings")).isEqualTo(warning("/plans/gold/apis/oders"));
    }

    @Test
    void an_api_of_the_same_changes_is_there() {
        String changes = "{\"put\": [{\"kind\": \"plans\", \"document\": %s}, {\"kind\": \"apis\", \"document\": %s}]}"
                .formatted(PLAN, AdminServer.definition("oders", "/orders"));

        assertThat(server.post("/validate", changes).body()).doesNotContain("warnings");
        assertThat(server.post("/changes", changes).body()).doesNotContain("warnings");
    }

    @Test
    void the_document_of_the_api_knows_the_warnings() {
        JsonNode schemas = json(server.get("/openapi.json")).at("/components/schemas");

        for (String name : new String[] {"IssuedKey", "WrittenKey", "WrittenPlan", "Changed", "Rehearsal"}) {
            assertThat(schemas.get(name).at("/properties/warnings/$ref").asString(""))
                    .as(name)
                    .isEqualTo("#/components/schemas/Warnings");
        }
        assertThat(schemas.at("/Key/properties/warnings").isMissingNode()).isTrue();
        assertThat(schemas.at("/Plan/properties/warnings").isMissingNode()).isTrue();
    }
}
