package gateway.app.admin;

import static gateway.app.admin.AdminServer.definition;
import static gateway.app.admin.AdminServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.json.Json;
import gateway.route.RouteMatch;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ApisTest {
    private final AdminServer server = new AdminServer();

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void a_created_definition_is_answered_with_its_place_and_tag_and_served_at_once() {
        HttpResponse<String> created = server.post("/apis", definition("orders", "/orders"));

        assertThat(created.statusCode()).isEqualTo(201);
        assertThat(created.headers().firstValue("Location")).contains("/admin/v1/apis/orders");
        assertThat(created.headers().firstValue("ETag")).isPresent();
        assertThat(json(created)).isEqualTo(Json.parse(definition("orders", "/orders")));
        assertThat(server.live.current().table().match("any", "/orders/1", "GET"))
                .isInstanceOf(RouteMatch.Found.class);
        assertThat(server.live.current().revision()).isEqualTo(1);
    }

    @Test
    void a_stored_definition_is_answered_as_it_was_written() {
        HttpResponse<String> created = server.post("/apis", definition("orders", "/orders"));

        HttpResponse<String> found = server.get("/apis/orders");

        assertThat(found.statusCode()).isEqualTo(200);
        assertThat(found.body()).isEqualTo(created.body());
        assertThat(found.headers().firstValue("ETag"))
                .isEqualTo(created.headers().firstValue("ETag"));
    }

    @Test
    void every_problem_of_a_refused_definition_stands_under_its_pointer_and_nothing_changes() {
        HttpResponse<String> refused = server.post("/apis", """
            {"id": "orders", "match": {"path": "orders"}, "polcies": [],
             "upstream": {"targets": [{"url": "http://h", "weight": -1}]}}""");

        assertThat(refused.statusCode()).isEqualTo(422);
        assertThat(refused.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(json(refused)
                        .get("errors")
                        .valueStream()
                        .map(e -> e.get("pointer").stringValue()))
                .containsExactlyInAnyOrder("/match/path", "/upstream/targets/0/weight", "/polcies");
        assertThat(json(refused).get("requestId").stringValue())
                .isEqualTo(refused.headers().firstValue("X-Request-Id").orElseThrow());
        assertThat(server.store.load().revision()).isZero();
    }

    @Test
    void a_taken_id_is_a_conflict() {
        server.post("/apis", definition("orders", "/orders"));

        HttpResponse<String> second = server.post("/apis", definition("orders", "/other"));

        assertThat(second.statusCode()).isEqualTo(409);
    }

    @Test
    void the_same_match_is_a_conflict_that_names_both_definitions() {
        server.post("/apis", definition("orders", "/orders"));

        HttpResponse<String> later = server.post("/apis", definition("sales", "/orders"));
        HttpResponse<String> earlier = server.post("/apis", definition("baskets", "/orders"));

        assertThat(later.statusCode()).isEqualTo(409);
        assertThat(later.body()).contains("orders").contains("/match");
        assertThat(earlier.statusCode()).isEqualTo(409);
        assertThat(earlier.body()).contains("orders").contains("baskets");
        assertThat(server.live.current().apis()).containsOnlyKeys("orders");
    }

    @Test
    void a_write_with_a_stale_tag_is_refused_and_with_the_current_one_done() {
        String first = server.post("/apis", definition("orders", "/orders"))
                .headers()
                .firstValue("ETag")
                .orElseThrow();
        String second = server.put("/apis/orders", definition("orders", "/o2"))
                .headers()
                .firstValue("ETag")
                .orElseThrow();

        HttpResponse<String> stale =
                server.write("PUT", "/apis/orders", definition("orders", "/o3"), "If-Match", first);
        HttpResponse<String> staleDelete = server.write("DELETE", "/apis/orders", "", "If-Match", first);
        HttpResponse<String> current =
                server.write("PUT", "/apis/orders", definition("orders", "/o3"), "If-Match", second);

        assertThat(stale.statusCode()).isEqualTo(412);
        assertThat(stale.body()).contains(second.replace("\"", "\\\""));
        assertThat(staleDelete.statusCode()).isEqualTo(412);
        assertThat(current.statusCode()).isEqualTo(200);
    }

    @Test
    void if_none_match_creates_and_never_replaces() {
        HttpResponse<String> created =
                server.write("PUT", "/apis/orders", definition("orders", "/orders"), "If-None-Match", "*");
        HttpResponse<String> second =
                server.write("PUT", "/apis/orders", definition("orders", "/o2"), "If-None-Match", "*");

        assertThat(created.statusCode()).isEqualTo(201);
        assertThat(created.headers().firstValue("Location")).contains("/admin/v1/apis/orders");
        assertThat(second.statusCode()).isEqualTo(412);
    }

    @Test
    void if_match_of_an_unknown_id_is_refused_rather_than_created() {
        HttpResponse<String> response =
                server.write("PUT", "/apis/orders", definition("orders", "/orders"), "If-Match", "*");

        assertThat(response.statusCode()).isEqualTo(412);
    }

    @Test
    void url_and_body_must_agree_on_the_id_and_the_body_may_leave_it_out() {
        HttpResponse<String> other = server.put("/apis/orders", definition("sales", "/orders"));
        HttpResponse<String> none = server.put("/apis/orders", """
            {"match": {"path": "/orders"}, "upstream": {"targets": [{"url": "http://127.0.0.1:9"}]}}""");

        assertThat(other.statusCode()).isEqualTo(422);
        assertThat(json(other).at("/errors/0/pointer").stringValue()).isEqualTo("/id");
        assertThat(none.statusCode()).isEqualTo(201);
        assertThat(json(none).get("id").stringValue()).isEqualTo("orders");
    }

    @Test
    void a_put_that_changes_nothing_makes_no_revision() {
        server.put("/apis/orders", definition("orders", "/orders"));

        HttpResponse<String> again = server.put("/apis/orders", definition("orders", "/orders"));

        assertThat(again.statusCode()).isEqualTo(200);
        assertThat(server.store.load().revision()).isEqualTo(1);
    }

    @Test
    void a_deleted_definition_is_gone_and_not_served() {
        server.post("/apis", definition("orders", "/orders"));

        HttpResponse<String> deleted = server.delete("/apis/orders");

        assertThat(deleted.statusCode()).isEqualTo(204);
        assertThat(deleted.body()).isEmpty();
        assertThat(server.get("/apis/orders").statusCode()).isEqualTo(404);
        assertThat(server.delete("/apis/orders").statusCode()).isEqualTo(404);
        assertThat(server.live.current().table().match("any", "/orders", "GET"))
                .isInstanceOf(RouteMatch.NotFound.class);
    }

    @Test
    void lists_page_in_order_and_filter_by_name() {
        for (String id : new String[] {"c", "a", "b"}) server.post("/apis", definition(id, "/" + id));

        HttpResponse<String> first = server.get("/apis?limit=2");
        HttpResponse<String> second =
                server.get("/apis?limit=2&cursor=" + json(first).get("next").stringValue());
        HttpResponse<String> named = server.get("/apis?name=The%20b");

        assertThat(ids(first)).isEqualTo("a,b");
        assertThat(ids(second)).isEqualTo("c");
        assertThat(json(second).has("next")).isFalse();
        assertThat(ids(named)).isEqualTo("b");
    }

    @Test
    void a_write_meets_another_nodes_write_and_is_planned_again() {
        server.post("/apis", definition("orders", "/orders"));
        server.store.writeElsewhere("sales", definition("sales", "/sales"));

        HttpResponse<String> written = server.put("/apis/orders", definition("orders", "/o2"));

        assertThat(written.statusCode()).isEqualTo(200);
        assertThat(server.live.current().apis()).containsOnlyKeys("orders", "sales");
        assertThat(server.live.current().revision()).isEqualTo(3);
    }

    @Test
    void a_write_that_would_take_another_api_out_of_service_is_refused() {
        server.post("/apis", definition("orders", "/orders"));
        server.store.writeElsewhere("orders", "{\"id\": \"orders\"}");

        HttpResponse<String> refused = server.post("/apis", definition("sales", "/sales"));
        HttpResponse<String> mended = server.put("/apis/orders", definition("orders", "/orders"));

        assertThat(refused.statusCode()).isEqualTo(422);
        assertThat(refused.body()).contains("/apis/orders/match");
        assertThat(mended.statusCode()).isEqualTo(200);
    }

    private static String ids(HttpResponse<String> page) {
        return String.join(
                ",",
                json(page)
                        .get("items")
                        .valueStream()
                        .map(i -> i.get("id").stringValue())
                        .toList());
    }

    @Test
    void a_refused_document_is_told_its_place_and_what_came() {
        HttpResponse<String> badId = server.post("/apis", definition("../etc", "/o"));
        HttpResponse<String> array = server.post("/apis", "[]");

        assertThat(badId.statusCode()).isEqualTo(422);
        assertThat(badId.body()).contains("\"/id\"");
        assertThat(array.body()).contains("expected an object, got []");
    }
}
