package gateway.app.redis;

/// How Redis has been answering.
///
/// @param available whether calls are sent now; in a cluster, to every part of it
/// @param failures calls that got no proper answer since the start: too late, disconnected, or an error of
///     Redis
/// @param refused calls not even sent, since those before failed
public record RedisState(boolean available, long failures, long refused) {}
