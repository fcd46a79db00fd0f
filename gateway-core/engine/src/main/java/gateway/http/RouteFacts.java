package gateway.http;

import java.util.Optional;

/// What the route that a request has found says about its path: which API serves it, and what lies below the API's
/// prefix.
public interface RouteFacts extends Forwarding {
    /// Of a request that no API serves.
    RouteFacts NONE = of("", PathPattern.of("/"));

    /// Of an API without versions, found by `prefix`, which the upstream is sent too.
    static RouteFacts of(String apiId, PathPattern prefix) {
        return new RouteFacts() {
            @Override
            public String apiId() {
                return apiId;
            }

            @Override
            public String versionName() {
                return "";
            }

            @Override
            public boolean covers(String path) {
                return prefix.covers(path);
            }

            @Override
            public String below(String path) {
                return prefix.below(path);
            }

            @Override
            public Optional<String> pathParameter(String name, String path) {
                return prefix.parameter(name, path);
            }

            @Override
            public String forwardedPath(String rawPath) {
                return rawPath;
            }
        };
    }

    /// The id of the API definition; empty when no API serves the request.
    String apiId();

    /// The version of the API; empty when it has none.
    String versionName();

    /// Whether the path may hold `;` parameters though its API does not say that it may.
    default boolean unaskedParameters() {
        return false;
    }

    /// Whether requests for `path`, canonical, find this route as well.
    boolean covers(String path);

    /// What `path`, canonical, which this route [covers][#covers], holds below the API's prefix; begins with `/`.
    String below(String path);

    /// The segment of `path` that `{name}` of the API's match path bound.
    Optional<String> pathParameter(String name, String path);
}
