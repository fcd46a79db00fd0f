package gateway.app.admin;

import static gateway.app.admin.AdminServer.definition;
import static gateway.app.admin.AdminServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AdminPlaneTest {
    private final AdminServer server = new AdminServer();

    @AfterEach
    void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Bearer ",
                "Bearer wrong",
                "Basic dGVzdA==",
                "Bearer " + AdminServer.TOKEN + "x",
                "test-token-of-thirty-two-characters"
            })
    void nothing_opens_without_the_token(String authorization) {
        HttpRequest.Builder request = server.request("/admin/v1/apis").setHeader("Authorization", authorization);

        HttpResponse<String> response = server.send(request);

        assertThat(response.statusCode()).isEqualTo(401);
        assertThat(response.headers().firstValue("WWW-Authenticate")).isPresent();
        assertThat(response.body()).doesNotContain(AdminServer.TOKEN);
    }

    @Test
    void a_request_without_the_token_learns_nothing_about_what_exists() {
        HttpRequest.Builder request = server.request("/admin/v1/nothing").setHeader("Authorization", "");

        assertThat(server.send(request).statusCode()).isEqualTo(401);
    }

    @Test
    void health_hello_and_metrics_are_open() {
        server.health.enter(HealthPages.Phase.READY);

        for (String path : new String[] {"/health/live", "/health/ready", "/hello", "/metrics"}) {
            HttpResponse<String> response = server.send(
                    server.request(path).setHeader("Authorization", "none").GET());
            assertThat(response.statusCode()).as(path).isEqualTo(200);
        }
        assertThat(server.send(server.request("/hello")).body()).contains("\"pass\"");
    }

    @Test
    void ready_says_503_before_the_start_ends_and_while_draining() {
        int starting = server.send(server.request("/health/ready")).statusCode();
        server.health.enter(HealthPages.Phase.DRAINING);
        int draining = server.send(server.request("/health/ready")).statusCode();

        assertThat(starting).isEqualTo(503);
        assertThat(draining).isEqualTo(503);
        assertThat(server.send(server.request("/health/live")).statusCode()).isEqualTo(200);
    }

    @Test
    void unknown_query_parameters_are_refused_with_a_suggestion() {
        HttpResponse<String> response = server.get("/apis?limti=3");

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(json(response).get("detail").stringValue()).contains("did you mean \"limit\"?");
    }

    @ParameterizedTest
    @ValueSource(strings = {"limit=0", "limit=1001", "limit=x", "limit=1&limit=2"})
    void malformed_query_parameters_are_refused(String query) {
        assertThat(server.get("/apis?" + query).statusCode()).isEqualTo(400);
    }

    @Test
    void a_wrong_method_is_told_the_right_ones() {
        HttpResponse<String> response = server.write("PATCH", "/apis/orders", "{}");

        assertThat(response.statusCode()).isEqualTo(405);
        assertThat(response.headers().firstValue("Allow")).contains("GET, HEAD, PUT, DELETE");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/nothing", "/", "/apis/", "/apis/a/b", "/apis/a%2Fb"})
    void unknown_places_are_not_found(String path) {
        assertThat(server.get(path).statusCode()).isEqualTo(404);
    }

    @Test
    void a_body_that_is_not_declared_as_json_is_refused() {
        HttpRequest.Builder request = server.request("/admin/v1/apis")
                .header("Content-Type", "text/plain")
                .POST(BodyPublishers.ofString(definition("orders", "/orders")));

        assertThat(server.send(request).statusCode()).isEqualTo(415);
    }

    @Test
    void a_body_that_is_not_json_is_refused_with_its_place() {
        HttpResponse<String> response = server.post("/apis", "{\"id\": \"orders\",}");

        assertThat(response.statusCode()).isEqualTo(422);
        assertThat(json(response).at("/errors/0/message").stringValue()).contains("line 1");
    }

    @Test
    void a_body_larger_than_the_cap_is_refused_whether_its_length_is_told_or_not() {
        byte[] large = new byte[AdminHandler.MAX_BODY_BYTES + 1];
        Arrays.fill(large, (byte) ' ');

        HttpResponse<String> told = server.send(server.request("/admin/v1/apis")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(large)));
        HttpResponse<String> untold = server.send(server.request("/admin/v1/apis")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(large))));

        assertThat(told.statusCode()).isEqualTo(413);
        assertThat(untold.statusCode()).isEqualTo(413);
    }

    @Test
    void validate_tells_what_would_be_and_changes_nothing() {
        HttpResponse<String> good = server.post("/validate", definition("orders", "/orders"));
        HttpResponse<String> bad = server.post("/validate", "{\"id\": \"orders\"}");

        assertThat(good.statusCode()).isEqualTo(200);
        assertThat(json(good).at("/apis/0/change").stringValue()).isEqualTo("create");
        assertThat(json(good).at("/apis/0/route/path").stringValue()).isEqualTo("/orders");
        assertThat(bad.statusCode()).isEqualTo(422);
        assertThat(server.store.load().revision()).isZero();
        assertThat(server.live.current().apis()).isEmpty();
        assertThat(server.audit.latest(0, 10)).isEmpty();
    }

    @Test
    void validate_takes_a_whole_set_and_points_into_each() {
        HttpResponse<String> response =
                server.post("/validate", "[" + definition("a", "/a") + "," + definition("b", "b") + "]");

        assertThat(response.statusCode()).isEqualTo(422);
        assertThat(json(response).at("/errors/0/pointer").stringValue()).isEqualTo("/apis/b/match/path");
    }

    @Test
    void a_reload_serves_what_stands_in_the_store() {
        server.store.writeElsewhere("orders", definition("orders", "/orders"));

        HttpResponse<String> reloaded = server.write("POST", "/reload", "");

        assertThat(reloaded.statusCode()).isEqualTo(200);
        assertThat(json(reloaded).at("/routes/0/id").stringValue()).isEqualTo("orders");
        assertThat(server.live.current().revision()).isEqualTo(1);
    }

    @Test
    void a_reload_that_finds_bad_definitions_names_every_problem_and_keeps_serving_the_old_ones() {
        server.post("/apis", definition("orders", "/orders"));
        server.store.writeElsewhere("bad", "{\"id\": \"bad\", \"match\": {\"path\": \"x\"}}");
        server.store.writeElsewhere("worse", "{\"id\": \"worse\", \"surprise\": 1}");

        HttpResponse<String> refused = server.write("POST", "/reload", "");

        assertThat(refused.statusCode()).isEqualTo(422);
        assertThat(json(refused)
                        .get("errors")
                        .valueStream()
                        .map(e -> e.get("pointer").stringValue()))
                .contains("/apis/bad/match/path", "/apis/bad/upstream", "/apis/worse/surprise");
        assertThat(server.live.current().apis()).containsOnlyKeys("orders");
        assertThat(server.live.current().revision()).isEqualTo(1);
    }

    @Test
    void the_runtime_tells_jvm_and_threads() {
        var runtime = json(server.get("/runtime"));

        assertThat(runtime.get("requestThreads").stringValue()).isEqualTo("io");
        assertThat(runtime.at("/heap/maxBytes").longValue()).isPositive();
        assertThat(runtime.get("collectors").isEmpty()).isFalse();
    }

    @Test
    void audit_pages_from_the_newest() {
        server.post("/apis", definition("a", "/a"));
        server.post("/apis", definition("b", "/b"));

        HttpResponse<String> first = server.get("/audit?limit=1");
        HttpResponse<String> second =
                server.get("/audit?limit=1&cursor=" + json(first).get("next").stringValue());

        assertThat(json(first).at("/items/0/action").stringValue()).isEqualTo("POST apis (b)");
        assertThat(json(first).at("/items/0/fromRevision").intValue()).isEqualTo(1);
        assertThat(json(first).at("/items/0/toRevision").intValue()).isEqualTo(2);
        assertThat(json(second).at("/items/0/action").stringValue()).isEqualTo("POST apis (a)");
    }
}
