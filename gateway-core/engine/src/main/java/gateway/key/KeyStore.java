package gateway.key;

import gateway.http.Secret;
import java.time.Duration;
import java.util.Optional;

/// API keys, durable. Only the keyed hash (HMAC-SHA-256 with the installation's own pepper) of a secret is
/// kept; ids and keys can be listed, secrets cannot.
public interface KeyStore {
    /// Most characters of a secret that are looked at; longer ones are unknown without hashing.
    int LONGEST_SECRET = 256;

    /// The key that `secret` opens, enabled or not, expired or not. Answered from memory when the key is
    /// unchanged; a change made on any node is seen within 2 s.
    ///
    /// @throws DependencyException when the store is away and the key is not at hand
    Optional<ApiKey> authenticate(String secret);

    Optional<StoredKey> find(String id);

    /// Keys whose name contains `name` (empty: all), in order of id, from after `cursor` (empty: from the first).
    KeyPage list(String name, String cursor, int limit);

    /// Makes a key with a new random secret of at least 160 bits. An empty id is given one: `key_` and a ULID.
    ///
    /// @throws ConflictException when the id is taken
    default IssuedKey issue(ApiKey key) {
        return issue(key, Optional.empty());
    }

    /// The same with a secret of the operator's choice, as an import needs it.
    ///
    /// @throws ConflictException when the id or the secret is taken
    IssuedKey issue(ApiKey key, Optional<Secret> chosen);

    /// Replaces the key with `key.id()`.
    ///
    /// @param expected the version it must still have; empty: any
    /// @throws ConflictException when it has another version
    /// @return empty when there is no such key
    Optional<StoredKey> replace(ApiKey key, Optional<String> expected);

    /// A new secret for the key; the old one opens nothing from now on.
    default Optional<IssuedKey> rotate(String id) {
        return rotate(id, Duration.ZERO);
    }

    /// The same, but the old one opens the key for `overlap` more, give or take a second. One before it opens
    /// nothing: a key has two secrets at most.
    Optional<IssuedKey> rotate(String id, Duration overlap);

    /// @throws ConflictException when it has another version than `expected`
    /// @return whether there was one
    boolean delete(String id, Optional<String> expected);

    /// The version of all keys as far as this node knows: another one before a change that was made here is answered,
    /// and once one of another node was heard of. What was found under an earlier one may be out of date. Costs no
    /// round trip.
    long version();

    /// Whether an answer takes a round trip to another process.
    default boolean isRemote() {
        return false;
    }
}
