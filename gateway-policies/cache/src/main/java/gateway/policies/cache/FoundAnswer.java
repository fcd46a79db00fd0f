package gateway.policies.cache;

/// An answer that is kept, and by which key.
record FoundAnswer(CacheKey key, CachedAnswer answer) {}
