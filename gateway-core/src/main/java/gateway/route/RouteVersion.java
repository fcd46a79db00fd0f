package gateway.route;

import gateway.version.VersionNotice;

/// The version of an API that a route serves.
///
/// @param notice of its end; may be empty
public record RouteVersion(String name, VersionNotice notice) {}
