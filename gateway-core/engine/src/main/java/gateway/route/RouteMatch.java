package gateway.route;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// What the route table says to a request.
public sealed interface RouteMatch {
    record Found(Route route) implements RouteMatch {}

    record NotFound() implements RouteMatch {}

    /// The path is served, but not with this method.
    ///
    /// @param allowed for the `Allow` header
    record WrongMethod(Set<String> allowed) implements RouteMatch {
        private static final List<String> USUAL =
                List.of("DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"); // of all there are

        /// What an API serves that has these methods.
        ///
        /// @param methods empty: every method
        public static WrongMethod of(Set<String> methods) {
            var allowed = new TreeSet<String>(methods.isEmpty() ? USUAL : methods);
            if (allowed.contains("GET")) allowed.add("HEAD");
            return new WrongMethod(allowed);
        }
    }
}
