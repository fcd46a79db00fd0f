package gateway.app.memory;

import gateway.key.ApiKey;
import gateway.key.KeyPage;
import gateway.key.SecretDigest;
import gateway.key.StoredKey;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;

/// All keys in memory, by secret and by id. Read by any thread; changed by one at a time.
final class KeyTable {
    private record Entry(KeyEvent.Kept kept, StoredKey stored, Optional<ApiKey> opened) {
        static Entry of(KeyEvent.Kept kept) {
            return new Entry(kept, new StoredKey(kept.key(), Long.toString(kept.version())), Optional.of(kept.key()));
        }

        boolean isOpenedByFormer(Instant now) {
            return kept.former().filter(former -> now.isBefore(former.until())).isPresent();
        }
    }

    private final ConcurrentHashMap<SecretDigest, Entry> bySecret = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<SecretDigest, Entry> byFormer = new ConcurrentHashMap<>();
    private final ConcurrentNavigableMap<String, Entry> byId = new ConcurrentSkipListMap<>();
    private volatile long version;

    /// The version comes last: who has seen it finds what it made.
    void apply(KeyEvent event) {
        switch (event) {
            case KeyEvent.Kept kept -> keep(kept);
            case KeyEvent.Deleted(long at, String id) -> delete(id);
            case KeyEvent.Reached reached -> {}
        }
        version = Math.max(version, event.version());
    }

    /// The version of the last change.
    long version() {
        return version;
    }

    int size() {
        return bySecret.size();
    }

    /// @param clock asked only where a secret is no key's present one
    Optional<ApiKey> opened(SecretDigest digest, InstantSource clock) {
        Entry entry = bySecret.get(digest);
        if (entry != null) return entry.opened;
        Entry former = byFormer.get(digest);
        return former != null && former.isOpenedByFormer(clock.instant()) ? former.opened : Optional.empty();
    }

    boolean takes(SecretDigest digest) {
        return bySecret.containsKey(digest) || byFormer.containsKey(digest);
    }

    Optional<KeyEvent.Kept> find(String id) {
        return Optional.ofNullable(byId.get(id)).map(Entry::kept);
    }

    Optional<StoredKey> stored(String id) {
        return Optional.ofNullable(byId.get(id)).map(Entry::stored);
    }

    KeyPage list(String name, String cursor, int limit) {
        var found = new ArrayList<StoredKey>();
        for (Entry entry : byId.tailMap(cursor, false).values()) {
            if (!entry.stored.key().name().contains(name)) continue;
            if (found.size() == limit) {
                return new KeyPage(found, Optional.of(found.getLast().key().id()));
            }
            found.add(entry.stored);
        }
        return new KeyPage(found, Optional.empty());
    }

    /// The shortest list of events that gives this table.
    Stream<KeyEvent> events() {
        return Stream.concat(
                Stream.of(new KeyEvent.Reached(version)), byId.values().stream().map(Entry::kept));
    }

    private void keep(KeyEvent.Kept kept) {
        Entry entry = Entry.of(kept);
        Entry before = byId.put(kept.key().id(), entry);
        kept.former().ifPresent(former -> byFormer.put(former.digest(), entry)); // opens throughout
        bySecret.put(kept.digest(), entry);
        if (before == null) return;
        if (!before.kept.digest().equals(kept.digest())) bySecret.remove(before.kept.digest());
        before.kept.former().ifPresent(former -> byFormer.remove(former.digest(), before));
    }

    private void delete(String id) {
        Entry before = byId.remove(id);
        if (before == null) return;
        bySecret.remove(before.kept.digest());
        before.kept.former().ifPresent(former -> byFormer.remove(former.digest()));
    }
}
