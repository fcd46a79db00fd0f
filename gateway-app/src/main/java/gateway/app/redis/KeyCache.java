package gateway.app.redis;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import gateway.key.ApiKey;
import gateway.key.SecretDigest;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Keys at hand, by the digest of their secret, bounded; and, briefly, secrets that open nothing or are a key's
/// former one.
///
/// An answer read from Redis before a change and put here after it was told of would stay for good. So what
/// is put carries the version of all keys at which it was read, and goes when a later one has been seen by
/// then.
final class KeyCache {
    private static final int MOST_BRIEF = 10_000;
    private static final Duration BRIEFLY = Duration.ofSeconds(1);

    private final Cache<SecretDigest, Known> keys;
    private final Cache<SecretDigest, Known> brief;
    private final ConcurrentHashMap<String, SecretDigest> digests = new ConcurrentHashMap<>();
    private final AtomicLong seen = new AtomicLong();

    KeyCache(int most) {
        keys = Caffeine.newBuilder()
                .maximumSize(most)
                .executor(Runnable::run)
                .removalListener((@Nullable SecretDigest digest, @Nullable Known known, RemovalCause cause) ->
                        forget(digest, known))
                .build();
        brief = Caffeine.newBuilder()
                .maximumSize(MOST_BRIEF)
                .expireAfterWrite(BRIEFLY)
                .executor(Runnable::run)
                .build();
    }

    /// What a secret opens, which may be nothing.
    ///
    /// @param version of all keys, when this was read
    record Known(Optional<ApiKey> key, long version) {}

    /// Keys, about.
    long size() {
        return keys.estimatedSize();
    }

    /// The latest version of all keys that was heard of.
    long version() {
        return seen.get();
    }

    /// `null` when Redis has to be asked.
    @Nullable
    Known at(SecretDigest digest) {
        Known known = keys.getIfPresent(digest);
        return known != null ? known : brief.getIfPresent(digest);
    }

    /// @param version of all keys, when this was read
    void put(SecretDigest digest, Optional<ApiKey> key, long version) {
        if (key.isEmpty()) {
            putBriefly(digest, key, version);
            return;
        }
        keys.put(digest, new Known(key, version)); // forgets the one it replaces, so the digest is noted after
        SecretDigest former = digests.put(key.get().id(), digest);
        if (former != null && !former.equals(digest)) keys.invalidate(former); // the key has another secret now
        if (seen.get() > version) drop(key.get().id());
    }

    /// What opens nothing, or not for long.
    ///
    /// @param version of all keys, when this was read
    void putBriefly(SecretDigest digest, Optional<ApiKey> key, long version) {
        brief.put(digest, new Known(key, version));
        if (seen.get() > version) brief.invalidate(digest);
    }

    /// The key `id` was changed by the write that made `version`.
    void changed(String id, long version) {
        seen.accumulateAndGet(version, Math::max);
        brief.invalidateAll();
        SecretDigest digest = digests.get(id);
        Known known = digest == null ? null : keys.getIfPresent(digest);
        if (known == null || known.version() < version) drop(id);
    }

    /// Anything may have changed, and versions count from `version` on.
    void changedAll(long version) {
        seen.set(version);
        brief.invalidateAll();
        keys.invalidateAll();
    }

    private void drop(String id) {
        SecretDigest digest = digests.remove(id);
        if (digest != null) keys.invalidate(digest);
    }

    private void forget(@Nullable SecretDigest digest, @Nullable Known known) {
        if (digest != null && known != null && known.key().isPresent())
            digests.remove(known.key().get().id(), digest);
    }
}
