package gateway.route;

import gateway.config.PathParameters;
import gateway.http.CanonicalPath;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Which route serves a request: exact host before `*.` host (longest first) before any host; then the longest path
/// prefix, of two as long the one whose literal segments come first; then the method. Lookup cost follows the length of
/// host and path, not the number of routes.
public final class RouteTable {
    static final RouteMatch NOT_FOUND = new RouteMatch.NotFound();

    private final Map<String, PathTree> exactHosts = new HashMap<>();
    private final Map<String, PathTree> hostSuffixes = new HashMap<>(); // ".example.org"
    private final PathTree anyHost = new PathTree();

    private RouteTable() {}

    /// @throws IllegalArgumentException when two routes have the same match
    public static RouteTable of(Collection<Route> routes) {
        var conflicts = new ArrayList<RouteConflict>();
        RouteTable table = build(routes, conflicts);
        if (!conflicts.isEmpty()) throw new IllegalArgumentException(conflicts.toString());
        return table;
    }

    /// A table of `routes`, the earlier of two with the same host, path and method winning; each such pair is added to
    /// `conflicts`.
    public static RouteTable build(Collection<Route> routes, List<RouteConflict> conflicts) {
        var table = new RouteTable();
        for (Route route : routes) {
            table.add(route, conflicts);
            if (route.versions() == null) continue;
            for (Route version : route.versions().placed()) table.add(version, conflicts);
        }
        return table;
    }

    private void add(Route route, List<RouteConflict> conflicts) {
        List<String> hosts = route.api().match().hosts();
        if (hosts.isEmpty()) anyHost.add(route, "any host", conflicts);
        for (String host : hosts) treeOf(host).add(route, host, conflicts);
    }

    private PathTree treeOf(String host) {
        if (host.startsWith("*.")) return hostSuffixes.computeIfAbsent(host.substring(1), h -> new PathTree());
        return exactHosts.computeIfAbsent(host, h -> new PathTree());
    }

    /// @param host lower case, without port
    /// @param path canonical, begins with `/`
    public RouteMatch match(String host, String path, String method) {
        if (!exactHosts.isEmpty()) {
            MethodRoutes found = find(exactHosts.get(host), path);
            if (found != null) return found.match(method);
        }
        if (!hostSuffixes.isEmpty()) {
            for (int dot = host.indexOf('.'); dot > 0; dot = host.indexOf('.', dot + 1)) {
                MethodRoutes found = find(hostSuffixes.get(host.substring(dot)), path);
                if (found != null) return found.match(method);
            }
        }
        MethodRoutes found = anyHost.find(path);
        return found == null ? NOT_FOUND : found.match(method);
    }

    /// Whether a request passes by an API or an operation: without the `;` parameters in its path it would be for
    /// another one, and the API has not chosen to keep them. An upstream that takes them off before it looks reads
    /// what the other one guards.
    ///
    /// @param path canonical
    /// @param raw the same as sent
    public boolean passesBy(Route found, String host, String path, String raw, String method) {
        if (path.indexOf(';') < 0) return false;
        return switch (CanonicalPath.of(PathParameters.barest(raw))) {
            case CanonicalPath.Refused _ -> true;
            case CanonicalPath.Canonical bare ->
                switch (match(host, bare.path(), method)) {
                    case RouteMatch.NotFound _ -> false;
                    case RouteMatch.WrongMethod _ -> true; // another one's path: `found` serves the method
                    case RouteMatch.Found(Route other) ->
                        !other.api().pathParameters().areKeptByChoice()
                                && (!other.api().id().equals(found.api().id())
                                        || passesByOperation(found, path, other, bare.path(), method));
                };
        };
    }

    /// Whether in `route`, or in one of its versions, two paths are for different operations. Versions that are chosen
    /// by the path, of which one is `other`, see to themselves.
    @SuppressWarnings("ReferenceEquality") // whether it is the very same route that serves both
    private static boolean passesByOperation(Route route, String path, Route other, String bare, String method) {
        if (route != other) return false;
        for (Route each : route.leading()) if (each.of(path, method) != each.of(bare, method)) return true;
        return false;
    }

    private static @Nullable MethodRoutes find(@Nullable PathTree tree, String path) {
        return tree == null ? null : tree.find(path);
    }
}
