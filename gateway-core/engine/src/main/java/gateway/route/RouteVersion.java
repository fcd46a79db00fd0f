package gateway.route;

/// The version of an API that a route serves.
///
/// @param notice of its end; may be empty
public record RouteVersion(String name, VersionNotice notice) {}
