package gateway.app.server;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.key.ApiGrant;
import gateway.key.ApiKey;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Versions of an API over real sockets: what the client gets, and what the upstream received.
final class VersionsTest {
    private static final String LIST = "'list': [{'name': 'v1'}, {'name': 'v2', 'upstream': SECOND}]";
    private static final String BY_HEADER = "'in': 'header', 'name': 'X-Api-Version', ";
    private static final String BY_QUERY = "'in': 'query', 'name': 'version', ";
    private static final String BY_PATH = "'in': 'path', ";

    private VersionsGateway gateway;

    @BeforeEach
    void start() throws IOException {
        gateway = new VersionsGateway();
    }

    @AfterEach
    void stop() throws IOException {
        gateway.close();
    }

    @Test
    void a_header_chooses_the_version_and_its_target() throws IOException {
        gateway.serve("'versions': {" + BY_HEADER + LIST + "}");

        assertThat(gateway.get("/orders/1", "X-Api-Version: v1")).startsWith("HTTP/1.1 200 ");
        assertThat(gateway.get("/orders/2", "x-api-version: v2")).startsWith("HTTP/1.1 200 ");

        assertThat(received(gateway.first)).containsExactly("GET /orders/1 HTTP/1.1");
        assertThat(received(gateway.second)).containsExactly("GET /orders/2 HTTP/1.1");
        assertThat(gateway.second.requests.getFirst().all("X-Api-Version")).containsExactly("v2");
    }

    @Test
    void a_stripped_header_does_not_reach_the_upstream() throws IOException {
        gateway.serve("'versions': {" + BY_HEADER + "'strip': true, " + LIST + "}");

        gateway.get("/orders", "X-Api-Version: v2", "X-Other: x");

        assertThat(gateway.second.requests.getFirst().all("X-Api-Version")).isEmpty();
        assertThat(gateway.second.requests.getFirst().all("X-Other")).containsExactly("x");
    }

    @ParameterizedTest
    @CsvSource({
        "?version=v1, ?version=v1, ''",
        "?a=%2F&version=v1&b=+x&&c, ?a=%2F&version=v1&b=+x&&c, ?a=%2F&b=+x&&c",
        "?version=v1&%7e, ?version=v1&%7e, ?%7e",
    })
    void a_query_parameter_chooses_the_version_and_the_rest_goes_on_byte_for_byte(
            String query, String kept, String stripped) throws IOException {
        gateway.serve("'versions': {" + BY_QUERY + LIST + "}");
        gateway.get("/orders" + query);
        gateway.serve("'versions': {" + BY_QUERY + "'strip': true, " + LIST + "}");
        gateway.get("/orders" + query);

        assertThat(received(gateway.first))
                .containsExactly("GET /orders" + kept + " HTTP/1.1", "GET /orders" + stripped + " HTTP/1.1");
    }

    @ParameterizedTest
    @CsvSource({
        "false, false, /orders/v1/%61/b, /orders/v1/%61/b",
        "false, true, /orders/v1/%61/b, /orders/%61/b",
        "true, false, /orders/v1/%61/b, /v1/%61/b",
        "true, true, /orders/v1/%61/b, /%61/b",
        "false, true, /%6frders/%76%31/a, /%6frders/a",
        "true, true, /%6frders/%76%31/a, /a",
        "false, true, /orders/v1, /orders",
        "true, true, /orders/v1, /",
        "false, true, /orders/v1/?x=%20, /orders/?x=%20",
    })
    void a_segment_chooses_the_version_and_the_raw_path_goes_on(
            boolean stripPath, boolean strip, String sent, String received) throws IOException {
        gateway.serve(
                "'stripPath': " + stripPath + ", 'versions': {" + BY_PATH + "'strip': " + strip + ", " + LIST + "}");

        assertThat(gateway.get(sent)).startsWith("HTTP/1.1 200 ");

        assertThat(received(gateway.first)).containsExactly("GET " + received + " HTTP/1.1");
    }

    @Test
    void path_rules_of_a_version_see_the_path_behind_it() throws IOException {
        gateway.serve("'versions': {" + BY_PATH + "'default': 'v1', 'list': [{'name': 'v1', 'policies': ["
                + "{'type': 'path-rules', 'block': [{'path': '/admin'}]}]}, {'name': 'v2'}]}");

        assertThat(gateway.get("/orders/v1/admin")).startsWith("HTTP/1.1 403 ");
        assertThat(gateway.get("/orders/%761/%61dmin")).startsWith("HTTP/1.1 403 ");
        assertThat(gateway.get("/orders/admin")).startsWith("HTTP/1.1 403 ");
        assertThat(gateway.get("/orders/v2/admin")).startsWith("HTTP/1.1 200 ");
    }

