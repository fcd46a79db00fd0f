package gateway.route;

import java.util.Set;

/// What the route table says to a request.
public sealed interface RouteMatch {
    record Found(Route route) implements RouteMatch {}

    record NotFound() implements RouteMatch {}

    /// The path is served, but not with this method.
    ///
    /// @param allowed for the `Allow` header
    record WrongMethod(Set<String> allowed) implements RouteMatch {}
}
