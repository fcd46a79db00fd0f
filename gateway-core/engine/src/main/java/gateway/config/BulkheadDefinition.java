package gateway.config;

import java.time.Duration;

/// How many requests an upstream may have at once.
///
/// @param requests in flight, bodies included
/// @param queue more that may wait for one of these to end; 0: none
/// @param maxWait for a place, after which a waiting request is refused
public record BulkheadDefinition(int requests, int queue, Duration maxWait) {}
