package gateway.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import gateway.wire.http1.RawClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Paths with `;` parameters on a whole gateway, in front of an upstream that takes them off, as servlet containers do.
@Timeout(90)
final class GatewayPathParametersTest {
    private static final String BLOCK = "{\"type\": \"path-rules\", \"block\": [{\"path\": \"/admin\"}]}";
    private static final String RULE =
            "{\"type\": \"authorize\", \"rules\": [{\"paths\": [\"/admin\"], \"tags\": [\"staff\"]}], \"otherwise\": \"allow\"}";

    @TempDir
    private Path data;

    private final List<String> arrived = new CopyOnWriteArrayList<>();
    private HttpServer upstream;

    @BeforeEach
    void start() throws IOException {
        upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        upstream.createContext("/", exchange -> {
            try (exchange) {
                arrived.add(exchange.getRequestURI().getRawPath());
                exchange.sendResponseHeaders(204, -1);
            }
        });
        upstream.start();
    }

    @AfterEach
    void stop() {
        upstream.stop(0);
    }

    /// @param more members of the definition
    private DefinedGateway gateway(String id, String path, String policies, String more) {
        return DefinedGateway.start(data, """
                {"id": "%s", "match": {"path": "%s"}, "policies": [%s]%s,
                 "upstream": {"targets": [{"url": "http://127.0.0.1:%d"}]}}""".formatted(
                        id, path, policies, more, upstream.getAddress().getPort()));
    }

