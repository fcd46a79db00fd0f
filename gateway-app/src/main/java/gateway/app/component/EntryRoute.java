package gateway.app.component;

import gateway.config.ApiDefinition;
import gateway.config.DefinitionReader;
import gateway.config.PolicyRegistry;
import gateway.config.PolicySetTable;
import gateway.http.PathPattern;
import gateway.pipeline.Pipeline;
import gateway.route.Route;
import gateway.route.RouteTable;
import gateway.service.ApiMeters;
import gateway.service.Upstream;
import gateway.snapshot.CompiledApi;
import gateway.snapshot.Snapshot;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The one route of the cache component.
public final class EntryRoute {
    public static final String ID = "cache";

    /// Its upstream is a name that nobody asks for: what answers is in this process.
    private static final String DEFINITION = """
            {"id": "cache", "name": "Cache", "match": {"path": "/cache"}, "maxBodySize": "4MiB",
             "upstream": {"targets": [{"url": "http://cache.invalid"}]}, "trafficLog": false}
            """;

    private EntryRoute() {}

    public static Snapshot snapshot(Upstream answers, ApiMeters meters) {
        ApiDefinition definition = new DefinitionReader(PolicyRegistry.of(List.of())).read(DEFINITION);
        var route =
                new Route(definition, PathPattern.of(definition.match().path()), Pipeline.straight(answers, meters));
        var api = new CompiledApi(DEFINITION, definition, Optional.of(route));
        return new Snapshot(
                1, RouteTable.of(List.of(route)), Map.of(ID, api), PolicySetTable.EMPTY, Map.of(), List.of());
    }
}
