package gateway.app.memory;

import gateway.service.DependencyException;
import gateway.service.ShortTermUse;
import gateway.service.ShortTermValue;
import java.util.Comparator;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The short-term values of one use by name and by end, never more than `most` bytes.
///
/// Each write lets go of some that have ended. Where a new one finds no room, those closest to their end go, if the
/// use allows it; else the new one is refused.
final class ShortTermTable {
    static final int ENTRY_BYTES = 320; // the maps' nodes, the entry, its name and the heads of its two strings
    private static final int MOST_ENDED = 16; // let go of by one write: a request does it

    private record Entry(String name, String text, long end, long number) {
        /// Any character outside of Latin-1 makes all of a text's characters two bytes.
        long bytes() {
            return ENTRY_BYTES + 2L * text.length();
        }
    }

    private final ShortTermUse use;
    private final long most;
    private final ConcurrentHashMap<String, Entry> byName = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock(); // of all writes, and of what stands below
    private final TreeSet<Entry> byEnd =
            new TreeSet<>(Comparator.comparingLong(Entry::end).thenComparingLong(Entry::number));
    private long numbers;
    private long bytes;

    ShortTermTable(ShortTermUse use, long most) {
        this.use = use;
        this.most = most;
    }

    long bytes() {
        lock.lock();
        try {
            return bytes;
        } finally {
            lock.unlock();
        }
    }

    /// @param now nanoseconds since the Unix epoch
    boolean putIfAbsent(String name, ShortTermValue value, long now) {
        lock.lock();
        try {
            if (standing(name, now) != null) return false;
            keep(name, value, now);
            return true;
        } finally {
            lock.unlock();
        }
    }

    void put(String name, ShortTermValue value, long now) {
        lock.lock();
        try {
            keep(name, value, now);
        } finally {
            lock.unlock();
        }
    }

    Optional<String> get(String name, long now) {
        return Optional.ofNullable(standing(name, now)).map(Entry::text);
    }

    boolean remove(String name, long now) {
        lock.lock();
        try {
            boolean stood = standing(name, now) != null;
            drop(byName.get(name));
            return stood;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Entry standing(String name, long now) {
        Entry entry = byName.get(name);
        return entry == null || entry.end <= now ? null : entry;
    }

    private void keep(String name, ShortTermValue value, long now) {
        var entry = new Entry(name, value.text(), now + value.keep().toNanos(), numbers++);
        for (int i = 0; i < MOST_ENDED && !byEnd.isEmpty() && byEnd.first().end <= now; i++) drop(byEnd.first());
        while (bytes - bytesOf(byName.get(name)) + entry.bytes() > most) makeRoom(now);
        drop(byName.get(name));
        byName.put(name, entry);
        byEnd.add(entry);
        bytes += entry.bytes();
    }

    private void makeRoom(long now) {
        if (byEnd.isEmpty() || (!use.isDisplaced() && byEnd.first().end > now)) {
            throw new DependencyException("short-term", "no room for one more value of use " + use);
        }
        drop(byEnd.first());
    }

    private void drop(@Nullable Entry entry) {
        if (entry == null) return;
        byName.remove(entry.name);
        byEnd.remove(entry);
        bytes -= entry.bytes();
    }

    private static long bytesOf(@Nullable Entry entry) {
        return entry == null ? 0 : entry.bytes();
    }
}
