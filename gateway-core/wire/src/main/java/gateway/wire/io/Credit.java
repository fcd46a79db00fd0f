package gateway.wire.io;

import java.net.InetAddress;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLongArray;

/// How many new connections of a client are no newcomers, since an API has answered on as many of its earlier ones. A
/// table of one size, 128 KiB: whoever is new in a place takes it from who has least there. Used by all IO threads.
public final class Credit {
    /// Of one client.
    public static final int MOST = 256;

    private static final int PLACES = 16 * 1024;
    private static final int CHOICE = 4; // places in which a client may be
    private static final long COUNT = 0x3ff; // the low bits; the others tell whose it is

    private final AtomicLongArray places = new AtomicLongArray(PLACES);
    private final long seed = ThreadLocalRandom.current().nextLong(); // no client chooses its places

    /// One is served: its client gets back what it may have spent on it, and as much again.
    ///
    /// @param client as clients are told apart
    public void earn(InetAddress client) {
        long hash = hash(client);
        int place = place(hash);
        long before = places.get(place);
        long count = isOf(before, hash) ? before & COUNT : 0;
        long after = Math.min(MOST, count + 2);
        if (count < after) places.compareAndSet(place, before, (hash & ~COUNT) | after); // lost at worst
    }

    /// Whether `client` has some.
    public boolean has(InetAddress client) {
        long hash = hash(client);
        long found = places.get(place(hash));
        return isOf(found, hash) && (found & COUNT) > 0;
    }

    /// Takes one of those that `client` has; false when there is none.
    public boolean spend(InetAddress client) {
        long hash = hash(client);
        int place = place(hash);
        while (true) {
            long before = places.get(place);
            if (!isOf(before, hash) || (before & COUNT) == 0) return false;
            if (places.compareAndSet(place, before, before - 1)) return true;
        }
    }

    /// Where it is; else where there is least.
    private int place(long hash) {
        int first = (int) (hash >>> 32) & (PLACES - CHOICE);
        int least = first;
        for (int i = first; i < first + CHOICE; i++) {
            if (isOf(places.get(i), hash)) return i;
            if ((places.get(i) & COUNT) < (places.get(least) & COUNT)) least = i;
        }
        return least;
    }

    private static boolean isOf(long place, long hash) {
        return (place & ~COUNT) == (hash & ~COUNT);
    }

    private long hash(InetAddress client) {
        long hash = seed;
        for (byte each : client.getAddress()) hash = (hash ^ each) * 0x9e3779b97f4a7c15L;
        hash ^= hash >>> 32;
        hash *= 0xd6e8feb86659fd93L;
        return hash ^ (hash >>> 32);
    }
}
