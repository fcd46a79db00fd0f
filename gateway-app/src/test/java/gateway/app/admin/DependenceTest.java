package gateway.app.admin;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.settings.ReadinessRule;
import gateway.config.DefinitionReader;
import gateway.config.PolicyRegistry;
import gateway.config.TestPolicies;
import gateway.json.Json;
import gateway.policy.FakeServices;
import gateway.service.DefinitionSet;
import gateway.service.SecretReference;
import gateway.service.Upstream;
import gateway.snapshot.Snapshot;
import gateway.snapshot.SnapshotCompiler;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Servers that policies call, as readiness tells of them.
final class DependenceTest {
    private static final Upstream NOBODY = (_, _) -> {
        throw new IllegalStateException("nobody is asked");
    };

    private final Snapshot snapshot = new SnapshotCompiler(
                    new DefinitionReader(TestPolicies.registry()), new FakeServices(), _ -> NOBODY)
            .compile(DefinitionSet.ofApis(1, Map.of("orders", """
                    {"id": "orders", "match": {"path": "/"}, "policies": [{"type": "ask"}, {"type": "pass"}],
                     "upstream": {"targets": [{"url": "http://127.0.0.1:9"}]}}""")), Snapshot.EMPTY);

    @Test
    void a_server_that_is_away_is_named_with_the_policies_that_call_it() {
        assertThat(Dependence.calling(snapshot, Set.of("https://idp.example", "https://of-no-policy.example")))
                .containsExactly(Map.entry("https://idp.example", List.of("orders/ask")));
        assertThat(Dependence.calling(snapshot, Set.of())).isEmpty();
    }

    @Test
    void every_node_misses_it_alike_so_that_the_process_stays_ready_and_says_so() {
        Readiness readiness = Readiness.of(
                ReadinessRule.SERVING,
                HealthPages.Phase.READY,
                snapshot,
                StoreState.EMBEDDED,
                Set.of("https://idp.example"),
                List.of(),
                Optional.empty());

        assertThat(readiness.status()).isEqualTo(Readiness.Status.DEGRADED);
        assertThat(Json.parse(new String(readiness.answer().body().bytes(10_000), StandardCharsets.UTF_8))
                        .get("servers"))
                .isEqualTo(Json.parse("""
                        {"https://idp.example": {"state": "away", "policies": ["orders/ask"]}}"""));
    }

    @Test
    void a_limit_that_only_reports_refuses_nobody_while_the_store_is_away() {
        var limits = new SnapshotCompiler(new DefinitionReader(PolicyRegistry.load()), new FakeServices(), _ -> NOBODY)
                .compile(DefinitionSet.ofApis(1, Map.of("orders", """
                    {"id": "orders", "match": {"path": "/"}, "policies": [
                      {"type": "rate-limit", "requests": 1, "per": "1s", "by": "ip", "mode": "report"},
                      {"type": "quota", "requests": 1, "per": "1d", "by": "ip"}],
                     "upstream": {"targets": [{"url": "http://127.0.0.1:9"}]}}""")), Snapshot.EMPTY);

        assertThat(Dependence.refusing(limits, new StoreState("redis", false, true, Optional.empty())))
                .containsExactly("orders/quota");
    }

    @Test
    void what_is_taken_once_and_sessions_in_the_store_are_refused_while_it_is_away() {
        String signed = "\"secrets\": [{\"file\": \"s\"}]";
        assertThat(refusing("{\"type\": \"webhook-verify\", \"form\": \"github\", \"once\": true, " + signed + "}"))
                .containsExactly("orders/webhook-verify");
        assertThat(refusing("{\"type\": \"webhook-verify\", \"form\": \"github\", \"once\": false, " + signed + "}"))
                .isEmpty();
        for (String in : List.of("store", "cookie")) {
            String session = "\"session\": {\"in\": \"%s\", \"key\": {\"file\": \"s\"}}".formatted(in);
            assertThat(refusing("{\"type\": \"oidc\", \"issuer\": \"https://id.example\", \"client\":"
                            + " {\"id\": \"c\", \"secret\": {\"file\": \"s\"}}, " + session + "}"))
                    .isEqualTo(in.equals("store") ? List.of("orders/oidc") : List.of());
        }
    }

