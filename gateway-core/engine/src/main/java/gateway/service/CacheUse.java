package gateway.service;

/// What became of the requests that came to one cache policy. One of [KeptParts].
public interface CacheUse {
    /// The id of its API.
    String api();

    /// How many requests fared so since it is in use.
    long count(CacheResult result);
}
