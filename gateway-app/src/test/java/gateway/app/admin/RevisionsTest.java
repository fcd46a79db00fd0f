package gateway.app.admin;

import static gateway.app.admin.AdminServer.definition;
import static gateway.app.admin.AdminServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.json.Json;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class RevisionsTest {
    private final AdminServer server = new AdminServer();

    @BeforeEach
    void write_three_revisions() {
        server.post("/apis", definition("orders", "/orders"));
        server.put("/apis/orders", definition("orders", "/o2"));
        server.post("/apis", definition("sales", "/sales"));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void each_write_is_a_numbered_revision_newest_first() {
        HttpResponse<String> first = server.get("/revisions?limit=2");
        HttpResponse<String> second = server.get(
                "/revisions?limit=2&cursor=" + json(first).get("next").stringValue());

        assertThat(json(first)
                        .get("items")
                        .valueStream()
                        .map(r -> r.get("revision").intValue()))
                .containsExactly(3, 2);
        assertThat(json(first).at("/items/1/note").stringValue()).isEqualTo("PUT apis/orders");
        assertThat(json(second)
                        .get("items")
                        .valueStream()
                        .map(r -> r.get("revision").intValue()))
                .containsExactly(1);
        assertThat(json(second).has("next")).isFalse();
    }

    @Test
    void a_revision_tells_each_definition_before_and_after() {
        HttpResponse<String> revision = server.get("/revisions/2");

        assertThat(json(revision).at("/changes/0/operations")).isEqualTo(Json.parse("""
            [{"op": "replace", "path": "/match/path", "value": "/o2"}]"""));
        assertThat(json(revision).at("/changes/0/before")).isEqualTo(Json.parse(definition("orders", "/orders")));
        assertThat(server.get("/revisions/99").statusCode()).isEqualTo(404);
    }

    @Test
    void a_difference_is_told_in_both_directions() {
        HttpResponse<String> forwards = server.get("/revisions/1/diff?to=3");
        HttpResponse<String> backwards = server.get("/revisions/3/diff?to=1");

        assertThat(json(forwards).at("/changes/0/operations/0/value").stringValue())
                .isEqualTo("/o2");
        assertThat(json(forwards).at("/changes/1").has("before")).isFalse();
        assertThat(json(backwards).at("/changes/0/operations/0/value").stringValue())
                .isEqualTo("/orders");
        assertThat(json(backwards).at("/changes/1").has("after")).isFalse();
        assertThat(server.get("/revisions/1/diff?to=99").statusCode()).isEqualTo(404);
    }

    @Test
    void a_rollback_is_a_new_revision_with_the_old_definitions_and_live() {
        HttpResponse<String> rolledBack = server.write("POST", "/revisions/1/rollback", "");

        assertThat(json(rolledBack).get("revision").intValue()).isEqualTo(4);
        assertThat(json(server.get("/apis/orders"))).isEqualTo(Json.parse(definition("orders", "/orders")));
        assertThat(server.live.current().apis()).containsOnlyKeys("orders");
        assertThat(json(server.get("/revisions/1/diff")).get("changes").isEmpty())
                .isTrue();
        assertThat(server.write("POST", "/revisions/99/rollback", "").statusCode())
                .isEqualTo(404);
    }

    @Test
    void a_rollback_to_the_beginning_empties_the_gateway() {
        server.write("POST", "/revisions/0/rollback", "");

        assertThat(server.live.current().apis()).isEmpty();
    }
}
