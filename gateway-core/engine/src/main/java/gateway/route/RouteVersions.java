package gateway.route;

import gateway.config.PathParameters;
import gateway.http.Headers;
import gateway.http.Query;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The routes of an API with versions, and which of them a request asks for. A request that asks for none, or for none
/// that there is, has a route too: one that refuses it.
public sealed interface RouteVersions {
    /// The routes by the name of their version, in the order of the definition.
    Map<String, Route> named();

    /// @param path canonical
    /// @param query as sent, without `?`
    Route choose(String path, Headers headers, String query);

    /// Routes with a place of their own in the table.
    default List<Route> placed() {
        return List.of();
    }

    /// Where requests go that name no version.
    ///
    /// @param missing when they name none
    /// @param unknown when there is none of that name
    /// @param ambiguous when the gateway and the upstream may not read the same
    record Otherwise(Route missing, Route unknown, Route ambiguous) {}

    /// By the value of the one header `name`.
    record ByHeader(String name, Map<String, Route> named, Otherwise otherwise) implements RouteVersions {
        public ByHeader {
            named = ordered(named);
        }

        @Override
        public Route choose(String path, Headers headers, String query) {
            List<String> values = headers.all(name);
            if (values.isEmpty()) return otherwise.missing();
            if (values.size() > 1) return otherwise.ambiguous();
            String value = values.getFirst();
            Route found = named.get(value);
            if (found != null) return found;
            return value.indexOf(',') < 0 ? otherwise.unknown() : otherwise.ambiguous(); // two lines joined to one
        }
    }

    /// By the value of the one query parameter `name`. Names of versions and of the parameter need no percent-encoding:
    /// where there is any, it hides something from somebody.
    record ByQuery(String name, Map<String, Route> named, Otherwise otherwise) implements RouteVersions {
        public ByQuery {
            named = ordered(named);
        }

        @Override
        public Route choose(String path, Headers headers, String query) {
            int at = Query.find(query, name, 0);
            if (at < 0) return otherwise.missing();
            int end = Query.end(query, at);
            if (Query.find(query, name, end + 1) >= 0 || !query.startsWith(name, at)) return otherwise.ambiguous();
            String value = query.substring(Math.min(at + name.length() + 1, end), end);
            Route found = named.get(value);
            if (found != null) return found;
            boolean encoded = value.indexOf('%') >= 0 || value.indexOf('+') >= 0;
            return encoded ? otherwise.ambiguous() : otherwise.unknown();
        }
    }

    /// By the segment behind the path of the match: the table has found the version already.
    ///
    /// @param unnamed for paths that name none
    /// @param ambiguous for those that name one with path parameters (`/v1;x`, `/;x/v1`), which some servers
    /// take off
    record ByPath(Map<String, Route> named, Route unnamed, Route ambiguous) implements RouteVersions {
        public ByPath {
            named = ordered(named);
        }

        @Override
        public Route choose(String path, Headers headers, String query) {
            String below = unnamed.path().below(path);
            if (below.indexOf(';') < 0) return unnamed;
            String bare = PathParameters.barest(below);
            int end = bare.indexOf('/', 1);
            return named.containsKey(bare.substring(1, end < 0 ? bare.length() : end)) ? ambiguous : unnamed;
        }

        @Override
        public List<Route> placed() {
            return List.copyOf(named.values());
        }
    }

    private static Map<String, Route> ordered(Map<String, Route> named) {
        return Collections.unmodifiableMap(new LinkedHashMap<>(named));
    }
}
