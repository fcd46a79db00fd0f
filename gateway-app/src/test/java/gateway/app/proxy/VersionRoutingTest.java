package gateway.app.proxy;

import static gateway.app.proxy.VersionsGateway.BY_HEADER;
import static gateway.app.proxy.VersionsGateway.BY_PATH;
import static gateway.app.proxy.VersionsGateway.BY_QUERY;
import static gateway.app.proxy.VersionsGateway.LIST;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Which version a request chooses, over real sockets: what the client gets, and what the upstream received.
final class VersionRoutingTest {
    @RegisterExtension
    private final VersionsGateway gateway = VersionsGateway.start();

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

    private static List<String> received(RecordingUpstream upstream) {
        return upstream.requests.stream()
                .map(RecordingUpstream.Received::requestLine)
                .toList();
    }
}