    @ParameterizedTest
    @ValueSource(strings = {BY_HEADER, BY_QUERY, BY_PATH})
    void the_default_serves_what_names_no_version(String choice) throws IOException {
        gateway.serve("'versions': {" + choice + "'default': 'v2', " + LIST + "}");

        assertThat(gateway.get("/orders/items")).startsWith("HTTP/1.1 200 ");

        assertThat(received(gateway.second)).containsExactly("GET /orders/items HTTP/1.1");
    }

    @Test
    void what_names_no_version_or_none_there_is_goes_nowhere() throws IOException {
        gateway.serve("'versions': {" + BY_HEADER + LIST + "}");
        assertThat(gateway.get("/orders")).startsWith("HTTP/1.1 400 ").contains("version-missing");
        assertThat(gateway.get("/orders", "X-Api-Version: v9"))
                .startsWith("HTTP/1.1 400 ")
                .contains("version-unknown");
        gateway.serve("'versions': {" + BY_QUERY + LIST + "}");
        assertThat(gateway.get("/orders")).startsWith("HTTP/1.1 400 ").contains("version-missing");
        assertThat(gateway.get("/orders?version=v9"))
                .startsWith("HTTP/1.1 400 ")
                .contains("version-unknown");
        gateway.serve("'versions': {" + BY_PATH + LIST + "}");
        assertThat(gateway.get("/orders")).startsWith("HTTP/1.1 404 ").contains("version-unknown");
        assertThat(gateway.get("/orders/v9/items")).startsWith("HTTP/1.1 404 ").contains("version-unknown");

        assertThat(gateway.first.bytes).hasValue(0);
        assertThat(gateway.second.bytes).hasValue(0);
    }

    @Test
    void two_headers_are_refused_whatever_they_say() throws IOException {
        gateway.serve("'versions': {" + BY_HEADER + "'default': 'v1', 'fallbackToDefault': true, " + LIST + "}");

        for (String[] lines : new String[][] {
            {"X-Api-Version: v1", "X-Api-Version: v2"},
            {"X-Api-Version: v1", "x-api-version: v1"},
            {"X-Api-Version: v1", "X-Api-Version:"},
            {"X-Api-Version: v1, v2"},
            {"X-Api-Version: v1,"}
        }) {
            assertThat(gateway.get("/orders", lines))
                    .startsWith("HTTP/1.1 400 ")
                    .contains("version-ambiguous");
        }
        assertThat(gateway.first.bytes).hasValue(0);
    }

    @Test
    void a_header_for_this_hop_alone_chooses_nothing() throws IOException {
        gateway.serve("'versions': {" + BY_HEADER + "'default': 'v1', " + LIST + "}");

        gateway.sendRaw(
                "GET /orders HTTP/1.1\r\nHost: a\r\nX-Api-Version: v2\r\nConnection: close, X-Api-Version\r\n\r\n");

        assertThat(gateway.first.requests.getFirst().all("X-Api-Version")).isEmpty();
        assertThat(gateway.second.requests).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "version=v1&version=v2",
                "version=v1&version=v1",
                "version=v1&version",
                "version=v1&%76ersion=v2",
                "%76ersion=v2&version=v1",
                "vers%69on=v1",
                "version=%761",
                "version=v1%00",
                "version=v%2B",
                "version=v1+"
            })
    void a_query_with_two_readings_is_refused(String query) throws IOException {
        gateway.serve("'versions': {" + BY_QUERY + "'default': 'v1', 'fallbackToDefault': true, " + LIST + "}");

        assertThat(gateway.get("/orders?" + query)).startsWith("HTTP/1.1 400 ").contains("version-ambiguous");
        assertThat(gateway.first.bytes).hasValue(0);
        assertThat(gateway.second.bytes).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/orders/v1%2fx",
                "/orders/v1/..%2fv2",
                "/orders/./v1",
                "/orders//v1",
                "/orders/v1;x/../v2",
                "/orders/v1;x/items",
                "/orders/%761%3bx"
            })
    void a_path_with_two_readings_reaches_no_version(String path) throws IOException {
        gateway.serve("'versions': {" + BY_PATH + "'default': 'v2', " + LIST + "}");

        assertThat(gateway.get(path)).startsWith("HTTP/1.1 400 ");
        assertThat(gateway.first.bytes).hasValue(0);
        assertThat(gateway.second.bytes).hasValue(0);
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

    private static List<String> received(RecordingUpstream upstream) {
        return upstream.requests.stream()
                .map(RecordingUpstream.Received::requestLine)
                .toList();
    }
}
