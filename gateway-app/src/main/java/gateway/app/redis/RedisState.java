package gateway.app.redis;

/// How Redis has been answering.
///
/// @param available whether calls are sent now; in a cluster, to every part of it
/// @param failures calls that got no proper answer since the start: too late, disconnected, or an error of
///     Redis; and waits of requests for a slice that came too late for them
/// @param refused calls not even sent, since those before failed
/// @param lost requests taken from counters, not spent, and not surely given back
/// @param starved calls and waits that this node was too slow to see answered
public record RedisState(boolean available, long failures, long refused, long lost, long starved) {}
