package gateway.app.admin;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.settings.ReadinessRule;
import gateway.app.traffic.TrafficState;
import gateway.http.HeldBody;
import gateway.http.Response;
import gateway.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

final class HealthPagesTest {
    private static final StoreState THERE = new StoreState("redis", true, true, Optional.empty());
    private static final StoreState AWAY = new StoreState("redis", false, true, Optional.empty());
    private static final StoreState LONG_AWAY = new StoreState("redis", false, false, Optional.empty());

    private final AdminServer server = new AdminServer();

    @BeforeEach
    void ready() {
        server.health.enter(HealthPages.Phase.READY);
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void a_ready_process_tells_its_snapshot_and_its_store() {
        define("[]");

        Response ready = page("/health/ready");

        assertThat(ready.status()).isEqualTo(200);
        assertThat(json(ready)).isEqualTo(Json.parse("""
            {"status": "ready", "revision": 1,
             "snapshot": {"state": "live", "apis": 1, "problems": 0},
             "store": {"state": "available", "kind": "memory"}}"""));
    }

    @ParameterizedTest
    @CsvSource({"allow,200,degraded", "local,200,degraded", "deny,503,unready"})
    void with_the_store_away_it_is_ready_when_limits_go_on_without(String onOutage, int status, String said) {
        define("[{\"type\": \"rate-limit\", \"requests\": 5, \"per\": \"1s\", \"onOutage\": \"" + onOutage + "\"}]");
        server.health.watchStore(() -> AWAY, ReadinessRule.SERVING);

        Response ready = page("/health/ready");

        assertThat(ready.status()).isEqualTo(status);
        assertThat(json(ready).get("status").stringValue()).isEqualTo(said);
        assertThat(json(ready).at("/store/state").stringValue()).isEqualTo("away");
    }

    @ParameterizedTest
    @CsvSource({"SERVING,200,degraded", "STRICT,503,unready"})
    void with_the_store_away_it_is_ready_by_the_rule_while_some_api_serves(
            ReadinessRule rule, int status, String said) {
        define("[{\"type\": \"key-auth\"}, {\"type\": \"quota\", \"requests\": 5, \"per\": \"1d\"}]");
        define("open", "[]");
        server.health.watchStore(() -> LONG_AWAY, rule);

        Response ready = page("/health/ready");

        assertThat(ready.status()).isEqualTo(status);
        assertThat(json(ready).get("status").stringValue()).isEqualTo(said);
        assertThat(json(ready).at("/store/refusing").intValue()).isEqualTo(2);
    }

    @Test
    void a_store_that_may_drop_what_it_holds_is_told() {
        define("[]");
        server.health.watchStore(
                () -> new StoreState("redis", true, true, Optional.of("allkeys-lru")), ReadinessRule.SERVING);

        Response ready = page("/health/ready");

        assertThat(ready.status()).isEqualTo(200);
        assertThat(json(ready).at("/store/mayEvict").stringValue()).isEqualTo("allkeys-lru");
    }

    @Test
    void an_unready_process_names_the_policies_that_refuse() {
        define("[{\"type\": \"key-auth\"}, {\"type\": \"quota\", \"requests\": 5, \"per\": \"1d\"}]");
        server.health.watchStore(() -> LONG_AWAY, ReadinessRule.SERVING);

        JsonNode store = json(page("/health/ready")).get("store");

        assertThat(store).isEqualTo(Json.parse("""
            {"state": "away", "kind": "redis", "refusing": 2,
             "refusingPolicies": ["orders/key-auth", "orders/quota"]}"""));
    }

    @Test
    void keys_at_hand_keep_it_ready_until_they_are_too_old() {
        define("[{\"type\": \"key-auth\"}]");

        server.health.watchStore(() -> AWAY, ReadinessRule.SERVING);
        int atFirst = page("/health/ready").status();
        server.health.watchStore(() -> LONG_AWAY, ReadinessRule.SERVING);
        int later = page("/health/ready").status();

        assertThat(atFirst).isEqualTo(200);
        assertThat(later).isEqualTo(503);
    }

    @Test
    void a_disabled_api_needs_no_store() {
        server.put("/apis/orders", """
            {"id": "orders", "enabled": false, "match": {"path": "/orders"}, "policies": [{"type": "key-auth"}],
             "upstream": {"targets": [{"url": "http://127.0.0.1:9"}]}}""");
        server.health.watchStore(() -> LONG_AWAY, ReadinessRule.SERVING);

        assertThat(page("/health/ready").status()).isEqualTo(200);
    }

    @Test
    void a_traffic_log_that_is_away_is_said_and_leaves_it_ready() {
        server.health.watchTrafficLog(() -> new TrafficState(TrafficState.Condition.AWAY, "refused"));

        Response ready = page("/health/ready");

        assertThat(ready.status()).isEqualTo(200);
        assertThat(json(ready).get("status").stringValue()).isEqualTo("degraded");
        assertThat(json(ready).get("trafficLog"))
                .isEqualTo(Json.parse("{\"state\": \"away\", \"reason\": \"refused\"}"));
    }

    @Test
    void a_traffic_log_that_ships_to_a_red_cluster_is_said_and_leaves_it_ready() {
        server.health.watchTrafficLog(() -> new TrafficState(TrafficState.Condition.SHIPPING, "red"));

        Response ready = page("/health/ready");

        assertThat(ready.status()).isEqualTo(200);
        assertThat(json(ready).get("status").stringValue()).isEqualTo("degraded");
        assertThat(json(ready).get("trafficLog"))
                .isEqualTo(Json.parse("{\"state\": \"shipping\", \"reason\": \"red\"}"));
    }

    @Test
    void an_io_thread_that_does_not_answer_makes_it_unready_and_leaves_it_alive() {
        server.health.watchIoThreads(() -> List.of("gateway I/O-2"));

        Response ready = page("/health/ready");

        assertThat(ready.status()).isEqualTo(503);
        assertThat(json(ready).get("status").stringValue()).isEqualTo("unready");
        assertThat(json(ready).get("ioThreads")).isEqualTo(Json.parse("{\"silent\": [\"gateway I/O-2\"]}"));
        assertThat(json(page("/hello")).get("status").stringValue()).isEqualTo("fail");
        assertThat(page("/health/live").status()).isEqualTo(200);
    }

    @Test
    void hello_tells_redis_in_the_shape_of_tyk() {
        server.health.watchStore(() -> THERE, ReadinessRule.SERVING);
        JsonNode there = json(page("/hello"));
        server.health.watchStore(() -> AWAY, ReadinessRule.SERVING);
        JsonNode away = json(page("/hello"));

        assertThat(there.get("status").stringValue()).isEqualTo("pass");
        assertThat(there.get("details"))
                .isEqualTo(Json.parse("""
            {"redis": {"status": "pass", "componentType": "datastore", "time": "%s"}}""".formatted(server.services.clock().instant())));
        assertThat(away.get("status").stringValue()).isEqualTo("warn");
        assertThat(away.at("/details/redis/status").stringValue()).isEqualTo("fail");
    }

    @Test
    void hello_fails_with_200_when_requests_are_refused() {
        define("[{\"type\": \"key-auth\"}]");
        server.health.watchStore(() -> LONG_AWAY, ReadinessRule.SERVING);

        Response hello = page("/hello");

        assertThat(hello.status()).isEqualTo(200);
        assertThat(json(hello).get("status").stringValue()).isEqualTo("fail");
    }

    private void define(String policies) {
        define("orders", policies);
    }

    private void define(String id, String policies) {
        var answer = server.put("/apis/" + id, """
            {"id": "%s", "match": {"path": "/%s"}, "policies": %s,
             "upstream": {"targets": [{"url": "http://127.0.0.1:9"}]}}""".formatted(id, id, policies));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    }

    private Response page(String path) {
        return server.health.pages().get(path).get();
    }

    private static JsonNode json(Response response) {
        return Json.parse(new String(((HeldBody) response.body()).content(), StandardCharsets.UTF_8));
    }
}
