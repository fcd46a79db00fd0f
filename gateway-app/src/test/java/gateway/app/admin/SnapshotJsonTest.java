package gateway.app.admin;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.config.DefinitionReader;
import gateway.config.PolicyRegistry;
import gateway.http.Response;
import gateway.json.Json;
import gateway.policy.FakeServices;
import gateway.service.DefinitionSet;
import gateway.snapshot.Snapshot;
import gateway.snapshot.SnapshotCompiler;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class SnapshotJsonTest {
    private static final String OWN = "'key:rate-limit', 'key:quota'";
    private static final String MATCH = "'hosts': [], 'path': '/orders', 'methods': []";
    private static final String LIST =
            "'list': [{'name': 'v1', 'policies': [{'type': 'quota', 'requests': 1, 'per': '1d'}]},"
                    + " {'name': 'v2', 'upstream': {'targets': [{'url': 'http://second'}]}}]";

    @Test
    void tells_what_each_version_does() {
        assertThat(routes("'versions': {'in': 'path', 'default': 'v2', " + LIST + "}"))
                .isEqualTo(expected(
                        MATCH + ", 'default': 'v2', 'steps': ['key-auth', " + OWN + "], 'targets': ['http://second'],"
                                + " 'versions': [{'name': 'v1', 'path': '/orders/v1', 'steps': ['key-auth', 'v1/quota', "
                                + OWN + "],"
                                + " 'targets': ['http://first']}, {'name': 'v2', 'path': '/orders/v2',"
                                + " 'steps': ['key-auth', " + OWN + "], 'targets': ['http://second']}]"));
    }

    @Test
    void has_no_way_for_requests_that_must_name_a_version() {
        assertThat(routes("'versions': {'in': 'query', 'name': 'v', 'list': [{'name': 'v1'}]}"))
                .isEqualTo(expected(MATCH + ", 'versions': [{'name': 'v1', 'path': '/orders', 'steps': ['key-auth', "
                        + OWN + "]," + " 'targets': ['http://first']}]"));
    }

    @Test
    void has_one_way_for_an_api_without_versions() {
        assertThat(routes("'enabled': true"))
                .isEqualTo(expected(MATCH + ", 'steps': ['key-auth', " + OWN + "], 'targets': ['http://first']"));
    }

    @Test
    void tells_what_requests_of_operations_go_through_besides() {
        assertThat(routes("'operations': [{'id': 'pay', 'match': {'path': '/pay', 'methods': ['POST', 'PUT']},"
                        + " 'policies': [{'type': 'ip-filter', 'allow': ['10.0.0.0/8']}]}]"))
                .isEqualTo(expected(MATCH + ", 'steps': ['key-auth', " + OWN + "], 'targets': ['http://first'],"
                        + " 'operations': [{'id': 'pay', 'path': '/pay', 'methods': ['POST', 'PUT'],"
                        + " 'steps': ['op:pay/ip-filter', 'key-auth', " + OWN + "]}]"));
    }

    private static String routes(String fields) {
        String api = "{'id': 'orders', 'match': {'path': '/orders'}, 'policies': [{'type': 'key-auth'}],"
                + " 'upstream': {'targets': [{'url': 'http://first'}]}, " + fields + "}";
        var compiler = new SnapshotCompiler(
                new DefinitionReader(PolicyRegistry.load()),
                new FakeServices(),
                definition -> (exchange, waiter) -> Response.of(200));
        Snapshot snapshot =
                compiler.compile(DefinitionSet.ofApis(1, Map.of("orders", api.replace('\'', '"'))), Snapshot.EMPTY);
        return SnapshotJson.of(snapshot).path("routes").toPrettyString();
    }

    private static String expected(String fields) {
        return Json.parse(("[{'id': 'orders', 'name': 'orders', " + fields + "}]").replace('\'', '"'))
                .toPrettyString();
    }
}
