package gateway.app.memory;

import gateway.http.Secret;
import gateway.key.ApiKey;
import gateway.key.IssuedKey;
import gateway.key.KeyMint;
import gateway.key.KeyPage;
import gateway.key.KeyStore;
import gateway.key.Pepper;
import gateway.key.SecretDigest;
import gateway.key.StoredKey;
import gateway.service.ConflictException;
import gateway.service.DependencyException;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// API keys in memory and in the file `keys.journal`. A change is on disk before anybody sees it.
final class FileKeyStore implements KeyStore, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FileKeyStore.class);
    private static final int SPARE_LINES = 1_000;

    private final KeyTable keys;
    private final Journal journal;
    private final Pepper pepper;
    private final KeyMint mint;
    private final InstantSource clock;
    private final ReentrantLock writing = new ReentrantLock();
    private long lines; // guarded by writing

    private FileKeyStore(KeyTable keys, Journal journal, long lines, Pepper pepper, KeyMint mint, InstantSource clock) {
        this.keys = keys;
        this.journal = journal;
        this.lines = lines;
        this.pepper = pepper;
        this.mint = mint;
        this.clock = clock;
    }

    /// @throws DataFolderException when the files are damaged or cannot be read
    static FileKeyStore open(Path folder, InstantSource clock) {
        var random = new SecureRandom();
        var keys = new KeyTable();
        long[] lines = {0};
        var journal = Journal.open(folder.resolve("keys.journal"), (offset, line) -> {
            keys.apply(KeyEvent.parse(line));
            lines[0]++;
        });
        journal.begin(new KeyEvent.Reached(0).line());
        var pepper = PepperFile.open(folder.resolve("pepper"), keys.size() > 0, random);
        return new FileKeyStore(keys, journal, lines[0], pepper, new KeyMint(clock, random), clock);
    }

    @Override
    public Optional<ApiKey> authenticate(String secret) {
        if (secret.length() > LONGEST_SECRET) return Optional.empty();
        return keys.opened(pepper.digest(secret), clock);
    }

    @Override
    public Optional<StoredKey> find(String id) {
        return keys.stored(id);
    }

    @Override
    public long version() {
        return keys.version();
    }

    @Override
    public KeyPage list(String name, String cursor, int limit) {
        return keys.list(name, cursor, limit);
    }

    @Override
    public IssuedKey issue(ApiKey key, Optional<Secret> chosen) {
        var secret = chosen.orElseGet(mint::secret);
        var digest = pepper.digest(secret.reveal());
        var named = key.id().isEmpty() ? key.withId(mint.id()) : key;
        writing.lock();
        try {
            if (keys.find(named.id()).isPresent()) throw new ConflictException("key " + named.id() + " exists");
            if (keys.takes(digest)) throw new ConflictException("another key has this secret");
            return new IssuedKey(keep(named, digest, Optional.empty()), secret);
        } finally {
            writing.unlock();
        }
    }

    @Override
    public Optional<StoredKey> replace(ApiKey key, Optional<String> expected) {
        writing.lock();
        try {
            var found = keys.find(key.id());
            if (found.isEmpty()) return Optional.empty();
            requireVersion(found.get(), expected);
            return Optional.of(keep(key, found.get().digest(), found.get().former()));
        } finally {
            writing.unlock();
        }
    }

    @Override
    public Optional<IssuedKey> rotate(String id, Duration overlap) {
        var secret = mint.secret();
        var digest = pepper.digest(secret.reveal());
        writing.lock();
        try {
            return keys.find(id).map(found -> new IssuedKey(keep(found.key(), digest, former(found, overlap)), secret));
        } finally {
            writing.unlock();
        }
    }

    @Override
    public boolean delete(String id, Optional<String> expected) {
        writing.lock();
        try {
            var found = keys.find(id);
            if (found.isEmpty()) return false;
            requireVersion(found.get(), expected);
            write(new KeyEvent.Deleted(keys.version() + 1, id));
            return true;
        } finally {
            writing.unlock();
        }
    }

    @Override
    public void close() throws IOException {
        journal.close();
    }

    private Optional<KeyEvent.Former> former(KeyEvent.Kept before, Duration overlap) {
        if (overlap.isZero()) return Optional.empty();
        return Optional.of(new KeyEvent.Former(before.digest(), clock.instant().plus(overlap)));
    }

    private StoredKey keep(ApiKey key, SecretDigest digest, Optional<KeyEvent.Former> former) {
        write(new KeyEvent.Kept(keys.version() + 1, digest, key, former));
        return keys.stored(key.id()).orElseThrow();
    }

    /// Only what can be read again is written, and what is read again is what is kept.
    private void write(KeyEvent event) {
        String line = event.line();
        var readAgain = KeyEvent.parse(line);
        if (lines > 2L * keys.size() + SPARE_LINES) compact();
        journal.append(line);
        lines++;
        keys.apply(readAgain);
    }

    private void compact() {
        try {
            journal.rewrite(keys.events().map(KeyEvent::line).toList());
            lines = keys.size() + 1L;
        } catch (DependencyException e) {
            lines = 0; // tried again only after as many more
            LOG.error("keys are written, but their journal cannot be made shorter: {}", e.getMessage());
        }
    }

    private static void requireVersion(KeyEvent.Kept found, Optional<String> expected) {
        String version = Long.toString(found.version());
        if (expected.isPresent() && !expected.get().equals(version)) {
            throw new ConflictException("key " + found.key().id() + " has version " + version);
        }
    }
}
