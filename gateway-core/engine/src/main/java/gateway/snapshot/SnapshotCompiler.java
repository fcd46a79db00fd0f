package gateway.snapshot;

import gateway.config.ApiDefinition;
import gateway.config.DefinitionReader;
import gateway.config.PolicySet;
import gateway.config.PolicySetTable;
import gateway.config.References;
import gateway.config.UpstreamDefinition;
import gateway.config.UsedSets;
import gateway.json.ConfigNode;
import gateway.json.ConfigProblem;
import gateway.json.InvalidConfigException;
import gateway.key.Plan;
import gateway.policy.Services;
import gateway.route.Route;
import gateway.route.RouteConflict;
import gateway.route.RouteTable;
import gateway.service.DefinitionSet;
import gateway.service.DocumentId;
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
    private final Services services;
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
        this.services = services;
        this.routes = new RouteCompiler(upstreams);
        this.mostCost = mostCost;
    }

    /// A snapshot of `definitions`, taking over from `previous` what has the same text and names the same.
    ///
    /// @throws InvalidConfigException with every problem of every document, each under `/<kind>/<id>`
    public Snapshot compile(DefinitionSet definitions, Snapshot previous) {
        Snapshot snapshot = compileLeniently(definitions, previous);
        if (!snapshot.problems().isEmpty()) throw new InvalidConfigException(snapshot.problems());
        return snapshot;
    }

    /// The same for a start without a predecessor: what cannot be compiled is left out and named in the snapshot's
    /// problems. A policy set that is left out leaves out every API that uses it: no policy is dropped alone.
    public Snapshot compileLeniently(DefinitionSet definitions, Snapshot previous) {
        try (var _ = services.parts().making()) {
            return made(definitions, previous);
        }
    }

    /// What APIs name of other documents.
    private record Referred(PolicySetTable sets, SecretTable secrets, ResourceTable resources) {
        ReferenceProblems problems(References references) {
            return new ReferenceProblems(references, secrets, resources);
        }

        /// What sets and the global policies name and cannot have, whether an API uses them or not.
        List<ConfigProblem> ofPolicies() {
            var problems = new ArrayList<ConfigProblem>();
            for (PolicySet set : sets.all()) {
                String place = new DocumentId(DocumentKind.POLICY_SETS, set.id()).pointer();
                problems.addAll(problems(set.references()).under(place));
            }
            sets.global()
                    .ifPresent(global ->
                            problems.addAll(problems(global.references()).under(DocumentId.GLOBAL.pointer())));
            return problems;
        }
    }

    private Snapshot made(DefinitionSet definitions, Snapshot previous) {
        PolicySetTable sets =
                reader.readSets(sets(definitions), definitions.text(DocumentId.GLOBAL), previous.sets(), mostCost);
        var secrets = new SecretTable(definitions, services.secrets());
        var resources = new ResourceTable(definitions, services.contents());
        var problems = new ArrayList<>(sets.problems());
        problems.addAll(secrets.problems());
        problems.addAll(resources.problems());
        var referred = new Referred(sets, secrets, resources);
        problems.addAll(referred.ofPolicies());
        Map<String, Plan> plans = PlanReader.read(definitions, problems);
        var leftOut = new ArrayList<Route>();
        var apis =
                HashMap.<String, CompiledApi>newHashMap(definitions.documents().size());
        var others = new TreeMap<String, String>(); // so that all nodes leave out the same when all cost too much
        definitions.documents().forEach((document, source) -> {
            if (document.kind() != DocumentKind.APIS) return;
            String id = document.id();
            reused(previous, id, source, referred)
                    .ifPresentOrElse(api -> apis.put(id, api), () -> others.put(id, source));
        });
        long cost = sets.cost()
                + apis.values().stream().mapToLong(CompiledApi::cost).sum();
        for (Map.Entry<String, String> other : others.entrySet()) {
            Optional<CompiledApi> api = compileApi(other.getKey(), other.getValue(), referred, cost, problems, leftOut);
            api.ifPresent(compiled -> apis.put(other.getKey(), compiled));
            cost += api.map(CompiledApi::cost).orElse(0L);
        }
        problems.sort(Comparator.comparing(ConfigProblem::pointer));
        RouteTable table = table(apis, leftOut, problems);
        return new Snapshot(
                definitions.revision(),
                table,
                Collections.unmodifiableMap(apis),
                sets,
                plans,
                problems,
                secrets.files());
    }

    private static Map<String, String> sets(DefinitionSet definitions) {
        var texts = new HashMap<String, String>();
        definitions.documents().forEach((document, source) -> {
            if (document.kind() == DocumentKind.POLICY_SETS) texts.put(document.id(), source);
        });
        return texts;
    }

    /// Routes are sorted only to tell conflicts, where the earlier id wins: sorting thousands would be most of a small
    /// change's cost. What was left out comes last, and gives way to what is not.
    private static RouteTable table(Map<String, CompiledApi> apis, List<Route> leftOut, List<ConfigProblem> problems) {
        var conflicts = new ArrayList<RouteConflict>();
        var routes = new ArrayList<Route>(apis.size());
        for (CompiledApi api : apis.values()) api.route().ifPresent(routes::add);
        int complete = routes.size();
        routes.addAll(leftOut);
        RouteTable table = RouteTable.build(routes, conflicts);
        if (conflicts.isEmpty()) return table;
        conflicts.clear();
        routes.subList(0, complete)
                .sort(Comparator.comparing(route -> route.api().id()));
        RouteTable inOrder = RouteTable.build(routes, conflicts);
        for (RouteConflict conflict : conflicts) {
            if (apis.containsKey(conflict.api()))
                problems.add(new ConfigProblem("/apis/" + conflict.api() + "/match", conflict.toString()));
        }
        return inOrder;
    }

    private static Optional<CompiledApi> reused(Snapshot previous, String id, String source, Referred referred) {
        PolicySetTable sets = referred.sets();
        return Optional.ofNullable(previous.apis().get(id))
                .filter(api -> api.source().equals(source)
                        && api.uses().stream().allMatch(sets::has)
                        && api.global().filter(global -> !sets.has(global)).isEmpty()
                        && referred.secrets().have(api.secrets())
                        && referred.resources().have(api.resources()));
    }

    /// @param cost of all compiled so far
    /// @param leftOut gains what serves in its place when it cannot be compiled
    private Optional<CompiledApi> compileApi(
            String id, String source, Referred referred, long cost, List<ConfigProblem> problems, List<Route> leftOut) {
        try {
            var node = ConfigNode.parse(source, DocumentId.api(id).toString());
            var used = new UsedSets(referred.sets());
            ApiDefinition api = reader.read(node, used);
            try {
                node.throwIfInvalid();
                return Optional.of(compiled(id, source, api, used, referred, cost, node));
            } catch (InvalidConfigException e) {
                List<ConfigProblem> placed =
                        referred.problems(References.of(node)).with(e.problems());
                LeftOut.route(api, placed, services).ifPresent(leftOut::add);
                throw new InvalidConfigException(placed);
            }
        } catch (InvalidConfigException e) {
            String place = DocumentId.api(id).pointer();
            for (ConfigProblem each : e.problems()) {
                problems.add(new ConfigProblem(place + each.pointer(), each.message()));
            }
            return Optional.empty();
        }
    }

    private CompiledApi compiled(
            String id, String source, ApiDefinition api, UsedSets used, Referred referred, long cost, ConfigNode node) {
        requireId(id, api);
        requireRoom(cost + node.cost());
        var holding = new HoldingServices(services, referred.secrets(), referred.resources());
        var route = api.enabled() ? Optional.of(routes.compile(api, holding)) : Optional.<Route>empty();
        holding.ask(References.of(node));
        return new CompiledApi(
                source,
                api,
                route,
                used.found(),
                used.foundGlobal(),
                holding.usedSecrets(),
                holding.usedResources(),
                holding.held(),
                node.cost());
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
