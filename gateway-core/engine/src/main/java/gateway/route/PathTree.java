package gateway.route;

import gateway.http.PathPattern;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The path prefixes of one host as a tree of segments. A lookup reads the path once, segment by segment, and makes no
/// object.
final class PathTree {
    private final Node root = new Node();

    void add(Route route, String host, List<RouteConflict> conflicts) {
        Node node = root;
        for (String segment : route.path().segments()) node = node.child(segment);
        MethodRoutes methods = node.methods;
        if (methods == null) node.methods = methods = new MethodRoutes();
        methods.add(route, host, conflicts);
    }

    /// The methods at the longest prefix of `path`.
    @Nullable
    MethodRoutes find(String path) {
        Node best = root.deepest(path, 0);
        return best == null ? null : best.methods;
    }

    private static final class Node {
        private final Segments<Node> literals = new Segments<>();
        private @Nullable Node parameter;
        private @Nullable MethodRoutes methods;
        private int depth;

        Node child(String segment) {
            if (!PathPattern.isParameter(segment)) return literals.computeIfAbsent(segment, this::deeper);
            if (parameter == null) parameter = deeper();
            return parameter;
        }

        private Node deeper() {
            var child = new Node();
            child.depth = depth + 1;
            return child;
        }

        /// The deepest node with methods on the way of `path` from `begin`, where a slash or the end stands; of two as
        /// deep the one reached over literals. Each node is visited at most once: the tree bounds the cost.
        @Nullable
        Node deepest(String path, int begin) {
            Node best = methods == null ? null : this;
            if (begin + 1 >= path.length()) return best;
            int slash = path.indexOf('/', begin + 1);
            int end = slash < 0 ? path.length() : slash;
            Node literal = literals.get(path, begin + 1, end);
            if (literal != null) best = deeperOf(best, literal.deepest(path, end));
            if (parameter != null && end > begin + 1) best = deeperOf(best, parameter.deepest(path, end));
            return best;
        }

        private static @Nullable Node deeperOf(@Nullable Node a, @Nullable Node b) {
            if (b == null) return a;
            return a == null || b.depth > a.depth ? b : a;
        }
    }
}
