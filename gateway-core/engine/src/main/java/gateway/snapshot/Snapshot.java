package gateway.snapshot;

import gateway.config.PolicySetTable;
import gateway.json.ConfigProblem;
import gateway.key.Plan;
import gateway.route.RouteTable;
import gateway.service.Upstream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// The whole configuration at one moment: immutable, read once by each request.
///
/// @param revision the stored definitions' revision it was compiled from
/// @param apis every compiled API by id, in no order
/// @param sets every policy set that could be read
/// @param plans every plan that could be read, by id
/// @param problems of documents that could not be compiled at start and are left out, under `/<kind>/<id>`
/// @param secretFiles that documents name, those among them that are left out for want of one
public record Snapshot(
        long revision,
        RouteTable table,
        Map<String, CompiledApi> apis,
        PolicySetTable sets,
        Map<String, Plan> plans,
        List<ConfigProblem> problems,
        Set<String> secretFiles) {
    public static final Snapshot EMPTY =
            new Snapshot(0, RouteTable.of(List.of()), Map.of(), PolicySetTable.EMPTY, Map.of(), List.of());

    public Snapshot {
        plans = Map.copyOf(plans);
        problems = List.copyOf(problems);
        secretFiles = Set.copyOf(secretFiles);
    }

    /// One whose documents name no secret files.
    public Snapshot(
            long revision,
            RouteTable table,
            Map<String, CompiledApi> apis,
            PolicySetTable sets,
            Map<String, Plan> plans,
            List<ConfigProblem> problems) {
        this(revision, table, apis, sets, plans, problems, Set.of());
    }

    public Optional<Plan> plan(String id) {
        return Optional.ofNullable(plans.get(id));
    }

    /// Where the requests of each API go, by the API's id.
    public SortedMap<String, List<Upstream>> upstreams() {
        var found = new TreeMap<String, List<Upstream>>();
        apis.forEach((id, api) -> found.put(id, api.upstreams()));
        return found;
    }
}
