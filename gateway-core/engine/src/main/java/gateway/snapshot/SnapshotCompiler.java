package gateway.snapshot;

import gateway.config.ApiDefinition;
import gateway.config.DefinitionReader;
import gateway.config.UpstreamDefinition;
import gateway.json.ConfigNode;
import gateway.json.ConfigProblem;
import gateway.json.InvalidConfigException;
import gateway.policy.Services;
import gateway.route.Route;
import gateway.route.RouteConflict;
import gateway.route.RouteTable;
import gateway.service.DefinitionSet;
import gateway.service.DocumentKind;
import gateway.service.Upstream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/// Makes snapshots from stored definitions.
public final class SnapshotCompiler {
    private final DefinitionReader reader;
    private final RouteCompiler routes;
    private final long mostCost;

    public SnapshotCompiler(
            DefinitionReader reader, Services services, Function<UpstreamDefinition, Upstream> upstreams) {
        this(reader, services, upstreams, Long.MAX_VALUE);
    }

    /// @param mostCost of all definitions together, as [ConfigNode#cost] counts it
    public SnapshotCompiler(
            DefinitionReader reader,
            Services services,
            Function<UpstreamDefinition, Upstream> upstreams,
            long mostCost) {
        this.reader = reader;
        this.routes = new RouteCompiler(services, upstreams);
        this.mostCost = mostCost;
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
        var others = new TreeMap<String, String>(); // so that all nodes leave out the same when all cost too much
        definitions.documents().forEach((document, source) -> {
            if (document.kind() != DocumentKind.APIS) return;
            String id = document.id();
            reused(previous, id, source).ifPresentOrElse(api -> apis.put(id, api), () -> others.put(id, source));
        });
        long cost = apis.values().stream().mapToLong(CompiledApi::cost).sum();
        for (Map.Entry<String, String> other : others.entrySet()) {
            Optional<CompiledApi> api = compileApi(other.getKey(), other.getValue(), cost, problems);
            api.ifPresent(compiled -> apis.put(other.getKey(), compiled));
            cost += api.map(CompiledApi::cost).orElse(0L);
        }
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

    /// @param cost of all compiled so far
    private Optional<CompiledApi> compileApi(String id, String source, long cost, List<ConfigProblem> problems) {
        try {
            var node = ConfigNode.parse(source);
            ApiDefinition api = reader.read(node);
            node.throwIfInvalid();
            requireId(id, api);
            requireRoom(cost + node.cost());
            var route = api.enabled() ? Optional.of(routes.compile(api)) : Optional.<Route>empty();
            return Optional.of(new CompiledApi(source, api, route, node.cost()));
        } catch (InvalidConfigException e) {
            for (ConfigProblem each : e.problems()) {
                problems.add(new ConfigProblem("/apis/" + id + each.pointer(), each.message()));
            }
            return Optional.empty();
        }
    }

    private static void requireId(String id, ApiDefinition api) {
        if (api.id().equals(id)) return;
        throw new InvalidConfigException("/id", "expected \"" + id + "\", got \"" + api.id() + "\"");
    }

    private void requireRoom(long cost) {
        if (cost <= mostCost) return;
        throw new InvalidConfigException(
                "/policies",
                "expected at most " + mostCost + " characters and instructions in the regular expressions of all"
                        + " definitions, got " + cost);
    }
}
