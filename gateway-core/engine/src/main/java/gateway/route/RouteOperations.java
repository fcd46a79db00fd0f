package gateway.route;

import gateway.config.OperationDefinition;
import gateway.http.PathPattern;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The operations of a route: the requests that are led another way than the others. The longest path that is there
/// with the method wins, of two as long the one whose literal segments come first; a lookup makes no object.
public final class RouteOperations {
    private static final String GET = "GET";
    private static final String HEAD = "HEAD";

    private final Map<OperationDefinition, Route> routes;
    private final Node root = new Node(0);

    /// @param routes of each operation, which differ in their policies only
    public RouteOperations(Map<OperationDefinition, Route> routes) {
        this.routes = Map.copyOf(routes);
        routes.forEach((operation, route) -> {
            Node node = root;
            for (String segment : PathPattern.of(operation.path()).segments()) node = node.child(segment);
            node.add(operation, route);
        });
    }

    RouteOperations at(PathPattern path, ForwardedPath forwarded) {
        var moved = new HashMap<OperationDefinition, Route>();
        routes.forEach((operation, route) -> moved.put(operation, route.at(path, forwarded)));
        return new RouteOperations(moved);
    }

    /// The route of the operation that a request is for; `route` when it is for none.
    ///
    /// @param path canonical, which the path of `route` covers
    Route choose(Route route, String path, String method) {
        Found found = root.deepest(path, route.path().matchedLength(path), method);
        return found == null ? route : found.route();
    }

    private record Found(Route route, int depth) {}

    private static final class Node {
        private final Segments<Node> literals = new Segments<>();
        private final Map<String, Found> byMethod = new HashMap<>();
        private final int depth;
        private @Nullable Node parameter;
        private @Nullable Found everyMethod;

        Node(int depth) {
            this.depth = depth;
        }

        Node child(String segment) {
            if (!PathPattern.isParameter(segment)) return literals.computeIfAbsent(segment, () -> new Node(depth + 1));
            if (parameter == null) parameter = new Node(depth + 1);
            return parameter;
        }

        void add(OperationDefinition operation, Route route) {
            var found = new Found(route, depth);
            if (operation.methods().isEmpty()) everyMethod = found;
            for (String method : operation.methods()) byMethod.put(method, found);
        }

        @Nullable
        Found deepest(String path, int begin, String method) {
            Found best = found(method);
            if (begin + 1 >= path.length()) return best;
            int slash = path.indexOf('/', begin + 1);
            int end = slash < 0 ? path.length() : slash;
            Node literal = literals.get(path, begin + 1, end);
            if (literal != null) best = deeperOf(best, literal.deepest(path, end, method));
            if (parameter != null && end > begin + 1) best = deeperOf(best, parameter.deepest(path, end, method));
            return best;
        }

        private @Nullable Found found(String method) {
            Found found = byMethod.get(method);
            if (found == null && method.equals(HEAD)) found = byMethod.get(GET);
            return found == null ? everyMethod : found;
        }

        private static @Nullable Found deeperOf(@Nullable Found a, @Nullable Found b) {
            if (b == null) return a;
            return a == null || b.depth() > a.depth() ? b : a;
        }
    }
}
