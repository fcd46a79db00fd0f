package gateway.snapshot;

import gateway.config.DefinitionReader;
import gateway.config.TestPolicies;
import gateway.config.UpstreamDefinition;
import gateway.http.Exchanges;
import gateway.http.Headers;
import gateway.http.Response;
import gateway.http.UpstreamWaiter;
import gateway.pipeline.PipelineRun;
import gateway.policy.FakeServices;
import gateway.route.Route;
import gateway.route.RouteMatch;
import gateway.route.RouteVersions;
import gateway.service.DefinitionSet;
import gateway.service.Upstream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Compiles the API `orders` at `/orders`, whose upstreams answer with their location in `From`, under a manual clock.
/// Definitions have `'` for `"`.
final class VersionedApi {
    /// Two versions; the second has an upstream of its own, `http://second`.
    static final String LIST = "'list': [{'name': 'v1', 'policies': [{'type': 'pass'}]},"
            + " {'name': 'v2', 'upstream': {'targets': [{'url': 'http://second'}]}}]";

    final FakeServices services = new FakeServices();

    /// Locations of the upstreams in the order in which they were made.
    final List<String> made = new ArrayList<>();

    final SnapshotCompiler compiler =
            new SnapshotCompiler(new DefinitionReader(TestPolicies.registry()), services, this::upstream);

    private Upstream upstream(UpstreamDefinition definition) {
        String url = definition.targets().getFirst().url().toString();
        made.add(url);
        return (exchange, waiter) -> Response.of(200).with("From", url);
    }

    Snapshot compile(String fields) {
        return compiler.compile(
                DefinitionSet.ofApis(1, Map.of("orders", document("orders", "/orders", fields))), Snapshot.EMPTY);
    }

    static Route route(Snapshot snapshot, String path) {
        return ((RouteMatch.Found) snapshot.table().match("h", path, "GET")).route();
    }

    static RouteVersions versions(Snapshot snapshot) {
        RouteVersions versions = route(snapshot, "/orders").versions();
        if (versions == null) throw new AssertionError("no versions");
        return versions;
    }

    /// Where `path`, which names no version, leads to.
    static Route unnamed(Snapshot snapshot, String path) {
        RouteVersions versions = route(snapshot, path).versions();
        if (versions == null) throw new AssertionError("no choice on " + path);
        return versions.choose(path, Headers.create(), "");
    }

    static Route chosen(RouteVersions versions, String... values) {
        Headers headers = Headers.create();
        for (String value : values) headers.add("v", value);
        return versions.choose("/orders", headers, "");
    }

    static Response run(Route route) {
        return route.pipeline().run(Exchanges.get("/orders").make(), new PipelineRun(UpstreamWaiter.NOBODY));
    }

    static String answer(Route route) {
        return run(route).headers().first("From").orElseThrow();
    }

    static String problem(Route route) {
        Response response = run(route);
        return response.status() + text(response);
    }

    static String text(Response response) {
        return new String(response.body().bytes(10_000), StandardCharsets.UTF_8);
    }

    static String document(String id, String path, String fields) {
        return ("{'id': '" + id + "', 'match': {'path': '" + path
                        + "'}, 'upstream': {'targets': [{'url': 'http://first'}]}, " + fields + "}")
                .replace('\'', '"');
    }
}
