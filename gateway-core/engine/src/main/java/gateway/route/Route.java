package gateway.route;

import gateway.config.ApiDefinition;
import gateway.http.PathPattern;
import gateway.http.Response;
import gateway.http.RouteFacts;
import gateway.pipeline.Pipeline;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// An API, or a version of one, ready to serve: its definition and compiled pipeline.
///
/// @param path what the API is found by; what lies below it is the path in the API
/// @param forwarded what the upstream is sent of a request's path
/// @param version null when it serves no version (no object on the way of every request)
/// @param operations whose requests are led another way; null when it has none
/// @param versions of which one is to be chosen before this route is walked; null when there is no choice
public record Route(
        ApiDefinition api,
        PathPattern path,
        Pipeline pipeline,
        ForwardedPath forwarded,
        @Nullable RouteVersion version,
        @Nullable RouteVersions versions,
        @Nullable RouteOperations operations)
        implements RouteFacts {
    /// An API without versions.
    public Route(ApiDefinition api, PathPattern path, Pipeline pipeline) {
        this(
                api,
                path,
                pipeline,
                api.stripPath() ? new ForwardedPath.Below(path) : new ForwardedPath.Whole(),
                null,
                null,
                null);
    }

    /// The same with the choice of a version before it.
    public Route choosing(RouteVersions among) {
        return new Route(api, path, pipeline, forwarded, version, among, operations);
    }

    /// The same for requests that are for none of `others`.
    public Route among(RouteOperations others) {
        return new Route(api, path, pipeline, forwarded, version, versions, others);
    }

    /// The same way for requests that are found by another path.
    public Route at(PathPattern otherPath, ForwardedPath otherForwarded) {
        RouteOperations moved = operations == null ? null : operations.at(otherPath, otherForwarded);
        return new Route(api, otherPath, pipeline, otherForwarded, version, versions, moved);
    }

    /// The route of the operation that a request is for, once its version is chosen; this one when it is for none.
    ///
    /// @param canonical path, which the path of this route covers
    public Route of(String canonical, String method) {
        return operations == null ? this : operations.choose(this, canonical, method);
    }

    /// The routes that requests are led on by: this one, or those of its versions.
    public Collection<Route> leading() {
        return versions == null ? List.of(this) : versions.named().values();
    }

    @Override
    public String apiId() {
        return api.id();
    }

    @Override
    public boolean unaskedParameters() {
        return !api.pathParameters().chosen();
    }

    @Override
    public String versionName() {
        return version == null ? "" : version.name();
    }

    @Override
    public boolean covers(String canonical) {
        return path.covers(canonical);
    }

    @Override
    public String below(String canonical) {
        return path.below(canonical);
    }

    @Override
    public Optional<String> pathParameter(String name, String canonical) {
        return path.parameter(name, canonical);
    }

    @Override
    public String forwardedPath(String rawPath) {
        return forwarded.of(rawPath);
    }

    @Override
    public boolean encodedSeparators() {
        return api.encodedSlashes();
    }

    /// Tells of the version's end in an answer that did not come out of the pipeline.
    public Response noticed(Response response) {
        return version == null ? response : version.notice().onResponse(response);
    }
}
