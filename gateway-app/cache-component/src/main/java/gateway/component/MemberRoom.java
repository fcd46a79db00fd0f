package gateway.component;

import com.hazelcast.map.IMap;
import java.util.Iterator;
import java.util.concurrent.atomic.AtomicLong;

/// How much more this member may take. Hazelcast lets go of one entry for each that comes, however large either is: an
/// eighth past the bound nothing is taken any more, and entries are let go of until there is room.
///
/// Looked at from time to time, and what has come through this member in between is counted.
final class MemberRoom {
    private static final int LARGEST = EntryEndpoint.MOST_BYTES + (16 << 10); // one entry with its head

    private final IMap<String, byte[]> entries;
    private final long most;
    private final long mostUnderWay;
    private final AtomicLong underWay = new AtomicLong();
    private final AtomicLong left = new AtomicLong();
    private volatile long used;

    MemberRoom(IMap<String, byte[]> entries, long most) {
        this.entries = entries;
        this.most = most;
        this.mostUnderWay = Math.max(most / 16, LARGEST);
        left.set(most);
    }

    /// Whether so much more may come, which is on its way to members then, until [#arrived].
    boolean take(int bytes) {
        if (underWay.addAndGet(bytes) <= mostUnderWay && left.addAndGet(-bytes) >= 0) return true;
        underWay.addAndGet(-bytes);
        return false;
    }

    void arrived(int bytes) {
        underWay.addAndGet(-bytes);
    }

    /// Bytes that entries took when this was last looked at, backups for others included.
    long used() {
        return used;
    }

    /// Looks, and lets go of what is too much.
    void look() {
        var stats = entries.getLocalMapStats();
        used = stats.getOwnedEntryMemoryCost() + stats.getBackupEntryMemoryCost();
        left.set(most + most / 8 - used);
        if (used <= most + most / 8) return;
        long owned = Math.max(1, stats.getOwnedEntryCount());
        long tooMany = owned - owned * most / used;
        Iterator<String> keys = entries.localKeySet().iterator();
        for (long i = 0; i < tooMany && keys.hasNext(); i++) entries.evict(keys.next());
    }
}