    private static String get(DefinedGateway gateway, String path, String... fields) throws IOException {
        String more = fields.length == 0 ? "" : String.join("\r\n", fields) + "\r\n";
        return RawClient.exchange(
                gateway.address().getPort(),
                "GET " + path + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n" + more + "\r\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/admin;x=1", "/admin;", "/a;b/c", "/admin%3bx", "/admin%3B"})
    void where_rules_decide_by_the_path_they_are_refused(String path) throws IOException {
        try (DefinedGateway gateway = gateway("a", "/", BLOCK, "")) {
            assertThat(get(gateway, path)).startsWith("HTTP/1.1 400 ").contains("bad-path", "parameters");
            assertThat(get(gateway, "/open")).startsWith("HTTP/1.1 204 ");
            assertThat(arrived).containsExactly("/open");
        }
    }

    @Test
    void rules_of_who_may_do_what_decide_by_the_path_too() throws IOException {
        try (DefinedGateway gateway = gateway("a", "/", "{\"type\": \"key-auth\"}, " + RULE, "")) {
            assertThat(get(gateway, "/admin;x=1")).startsWith("HTTP/1.1 400 ");
            assertThat(arrived).isEmpty();
        }
    }

    @Test
    void schemas_that_are_chosen_by_the_path_decide_by_it_too() throws IOException {
        String select = "{\"type\": \"json-schema\", \"select\": [{\"paths\": [\"/items\"], \"schema\": false}]}";
        try (DefinedGateway gateway = gateway("a", "/", select, "")) {
            assertThat(get(gateway, "/items;x=1")).startsWith("HTTP/1.1 400 ").contains("bad-path");
            assertThat(arrived).isEmpty();
        }
    }

    @Test
    void schemas_that_are_chosen_by_the_method_alone_do_not() throws IOException {
        String select = "{\"type\": \"json-schema\", \"select\": [{\"methods\": [\"POST\"], \"schema\": false}]}";
        try (DefinedGateway gateway = gateway("a", "/", select, "")) {
            assertThat(get(gateway, "/items;x=1")).startsWith("HTTP/1.1 204 ");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"paths\": [\"/admin\"]}",
                "{\"paths\": [\"/admin\"], \"methods\": [\"GET\"]}",
                "{\"not\": {\"paths\": [\"/open\"]}}"
            })
    void conditions_of_policies_decide_by_the_path_too(String when) throws IOException {
        try (DefinedGateway gateway = gateway("a", "/", "{\"type\": \"key-auth\", \"when\": " + when + "}", "")) {
            assertThat(get(gateway, "/admin")).startsWith("HTTP/1.1 401 ");
            assertThat(get(gateway, "/admin;x=1")).startsWith("HTTP/1.1 400 ").contains("bad-path");
            assertThat(get(gateway, "/open")).startsWith("HTTP/1.1 204 ");
            assertThat(arrived).containsExactly("/open");
        }
    }

    @Test
    void where_nothing_decides_by_the_path_they_go_on_as_they_came() throws IOException {
        try (DefinedGateway gateway = gateway("a", "/", "", "")) {
            assertThat(get(gateway, "/maps;lat=1;long=2/x")).startsWith("HTTP/1.1 204 ");
            assertThat(arrived).containsExactly("/maps;lat=1;long=2/x");
        }
    }

    @Test
    void an_api_that_keeps_them_holds_its_rules_against_the_path_with_them() throws IOException {
        try (DefinedGateway gateway = gateway("a", "/", BLOCK, ", \"pathParameters\": \"keep\"")) {
            assertThat(get(gateway, "/admin")).startsWith("HTTP/1.1 403 ");
            assertThat(get(gateway, "/admin;x=1")).startsWith("HTTP/1.1 204 ");
            assertThat(arrived).containsExactly("/admin;x=1");
        }
    }

    @Test
    void an_api_that_strips_them_decides_and_forwards_without_them() throws IOException {
        try (DefinedGateway gateway = gateway("a", "/", BLOCK, ", \"pathParameters\": \"strip\"")) {
            assertThat(get(gateway, "/admin;x=1")).startsWith("HTTP/1.1 403 ");
            assertThat(get(gateway, "/maps;lat=1;long=2/x;y?z=;1")).startsWith("HTTP/1.1 204 ");
            assertThat(get(gateway, "/admin%3bx")).startsWith("HTTP/1.1 400 ");
            assertThat(get(gateway, "/a/;x/b")).startsWith("HTTP/1.1 400 ");
            assertThat(arrived).containsExactly("/maps/x");
            assertThat(explained(gateway, "/admin;x=1")).contains("\"status\":403");
        }
    }

    @Test
    void a_stripped_path_is_served_by_the_api_that_serves_it_without() throws IOException {
        try (DefinedGateway gateway = gateway("a", "/", "", ", \"pathParameters\": \"strip\"")) {
            gateway.admin().call("PUT", "/apis/b", """
                    {"match": {"path": "/closed"}, "upstream": {"targets": [{"url": "http://127.0.0.1:9"}]},
                     "policies": [{"type": "mock-response", "status": 451}]}""");

            assertThat(get(gateway, "/closed;x/y")).startsWith("HTTP/1.1 451 ");
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void a_key_that_opens_some_paths_opens_none_with_parameters_unless_the_api_keeps_them() throws Exception {
        try (DefinedGateway gateway = gateway("a", "/", "{\"type\": \"key-auth\"}", "")) {
            String some = key(gateway, "some", "{\"paths\": [{\"path\": \"/items\"}, {\"path\": \"/x;y\"}]}");
            String all = key(gateway, "all", "{}");

            assertThat(get(gateway, "/items/7", some)).startsWith("HTTP/1.1 204 ");
            assertThat(get(gateway, "/items/;/../x", some)).startsWith("HTTP/1.1 400 ");
            assertThat(get(gateway, "/items/7;v=1", some)).startsWith("HTTP/1.1 403 ");
            assertThat(get(gateway, "/items/7;v=1", all)).startsWith("HTTP/1.1 204 ");
            assertThat(arrived).containsExactly("/items/7", "/items/7;v=1");

            String kept = gateway.admin().call("GET", "/apis/a", "").toString();
            gateway.admin().call("PUT", "/apis/a", kept.replaceFirst("\\{", "{\"pathParameters\": \"keep\", "));
            assertThat(get(gateway, "/items/7;v=1", some)).startsWith("HTTP/1.1 204 ");
        }
    }

    /// Beside an API of all paths, which keeps parameters, as it says nothing.
    private DefinedGateway beside(String path, String policies, String more) throws Exception {
        DefinedGateway gateway = gateway("a", "/", "", "");
        gateway.admin().call("PUT", "/apis/b", """
                {"match": {"path": "%s"}, "policies": [%s]%s,
                 "upstream": {"targets": [{"url": "http://127.0.0.1:%d"}]}}""".formatted(
                        path, policies, more, upstream.getAddress().getPort()));
        return gateway;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/k;x/secret", "/k;/secret", "/;x/k/secret", "/k%3Bx/secret", "/k%3bx", "/k;x", "/%6b;x/secret"})
    void what_is_guarded_by_an_api_is_not_reached_around_it_through_another(String path) throws Exception {
        try (DefinedGateway gateway = beside("/k", "{\"type\": \"key-auth\"}", "")) {
            assertThat(get(gateway, "/k/secret")).startsWith("HTTP/1.1 401 ");
            assertThat(get(gateway, path)).startsWith("HTTP/1.1 400 ").contains("bad-path", "parameters");
            assertThat(explained(gateway, path)).contains("\"status\":400");
            assertThat(arrived).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", ", \"pathParameters\": \"strip\"", ", \"match\": {\"path\": \"/r\", \"methods\": [\"PUT\"]}"
            })
    void nor_around_one_that_refuses_or_strips_or_has_other_methods(String more) throws Exception {
        String definition = more.contains("match") ? more : ", \"match\": {\"path\": \"/r\"}" + more;
        try (DefinedGateway gateway = gateway("a", "/", "", "")) {
            gateway.admin().call("PUT", "/apis/r", """
                    {"policies": [%s], "upstream": {"targets": [{"url": "http://127.0.0.1:%d"}]}%s}""".formatted(
                            BLOCK, upstream.getAddress().getPort(), definition));

            assertThat(get(gateway, "/r;x/admin")).startsWith("HTTP/1.1 400 ");
            assertThat(get(gateway, "/r/;x/admin")).matches("(?s)HTTP/1.1 40[05] .*");
            assertThat(arrived).isEmpty();
        }
    }

    @Test
    void parameters_that_lead_around_nobody_go_on_as_they_came() throws Exception {
        try (DefinedGateway gateway = beside("/k", "{\"type\": \"key-auth\"}", "")) {
            assertThat(get(gateway, "/maps;lat=1/;x/y")).startsWith("HTTP/1.1 204 ");
            assertThat(get(gateway, "/kk;x")).startsWith("HTTP/1.1 204 ");
            assertThat(get(gateway, "/maps/k;x")).startsWith("HTTP/1.1 204 ");
            assertThat(arrived).containsExactly("/maps;lat=1/;x/y", "/kk;x", "/maps/k;x");
        }
    }

    @Test
    void an_api_that_keeps_them_by_choice_leaves_other_paths_to_others() throws Exception {
        try (DefinedGateway gateway = beside("/k", "{\"type\": \"key-auth\"}", ", \"pathParameters\": \"keep\"")) {
            assertThat(get(gateway, "/k;x/secret")).startsWith("HTTP/1.1 204 ");
            assertThat(arrived).containsExactly("/k;x/secret");
        }
    }

    private static final String OPERATIONS = """
            , "operations": [
                {"id": "admin", "match": {"path": "/admin"}, "policies": [{"type": "key-auth"}]},
                {"id": "item", "match": {"path": "/items/{id}"}, "policies": [{"type": "key-auth"}]}]""";

    @ParameterizedTest
    @ValueSource(strings = {"/admin;x", "/admin;", "/admin;x/y", "/;x/admin", "/admin%3Bx", "/items;x/7", "/%61dmin;x"})
    void nor_is_an_operation_passed_by(String path) throws IOException {
        try (DefinedGateway gateway = gateway("a", "/", "", OPERATIONS)) {
            assertThat(get(gateway, "/admin")).startsWith("HTTP/1.1 401 ");
            assertThat(get(gateway, path)).startsWith("HTTP/1.1 400 ").contains("bad-path", "parameters");
            assertThat(explained(gateway, path)).contains("\"status\":400");
            assertThat(get(gateway, "/items/7;v=1"))
                    .as("the same operation with and without")
                    .startsWith("HTTP/1.1 401 ");
            assertThat(get(gateway, "/maps;lat=1")).startsWith("HTTP/1.1 204 ");
            assertThat(arrived).containsExactly("/maps;lat=1");
        }
    }

    @Test
    void an_api_that_keeps_them_by_choice_has_no_operation_of_a_path_with_them() throws IOException {
        try (DefinedGateway gateway = gateway("a", "/", "", ", \"pathParameters\": \"keep\"" + OPERATIONS)) {
            assertThat(get(gateway, "/admin")).startsWith("HTTP/1.1 401 ");
            assertThat(get(gateway, "/admin;x")).startsWith("HTTP/1.1 204 ");
            assertThat(arrived).containsExactly("/admin;x");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v2;x/items", "/;x/v2/items", "/v2%3Bx/items", "/v2/items;x"})
    void nor_is_a_version(String path) throws IOException {
        try (DefinedGateway gateway = gateway("a", "/", "", """
                , "versions": {"in": "path", "default": "v1", "list": [
                    {"name": "v1"}, {"name": "v2", "policies": [{"type": "key-auth"}]}]}""")) {
            assertThat(get(gateway, "/v2/items")).startsWith("HTTP/1.1 401 ");
            assertThat(get(gateway, path)).startsWith("HTTP/1.1 40");
            assertThat(arrived).isEmpty();
        }
    }

    private static String key(DefinedGateway gateway, String id, String grant) throws Exception {
        String made = "{\"id\": \"%s\", \"apis\": {\"a\": %s}}".formatted(id, grant);
        return "Authorization: Bearer "
                + gateway.admin().call("POST", "/keys", made).get("secret").stringValue();
    }

    private static String explained(DefinedGateway gateway, String path) {
        try {
            return gateway.admin()
                    .call("POST", "/explain", "{\"path\": \"" + path + "\"}")
                    .toString();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
