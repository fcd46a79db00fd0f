package gateway.app.memory;

import gateway.key.KeyStore;
import gateway.service.AuditLog;
import gateway.service.DefinitionStore;
import gateway.service.LimitStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The stores of a gateway that stands alone: one data folder, and counters in memory. See `docs/stores.md`.
public final class EmbeddedStores implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedStores.class);
    private static final Duration FLUSH_EVERY = Duration.ofMillis(500); // half of what a crash may lose
    private static final int SWEEP_SHARE = 20;
    private static final long AUDIT_FILE_BYTES = 16L << 20;
    private static final int AUDIT_FILES = 8;

    private final Optional<FolderLock> lock;
    private final FolderDefinitionStore definitions;
    private final FileKeyStore keys;
    private final MemoryLimitStore limits;
    private final FileAuditLog audit;
    private final CounterTable counters;
    private final QuotaJournal quotas;
    private final EpochClock nanos;
    private final Heartbeat heartbeat;

    private EmbeddedStores(
            Path data, InstantSource clock, int mostCounters, FoundDocument found, Optional<FolderLock> lock) {
        this.lock = lock;
        this.nanos = EpochClock.of(clock);
        this.definitions = FolderDefinitionStore.open(data, clock, found);
        this.keys = FileKeyStore.open(data, clock);
        this.counters = new CounterTable(mostCounters);
        this.limits = new MemoryLimitStore(nanos, counters);
        this.quotas = QuotaJournal.open(data, counters, nanos.nanos());
        this.audit = FileAuditLog.open(data, AUDIT_FILE_BYTES, AUDIT_FILES);
        this.heartbeat = Heartbeat.start("quota-journal", FLUSH_EVERY, this::beat);
    }

    /// Opens the folder, making it when there is none. One that cannot be written to serves for reading.
    ///
    /// @param mostCounters past it, the counters that protect least make room
    /// @throws DataFolderException when another gateway uses it, or when a file in it is damaged
    public static EmbeddedStores open(Path data, InstantSource clock, int mostCounters) {
        return open(data, clock, mostCounters, FoundDocument.AS_IT_STANDS);
    }

    /// The same.
    ///
    /// @param found says what is kept of documents in files
    public static EmbeddedStores open(Path data, InstantSource clock, int mostCounters, FoundDocument found) {
        Optional<FolderLock> lock = Optional.empty();
        try {
            DurableFiles.createFolder(data);
            lock = Files.isWritable(data) ? Optional.of(FolderLock.take(data)) : Optional.empty();
            if (lock.isEmpty()) LOG.warn("data folder {} is read-only: keys and counts will not be kept", data);
            MissingFiles.tell(data);
            return new EmbeddedStores(data, clock, mostCounters, found, lock);
        } catch (IOException e) {
            release(lock);
            throw new DataFolderException("cannot open data folder " + data, e);
        } catch (RuntimeException e) {
            release(lock);
            throw e;
        }
    }

    /// Rate limits and quotas counted in this process alone and kept nowhere.
    ///
    /// @param mostCounters past it, the counters that protect least make room
    public static LimitStore countersOnly(InstantSource clock, int mostCounters) {
        return new MemoryLimitStore(EpochClock.of(clock), new CounterTable(mostCounters));
    }

    public DefinitionStore definitions() {
        return definitions;
    }

    public KeyStore keys() {
        return keys;
    }

    public LimitStore limits() {
        return limits;
    }

    public AuditLog audit() {
        return audit;
    }

    /// Counters in memory now.
    public long counters() {
        return counters.size();
    }

    /// Counters that had to make room for others while they still counted something.
    public long displacedCounters() {
        return counters.displaced();
    }

    /// Writes the last counts and lets go of the folder.
    @Override
    public void close() {
        heartbeat.close();
        quotas.flush(limits.unwritten(), nanos.nanos());
        try (quotas;
                keys;
                definitions) {
            LOG.debug("data folder closed");
        } catch (IOException e) {
            LOG.warn("data folder: a file could not be closed: {}", e.toString());
        }
        release(lock);
    }

    private void beat() {
        long now = nanos.nanos();
        quotas.flush(limits.unwritten(), now);
        counters.sweep(now, (int) Math.max(1_000, counters.size() / SWEEP_SHARE));
    }

    private static void release(Optional<FolderLock> lock) {
        try {
            if (lock.isPresent()) lock.get().close();
        } catch (IOException e) {
            LOG.warn("data folder: the lock could not be released: {}", e.toString());
        }
    }
}
