package gateway.service;

import java.time.Instant;

/// One administrative write.
///
/// @param token which token wrote, as a short hash, never the token
/// @param action such as `PUT apis/orders`
/// @param fromRevision the definitions' revision before and after; equal for writes to keys
public record AuditEntry(Instant at, String token, String action, long fromRevision, long toRevision) {}
