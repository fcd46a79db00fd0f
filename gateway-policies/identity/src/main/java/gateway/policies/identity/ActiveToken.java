package gateway.policies.identity;

/// What is remembered of a token that its server has called active.
///
/// @param fresh until when, in milliseconds, the server is not asked again
/// @param end until when, in milliseconds, it may be taken at all, the server being away
/// @param bytes that it takes in memory, about
record ActiveToken(TokenSubject subject, long fresh, long end, int bytes) {}
