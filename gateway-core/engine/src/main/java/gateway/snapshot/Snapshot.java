package gateway.snapshot;

import gateway.json.ConfigProblem;
import gateway.route.RouteTable;
import java.util.List;
import java.util.Map;

/// The whole configuration at one moment: immutable, read once by each request.
///
/// @param revision the stored definitions' revision it was compiled from
/// @param apis every compiled API by id, in no order
/// @param problems of definitions that could not be compiled at start and are left out, under `/apis/<id>`
public record Snapshot(long revision, RouteTable table, Map<String, CompiledApi> apis, List<ConfigProblem> problems) {
    public static final Snapshot EMPTY = new Snapshot(0, RouteTable.of(List.of()), Map.of(), List.of());

    public Snapshot {
        problems = List.copyOf(problems);
    }
}
