package gateway.app.cache;

import static gateway.app.cache.CountingUpstream.answer;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.commands.MainForTests;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// What operators see of kept answers, and that what they purge is given to nobody any more.
@Timeout(120)
final class GatewayPurgeTest {
    private static final String FIELDS = "Cache-Control: max-age=60\nETag: \"%d\"\nCache-Tag: items, item-7 page";

    private final CountingUpstream upstream =
            CountingUpstream.start(number -> answer(FIELDS.formatted(number), "answer " + number));

    @TempDir
    private Path data;

    private CachedGateway gateway;

    @BeforeEach
    void start() {
        CachedGateway.define(data, "orders", CachedGateway.definition("orders", "/orders", "", upstream.port()));
        CachedGateway.define(data, "sales", CachedGateway.definition("sales", "/sales", "", upstream.port()));
        gateway = CachedGateway.start(data);
    }

    @AfterEach
    void stop() {
        gateway.close();
        upstream.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"api\": \"orders\"}",
                "{\"path\": \"/orders/a\"}",
                "{\"prefix\": \"/ord\"}",
                "{\"tag\": \"item-7\", \"api\": \"orders\"}",
            })
    void what_is_purged_is_gone_and_the_rest_is_not(String purge) throws Exception {
        gateway.get("/orders/a?x=1");
        gateway.get("/sales/a");

        JsonNode purged = gateway.admin().call("POST", "/cache/purge", purge);

        assertThat(purged.path("purged").intValue()).isEqualTo(1);
        assertThat(gateway.get("/orders/a?x=1")).endsWith("answer 3");
        assertThat(gateway.get("/sales/a")).endsWith("answer 2");
    }

    @Test
    void what_is_purged_softly_is_asked_for_anew_with_its_validator() throws Exception {
        gateway.get("/orders/a");
        upstream.answers(
                number -> "HTTP/1.1 304 Not Modified\r\nConnection: close\r\nCache-Control: max-age=60\r\n\r\n");

        gateway.admin().call("POST", "/cache/purge", "{\"tag\": \"page\", \"soft\": true}");

        assertThat(gateway.get("/orders/a"))
                .contains("fwd=stale; fwd-status=304")
                .endsWith("answer 1");
        assertThat(gateway.get("/orders/a")).contains("hit; ttl=").endsWith("answer 1");
        assertThat(upstream.asked()).isEqualTo(2);
    }

    @Test
    void no_client_sees_tags() throws IOException {
        assertThat(gateway.get("/orders/a")).contains("fwd=miss").doesNotContain("item-7");
        assertThat(gateway.get("/orders/a")).contains("hit; ttl=").doesNotContain("item-7");
        assertThat(gateway.get("/orders/a", "Cache-Control: no-store\r\n"))
                .contains("fwd=bypass")
                .doesNotContain("item-7");
        assertThat(gateway.send("DELETE /orders/a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 200")
                .doesNotContain("item-7");
    }

    @Test
    void operators_see_what_is_kept_by_size_and_use_but_no_values_of_parameters() throws Exception {
        upstream.answers(number -> answer(FIELDS.formatted(number), "x".repeat(1000 * number)));
        gateway.get("/orders/a?token=secret&page=1&secret");
        gateway.get("/orders/b");
        gateway.get("/orders/a?token=secret&page=1&secret");
        gateway.get("/orders/a?token=secret&page=1&secret", "Cache-Control: no-store\r\n");

        JsonNode largest = gateway.admin().call("GET", "/cache/entries", "").get("items");
        JsonNode hottest = gateway.admin()
                .call("GET", "/cache/entries?order=hits&api=orders&limit=1", "")
                .get("items");
        JsonNode totals = gateway.admin().call("GET", "/cache", "").get("items");

        assertThat(largest.findValuesAsString("path")).containsExactly("/orders/b", "/orders/a?token&page&*");
        assertThat(largest.toString()).doesNotContain("secret");
        assertThat(hottest.get(0).get("path").stringValue()).isEqualTo("/orders/a?token&page&*");
        assertThat(hottest.get(0).get("hits").intValue()).isEqualTo(1);
        assertThat(hottest.get(0).get("tags")).hasToString("[\"item-7\",\"items\",\"page\"]");
        assertThat(totals.findValuesAsString("api")).containsExactly("orders", "sales");
        assertThat(totals.get(0).get("entries").intValue()).isEqualTo(2);
        assertThat(totals.get(0).get("bytes").intValue()).isGreaterThan(3000);
        assertThat(totals.get(0).get("requests"))
                .hasToString("{\"hit\":1,\"stale\":0,\"revalidated\":0,\"miss\":2,\"bypass\":1}");
    }

    @Test
    void meters_tell_how_requests_fare_and_what_is_kept() throws Exception {
        gateway.get("/orders/a");
        gateway.get("/orders/a");

        HttpResponse<String> metrics = gateway.admin().get("/metrics");

        assertThat(metrics.body())
                .contains("gateway_cache_requests_total{api=\"orders\",result=\"hit\"} 1.0")
                .contains("gateway_cache_requests_total{api=\"orders\",result=\"miss\"} 1.0")
                .contains("gateway_cache_entries{api=\"orders\"} 1")
                .contains("gateway_cache_entries{api=\"sales\"} 0")
                .containsPattern("gateway_cache_bytes\\{api=\"orders\"} [1-9]");
    }

    @Test
    void a_purge_stands_in_the_audit_log_and_one_of_nothing_is_refused() throws Exception {
        gateway.get("/orders/a");
        gateway.admin().call("POST", "/cache/purge", "{\"prefix\": \"/\"}");

        assertThat(gateway.admin().call("GET", "/audit", "").toString())
                .contains("POST cache/purge {\\\"prefix\\\":\\\"/\\\",\\\"soft\\\":false} (1 here)");
        assertThat(gateway.admin().send("POST", "/admin/v1/cache/purge", "{}").statusCode())
                .isEqualTo(422);
        assertThat(gateway.admin()
                        .send("GET", "/admin/v1/cache/entries?order=age", "")
                        .statusCode())
                .isEqualTo(400);
    }

    @Test
    void the_command_lists_entries_and_purges_them() throws IOException {
        gateway.get("/orders/a?x=1");

        assertThat(run("list", "--hottest"))
                .containsPattern("\\d+ 0 \\d+s 200 orders a/orders/a\\?x item-7 items page");
        assertThat(run("purge", "--tag", "items", "--api", "orders")).startsWith("1 answers");
        assertThat(run("list")).isEqualToIgnoringNewLines("bytes hits fresh status api path tags");
    }

    /// It would match nothing: no purge looks at queries.
    @ParameterizedTest
    @ValueSource(strings = {"path", "prefix"})
    void a_purge_with_a_query_is_refused_and_the_command_says_why(String condition) throws Exception {
        String why = "expected a path without a query, which no purge looks at, got";

        HttpResponse<String> answer =
                gateway.admin().send("POST", "/admin/v1/cache/purge", "{\"" + condition + "\": \"/orders/a?x=1\"}");

        assertThat(answer.statusCode()).isEqualTo(422);
        assertThat(answer.body()).contains(why).contains("/" + condition);
        assertThat(MainForTests.refused(settings(), "cache-entries", "purge", "--" + condition, "/orders/a?x=1"))
                .contains(why);
    }

    @Test
    void an_api_that_is_deleted_and_made_again_begins_anew() throws Exception {
        gateway.get("/orders/a");
        gateway.get("/sales/a");

        gateway.admin().send("DELETE", "/admin/v1/apis/orders", "");
        gateway.admin().call("POST", "/apis", CachedGateway.definition("orders", "/orders", "", upstream.port()));

        assertThat(gateway.get("/orders/a")).endsWith("answer 3");
        assertThat(gateway.get("/sales/a")).endsWith("answer 2");
    }

    @Test
    void an_api_that_goes_to_another_upstream_begins_anew_and_one_with_more_targets_goes_on() throws Exception {
        try (var another = CountingUpstream.start(number -> answer(FIELDS.formatted(number), "another"))) {
            gateway.get("/orders/a");
            gateway.get("/sales/a");
            String more = "}, {\"url\": \"http://127.0.0.1:%d\"}]".formatted(another.port());

            gateway.admin()
                    .call("PUT", "/apis/orders", CachedGateway.definition("orders", "/orders", "", another.port()));
            gateway.admin()
                    .call(
                            "PUT",
                            "/apis/sales",
                            CachedGateway.definition("sales", "/sales", "", upstream.port())
                                    .replace("}]}}", more + "}}"));

            assertThat(gateway.get("/orders/a")).endsWith("another");
            assertThat(gateway.get("/sales/a")).endsWith("answer 2");
        }
    }

    private String run(String... arguments) {
        String[] all = new String[arguments.length + 1];
        all[0] = "cache-entries";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return MainForTests.run(settings(), all);
    }

    private Map<String, String> settings() {
        return Map.of(
                "GATEWAY_ADMIN_LISTEN",
                "127.0.0.1:" + gateway.gateway().adminAddress().getPort(),
                "GATEWAY_DATA",
                data.toString());
    }
}