    private static List<String> refusing(String policy) {
        var services = new FakeServices();
        services.secrets().put(SecretReference.Origin.FILE, "s", "x".repeat(64));
        var compiled = new SnapshotCompiler(new DefinitionReader(PolicyRegistry.load()), services, _ -> NOBODY)
                .compile(DefinitionSet.ofApis(1, Map.of("orders", """
                    {"id": "orders", "match": {"path": "/"}, "policies": [%s],
                     "upstream": {"targets": [{"url": "http://127.0.0.1:9"}]}}""".formatted(policy))), Snapshot.EMPTY);
        return Dependence.refusing(compiled, new StoreState("redis", false, true, Optional.empty()));
    }

    @Test
    void an_api_of_which_an_operation_or_a_version_refuses_serves_the_others() {
        String limit =
                "{\"type\": \"rate-limit\", \"requests\": 1, \"per\": \"1s\", \"by\": \"ip\", \"onOutage\": \"deny\"}";
        String operation =
                "\"operations\": [{\"id\": \"w\", \"match\": {\"path\": \"/w\"}, \"policies\": [" + limit + "]}]";
        String refusing = "{\"name\": \"1\", \"policies\": [" + limit + "]}";
        String versions = "\"versions\": {\"in\": \"path\", \"list\": [" + refusing + "%s]}";

        assertThat(servesWithoutStore(operation)).isTrue();
        assertThat(servesWithoutStore(versions.formatted(", {\"name\": \"2\"}")))
                .isTrue();
        assertThat(servesWithoutStore(versions.formatted(""))).isFalse();
        assertThat(servesWithoutStore("\"policies\": [" + limit + "]")).isFalse();
    }

    @Test
    void an_api_serves_what_a_refusing_policy_leaves_out() {
        String limit =
                "{\"type\": \"rate-limit\", \"requests\": 1, \"per\": \"1s\", \"by\": \"ip\", \"onOutage\": \"deny\"%s}";
        String posts = ", \"when\": {\"methods\": [\"POST\"]}";
        String open = "{\"type\": \"path-rules\", \"ignore\": [{\"path\": \"/open\"}]}";
        String keys = "{\"type\": \"key-auth\"}";

        assertThat(servesWithoutStore("\"policies\": [" + limit.formatted(posts) + "]"))
                .isTrue();
        assertThat(servesWithoutStore("\"policies\": [" + open + ", " + keys + "]"))
                .isTrue();
        assertThat(servesWithoutStore("\"policies\": [" + keys + "]")).isFalse();
        assertThat(servesWithoutStore("\"policies\": [" + open + ", " + keys + ", " + limit.formatted("") + "]"))
                .isFalse();
    }

    @Test
    void an_api_serves_whom_another_way_in_knows_without_the_store() {
        String basic = "{\"type\": \"basic-auth\", \"users\": [{\"name\": \"alice\", \"password\":"
                + " \"$2b$10$wn1Osx3Ca9SZZes.FHPIg.NQaA1E57RIFccgX1SexyyLmD89Et1W2\"}]}";
        String once =
                "{\"type\": \"webhook-verify\", \"form\": \"github\", \"once\": true, \"secrets\": [{\"file\": \"s\"}]}";
        String any = "\"policies\": [{\"type\": \"any-of\", \"policies\": [{\"type\": \"key-auth\"}, %s]}]";

        assertThat(servesWithoutStore(any.formatted(basic))).isTrue();
        assertThat(servesWithoutStore(any.formatted(once))).isFalse();
    }

    /// While no key may be believed any more either.
    private static boolean servesWithoutStore(String more) {
        var services = new FakeServices();
        services.secrets().put(SecretReference.Origin.FILE, "s", "x".repeat(64));
        var compiled = new SnapshotCompiler(new DefinitionReader(PolicyRegistry.load()), services, _ -> NOBODY)
                .compile(DefinitionSet.ofApis(1, Map.of("orders", """
                    {"id": "orders", "match": {"path": "/"}, %s,
                     "upstream": {"targets": [{"url": "http://127.0.0.1:9"}]}}""".formatted(more))), Snapshot.EMPTY);
        assertThat(compiled.apis()).hasSize(1);
        return Dependence.someServeWithout(compiled, new StoreState("redis", false, false, Optional.empty()));
    }
}
