package gateway.app.proxy;

import static gateway.app.proxy.VersionsGateway.BY_HEADER;
import static gateway.app.proxy.VersionsGateway.BY_PATH;
import static gateway.app.proxy.VersionsGateway.BY_QUERY;
import static gateway.app.proxy.VersionsGateway.LIST;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.key.ApiGrant;
import gateway.key.ApiKey;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// What versions have of their own, over real sockets: rules, an end, limits, keys and records.
final class VersionsTest {
    @RegisterExtension
    private final VersionsGateway gateway = VersionsGateway.start();

    @Test
    void path_rules_of_a_version_see_the_path_behind_it() throws IOException {
        gateway.serve("'versions': {" + BY_PATH + "'default': 'v1', 'list': [{'name': 'v1', 'policies': ["
                + "{'type': 'path-rules', 'block': [{'path': '/admin'}]}]}, {'name': 'v2'}]}");

        assertThat(gateway.get("/orders/v1/admin")).startsWith("HTTP/1.1 403 ");
        assertThat(gateway.get("/orders/%761/%61dmin")).startsWith("HTTP/1.1 403 ");
        assertThat(gateway.get("/orders/admin")).startsWith("HTTP/1.1 403 ");
        assertThat(gateway.get("/orders/v2/admin")).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void a_version_expires_while_others_go_on() throws IOException {
        gateway.serve("'versions': {" + BY_QUERY + "'list': [{'name': 'v1', 'expires': '2026-06-02T00:00:00Z'},"
                + " {'name': 'v2', 'upstream': SECOND}]}");

        String before = gateway.get("/orders?version=v1");
        gateway.services.clock().advance(Duration.ofDays(1));
        String after = gateway.get("/orders?version=v1");

        assertThat(before).startsWith("HTTP/1.1 200 ");
        assertThat(after).startsWith("HTTP/1.1 403 ").contains("urn:gateway:problem:version-expired");
        assertThat(List.of(Http.only(before, "Sunset"), Http.only(after, "Sunset")))
                .containsOnly("Tue, 02 Jun 2026 00:00:00 GMT");
        assertThat(gateway.get("/orders?version=v2"))
                .startsWith("HTTP/1.1 200 ")
                .doesNotContain("Sunset");
        assertThat(gateway.first.requests).hasSize(1);
    }

    @Test
    void every_answer_of_a_deprecated_version_tells_of_its_end() throws IOException {
        String end = "'deprecatedSince': '2026-01-01T00:00:00Z', 'sunset': '2027-06-01T12:00:00Z',"
                + " 'link': 'https://example.com/end'";
        String[] policies = {
            "",
            "{'type': 'key-auth'}",
            "{'type': 'ip-filter', 'deny': ['127.0.0.0/8']}",
            "{'type': 'mock-response', 'status': 404}",
            "{'type': 'broken'}"
        };
        int[] statuses = {200, 401, 403, 404, 500};
        for (int i = 0; i < policies.length; i++) {
            gateway.serve("'versions': {" + BY_HEADER + "'default': 'v1', 'list': [{'name': 'v1', " + end
                    + ", 'policies': [" + policies[i] + "]}]}");
            assertTold(gateway.get("/orders"), statuses[i]);
        }
        String nobody = "'upstream': " + VersionsGateway.upstream("http://127.0.0.1:1");
        gateway.serve("'versions': {" + BY_HEADER + "'default': 'v1', 'list': [{'name': 'v1', " + end + ", " + nobody
                + "}]}");
        assertTold(gateway.get("/orders"), 502);
    }

    @Test
    void a_refused_handshake_tells_of_the_end_too() throws IOException {
        gateway.serve("'versions': {" + BY_HEADER + "'default': 'v1', 'list': [{'name': 'v1',"
                + " 'expires': '2027-06-01T12:00:00Z'}]}");

        String refused = gateway.sendRaw(Http.head(
                "GET /orders HTTP/1.1",
                "Host: a",
                "Connection: Upgrade",
                "Upgrade: websocket",
                "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
                "Sec-WebSocket-Version: 12"));

        assertThat(refused).startsWith("HTTP/1.1 426 ");
        assertThat(Http.only(refused, "Sunset")).isEqualTo("Tue, 01 Jun 2027 12:00:00 GMT");
    }

    private static void assertTold(String answer, int status) {
        assertThat(answer).startsWith("HTTP/1.1 " + status + ' ');
        assertThat(Http.only(answer, "Deprecation")).isEqualTo("@1767225600");
        assertThat(Http.only(answer, "Sunset")).isEqualTo("Tue, 01 Jun 2027 12:00:00 GMT");
        assertThat(Http.only(answer, "Link")).isEqualTo("<https://example.com/end>; rel=\"deprecation sunset\"");
        assertThat(Http.only(answer, "Vary")).isEqualTo("X-Api-Version");
    }

    @Test
    void a_preflight_is_answered_though_it_names_no_version() throws IOException {
        gateway.serve("'policies': [{'type': 'cors', 'allowedOrigins': ['https://app.example.com'],"
                + " 'allowedHeaders': ['X-Api-Version']}], 'versions': {" + BY_HEADER + LIST + "}");
        String origin = "Origin: https://app.example.com";

        String preflight = gateway.send(
                "OPTIONS /orders HTTP/1.1",
                origin,
                "Access-Control-Request-Method: GET",
                "Access-Control-Request-Headers: x-api-version");
        String refused = gateway.get("/orders", origin);

        assertThat(preflight).startsWith("HTTP/1.1 204 ");
        assertThat(refused).startsWith("HTTP/1.1 400 ");
        assertThat(Http.only(refused, "Access-Control-Allow-Origin")).isEqualTo("https://app.example.com");
    }

    @Test
    void a_limit_of_the_api_is_shared_and_one_of_a_version_is_its_own_also_after_a_reload() throws IOException {
        String definition = "'policies': [{'type': 'quota', 'requests': 4, 'per': '1d', 'by': 'api'}], 'versions': {"
                + BY_PATH + "'list': [{'name': 'v1', 'policies': [{'type': 'quota', 'requests': 1, 'per': '1d',"
                + " 'by': 'api'}]}, {'name': 'v2'}]}";
        gateway.serve(definition);

        assertThat(gateway.get("/orders/v1")).startsWith("HTTP/1.1 200 ");
        assertThat(gateway.get("/orders/v1")).startsWith("HTTP/1.1 429 ");
        gateway.serve("'name': 'Again', " + definition);
        assertThat(gateway.get("/orders/v1")).startsWith("HTTP/1.1 429 ");
        assertThat(gateway.get("/orders/v2")).startsWith("HTTP/1.1 200 ");
        assertThat(gateway.get("/orders/v2")).startsWith("HTTP/1.1 200 ");
        assertThat(gateway.get("/orders/v2")).startsWith("HTTP/1.1 200 ");
        assertThat(gateway.get("/orders/v2")).startsWith("HTTP/1.1 429 ");
    }

    @Test
    void a_key_opens_the_versions_that_it_names() throws IOException {
        gateway.services.keys().add("secret", key(new ApiGrant(List.of(), List.of("v2"))));
        gateway.serve("'policies': [{'type': 'key-auth'}], 'versions': {" + BY_PATH + LIST + "}");

        assertThat(gateway.get("/orders/v2", "Authorization: Bearer secret")).startsWith("HTTP/1.1 200 ");
        assertThat(gateway.get("/orders/v1", "Authorization: Bearer secret"))
                .startsWith("HTTP/1.1 403 ")
                .contains("does not open this version");
    }

    private static ApiKey key(ApiGrant orders) {
        return new ApiKey(
                "key_1",
                "alice",
                true,
                Optional.empty(),
                Map.of("orders", orders),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Map.of());
    }

    @Test
    void a_request_is_recorded_with_its_version() throws Exception {
        gateway.serve("'versions': {" + BY_HEADER + "'default': 'v2', " + LIST + "}");

        gateway.get("/orders");

        assertThat(gateway.records.take().api().version()).isEqualTo("v2");
    }

    @Test
    void a_refused_request_is_recorded_as_the_apis() throws Exception {
        gateway.serve("'versions': {" + BY_HEADER + LIST + "}");

        gateway.get("/orders", "X-Api-Version: v9");
        var refused = gateway.records.take();

        assertThat(refused.api().id()).isEqualTo("orders");
        assertThat(refused.api().policy()).isEqualTo("version");
        assertThat(refused.outcome().status()).isEqualTo(400);
    }
}
