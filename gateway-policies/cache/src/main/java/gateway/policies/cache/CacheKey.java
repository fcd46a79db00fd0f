package gateway.policies.cache;

/// What a kept answer is found by.
///
/// @param target what was asked for, and by which policy: all that is kept of it goes when it is changed
/// @param part whose answer it is, and what else tells answers to one target apart; empty text: everybody's
record CacheKey(String target, String part) {}
