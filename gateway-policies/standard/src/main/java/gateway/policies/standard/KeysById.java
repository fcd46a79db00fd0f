package gateway.policies.standard;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import gateway.key.ApiKey;
import gateway.key.KeyStore;
import gateway.key.StoredKey;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// Keys by id, each kept for a second, or until this node hears that any key has changed: stores answer by secret from
/// memory, and by id with a round trip.
final class KeysById {
    /// One for all.
    record Id() {}

    private static final int MOST_KEPT = 10_000;
    private static final Duration KEPT = Duration.ofSeconds(1); // changes are to be seen within two

    /// @param version of all keys, when it was asked for
    private record Known(Optional<ApiKey> key, long version) {}

    private final KeyStore keys;
    private final Cache<String, Known> kept;

    private KeysById(KeyStore keys, Cache<String, Known> kept) {
        this.keys = keys;
        this.kept = kept;
    }

    static KeysById create(KeyStore keys, InstantSource clock) {
        Cache<String, Known> kept = Caffeine.newBuilder()
                .maximumSize(MOST_KEPT)
                .expireAfterWrite(KEPT)
                .executor(Runnable::run)
                .ticker(() -> TimeUnit.MILLISECONDS.toNanos(clock.millis()))
                .build();
        return new KeysById(keys, kept);
    }

    /// Not by the cache's own loading, which would hold a lock for the round trip.
    ///
    /// @throws gateway.service.DependencyException when the store is away and the key is not kept
    Optional<ApiKey> find(String id) {
        long version = keys.version();
        Known known = kept.getIfPresent(id);
        if (known != null && known.version() == version) return known.key();
        Optional<ApiKey> found = keys.find(id).map(StoredKey::key);
        kept.put(id, new Known(found, version));
        return found;
    }
}
