package gateway.snapshot;

import gateway.config.ApiDefinition;
import gateway.config.DefinitionReader;
import gateway.config.UpstreamDefinition;
import gateway.json.ConfigProblem;
import gateway.json.InvalidConfigException;
import gateway.policy.Services;
import gateway.route.Route;
import gateway.route.RouteConflict;
import gateway.route.RouteTable;
import gateway.service.DefinitionSet;
import gateway.service.Upstream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// Makes snapshots from stored definitions.
public final class SnapshotCompiler {
    private final DefinitionReader reader;
    private final RouteCompiler routes;

    public SnapshotCompiler(
            DefinitionReader reader, Services services, Function<UpstreamDefinition, Upstream> upstreams) {
        this.reader = reader;
        this.routes = new RouteCompiler(services, upstreams);
    }

    /// A snapshot of `definitions`, taking over from `previous` what has the same text.
    ///
    /// @throws InvalidConfigException with every problem of every definition, each under `/apis/<id>`;
    /// `previous` goes on
    public Snapshot compile(DefinitionSet definitions, Snapshot previous) {
        Snapshot snapshot = compileLeniently(definitions, previous);
        if (!snapshot.problems().isEmpty()) throw new InvalidConfigException(snapshot.problems());
        return snapshot;
    }

    /// The same for a start without a predecessor: what cannot be compiled is left out and named in the snapshot's
    /// problems.
    public Snapshot compileLeniently(DefinitionSet definitions, Snapshot previous) {
        var problems = new ArrayList<ConfigProblem>();
        var apis =
                HashMap.<String, CompiledApi>newHashMap(definitions.documents().size());
        definitions
                .documents()
                .forEach((id, source) -> reused(previous, id, source)
                        .or(() -> compileApi(id, source, problems))
                        .ifPresent(api -> apis.put(id, api)));
        problems.sort(Comparator.comparing(ConfigProblem::pointer));
        RouteTable table = table(apis, problems);
        return new Snapshot(definitions.revision(), table, Collections.unmodifiableMap(apis), problems);
    }

    /// Routes are sorted only to tell conflicts, where the earlier id wins: sorting thousands would be most of a small
    /// change's cost.
    private static RouteTable table(Map<String, CompiledApi> apis, List<ConfigProblem> problems) {
        var conflicts = new ArrayList<RouteConflict>();
        var routes = new ArrayList<Route>(apis.size());
        for (CompiledApi api : apis.values()) api.route().ifPresent(routes::add);
        RouteTable table = RouteTable.build(routes, conflicts);
        if (conflicts.isEmpty()) return table;
        conflicts.clear();
        routes.sort(Comparator.comparing(route -> route.api().id()));
        RouteTable inOrder = RouteTable.build(routes, conflicts);
        for (RouteConflict conflict : conflicts) {
            problems.add(new ConfigProblem("/apis/" + conflict.api() + "/match", conflict.toString()));
        }
        return inOrder;
    }

    private static Optional<CompiledApi> reused(Snapshot previous, String id, String source) {
        return Optional.ofNullable(previous.apis().get(id))
                .filter(api -> api.source().equals(source));
    }

    private Optional<CompiledApi> compileApi(String id, String source, List<ConfigProblem> problems) {
        try {
            ApiDefinition api = reader.read(source);
            if (api.id().equals(id))
                return Optional.of(new CompiledApi(
                        source, api, api.enabled() ? Optional.of(routes.compile(api)) : Optional.empty()));
            problems.add(new ConfigProblem("/apis/" + id + "/id", "expected \"" + id + "\", got \"" + api.id() + "\""));
        } catch (InvalidConfigException e) {
            for (ConfigProblem each : e.problems()) {
                problems.add(new ConfigProblem("/apis/" + id + each.pointer(), each.message()));
            }
        }
        return Optional.empty();
    }
}
