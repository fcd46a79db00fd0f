package gateway.config;

import java.net.URI;

/// One server of an upstream.
///
/// @param url `http://host[:port][/base]`; the base path stands before the forwarded path
/// @param weight share of the requests, 1 to 1000
public record TargetDefinition(URI url, int weight) {}
