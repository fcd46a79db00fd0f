package gateway.key;

/// A key as a store answers it.
///
/// @param version changes with every write; the admin API's `ETag`
public record StoredKey(ApiKey key, String version) {}
