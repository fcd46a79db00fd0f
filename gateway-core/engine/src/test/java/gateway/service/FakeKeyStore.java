package gateway.service;

import gateway.http.Secret;
import gateway.key.ApiKey;
import gateway.key.IssuedKey;
import gateway.key.KeyPage;
import gateway.key.KeyStore;
import gateway.key.StoredKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Keys in a map, secrets in the clear; ids and secrets count up so that tests can name them.
public final class FakeKeyStore implements KeyStore {
    private final Map<String, StoredKey> keys = new TreeMap<>();
    private final Map<String, String> ids = new TreeMap<>(); // by secret
    private final Map<String, String> formerIds = new TreeMap<>(); // by the secret before, however long it is to open
    private long made;
    private long version;
    private long lookups;
    private boolean away;
    private boolean busy;

    /// From now on every call fails as a store out of reach does, until [#comeBack].
    public void goAway() {
        away = true;
    }

    public void comeBack() {
        away = false;
    }

    /// From now on another node writes a key again between a look at it and the change of it.
    public void getBusy() {
        busy = true;
    }

    /// How often [#authenticate] was asked.
    public long lookups() {
        return lookups;
    }

    /// Stores `key` under a secret of the test's choice.
    public ApiKey add(String secret, ApiKey key) {
        return issue(key, Optional.of(new Secret(secret))).stored().key();
    }

    @Override
    public synchronized Optional<ApiKey> authenticate(String secret) {
        lookups++;
        requireHere();
        if (secret.length() > LONGEST_SECRET) return Optional.empty();
        return Optional.ofNullable(ids.getOrDefault(secret, formerIds.get(secret)))
                .map(keys::get)
                .map(StoredKey::key);
    }

    @Override
    public synchronized Optional<StoredKey> find(String id) {
        requireHere();
        return Optional.ofNullable(keys.get(id));
    }

    @Override
    public synchronized long version() {
        return version;
    }

    @Override
    public synchronized KeyPage list(String name, String cursor, int limit) {
        requireHere();
        List<StoredKey> found = keys.values().stream()
                .filter(stored -> stored.key().id().compareTo(cursor) > 0)
                .filter(stored -> stored.key().name().contains(name))
                .limit(limit + 1L)
                .toList();
        if (found.size() <= limit) return new KeyPage(found, Optional.empty());
        return new KeyPage(
                found.subList(0, limit), Optional.of(found.get(limit - 1).key().id()));
    }

    @Override
    public synchronized IssuedKey issue(ApiKey key, Optional<Secret> chosen) {
        requireHere();
        String id = key.id().isEmpty() ? "key_" + ++made : key.id();
        String secret = chosen.map(Secret::reveal).orElseGet(() -> "secret-" + ++made);
        if (keys.containsKey(id)) throw new ConflictException("key " + id + " exists");
        if (ids.containsKey(secret) || formerIds.containsKey(secret))
            throw new ConflictException("the secret is taken");
        ids.put(secret, id);
        return new IssuedKey(store(key.withId(id)), new Secret(secret));
    }

    @Override
    public synchronized Optional<StoredKey> replace(ApiKey key, Optional<String> expected) {
        requireHere();
        if (!keys.containsKey(key.id())) return Optional.empty();
        requireVersion(key.id(), expected);
        return Optional.of(store(key));
    }

    @Override
    public synchronized Optional<IssuedKey> rotate(String id, Duration overlap) {
        requireHere();
        if (!keys.containsKey(id)) return Optional.empty();
        var secret = "secret-" + ++made;
        formerIds.values().removeIf(id::equals);
        if (overlap.isPositive()) {
            ids.forEach((before, of) -> {
                if (of.equals(id)) formerIds.put(before, id);
            });
        }
        ids.values().removeIf(id::equals);
        ids.put(secret, id);
        return Optional.of(new IssuedKey(store(keys.get(id).key()), new Secret(secret)));
    }

    @Override
    public synchronized boolean delete(String id, Optional<String> expected) {
        requireHere();
        if (!keys.containsKey(id)) return false;
        requireVersion(id, expected);
        ids.values().removeIf(id::equals);
        formerIds.values().removeIf(id::equals);
        version++;
        return keys.remove(id) != null;
    }

    private StoredKey store(ApiKey key) {
        var stored = new StoredKey(key, Long.toString(++version));
        keys.put(key.id(), stored);
        return stored;
    }

    private void requireHere() {
        if (away) throw new DependencyException("fake", "away");
    }

    private void requireVersion(String id, Optional<String> expected) {
        if (busy) store(keys.get(id).key());
        String current = keys.get(id).version();
        if (expected.isPresent() && !expected.get().equals(current)) {
            throw new ConflictException("key " + id + " has version " + current);
        }
    }
}
