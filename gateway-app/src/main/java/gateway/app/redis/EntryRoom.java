package gateway.app.redis;

import gateway.service.DependencyException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Leaves half of Redis' memory to counters, keys and definitions: entries come into the other half alone, and what is
/// remembered of groups that are forgotten into three quarters, but for a little. Looked at from time to time, and what
/// this node keeps in between is counted.
final class EntryRoom {
    private static final Logger LOG = LoggerFactory.getLogger(EntryRoom.class);
    private static final int MOST_UNDER_WAY = 4 << 20;
    private static final long ALWAYS = 256 << 10; // may be remembered until the next look, however full Redis is

    private final Supplier<List<String>> memory;
    private final AtomicLong left = new AtomicLong();
    private final AtomicLong leftToForget = new AtomicLong(ALWAYS);
    private final AtomicLong underWay = new AtomicLong();

    /// @param memory what each server says of its own, as `INFO` has it; it may throw a [DependencyException]
    EntryRoom(Supplier<List<String>> memory) {
        this.memory = memory;
    }

    /// Whether there is room for so much more, which is on its way to Redis then, until [#arrived].
    boolean take(int bytes) {
        if (underWay.addAndGet(bytes) <= MOST_UNDER_WAY && left.addAndGet(-bytes) >= 0) return true;
        underWay.addAndGet(-bytes);
        return false;
    }

    /// Whether there is room to remember so much of what is forgotten.
    boolean spend(int bytes) {
        left.addAndGet(-bytes);
        return leftToForget.addAndGet(-bytes) >= 0;
    }

    void arrived(int bytes) {
        underWay.addAndGet(-bytes);
    }

    /// Asks again.
    void look() {
        try {
            List<String> servers = memory.get();
            left.set(servers.stream().mapToLong(EntryRoom::left).min().orElse(0));
            leftToForget.set(
                    servers.stream().mapToLong(EntryRoom::leftToForget).min().orElse(ALWAYS));
        } catch (DependencyException e) {
            left.set(0);
            leftToForget.set(ALWAYS);
            LOG.debug("room for entries", e); // away, which others say, or not allowed to ask
        }
    }

    /// Bytes that may come yet to one server, as `INFO` has it: up to half of its bound, or of the machine's memory
    /// where it has none.
    static long left(String memory) {
        return Math.max(0, bound(memory) / 2 - number(memory, "used_memory:"));
    }

    private static long leftToForget(String memory) {
        return Math.max(ALWAYS, bound(memory) / 4 * 3 - number(memory, "used_memory:"));
    }

    private static long bound(String memory) {
        long bound = number(memory, "maxmemory:");
        return bound == 0 ? number(memory, "total_system_memory:") : bound;
    }

    private static long number(String memory, String name) {
        return memory.lines()
                .filter(line -> line.startsWith(name))
                .mapToLong(line -> Long.parseLong(line.substring(name.length()).strip()))
                .findFirst()
                .orElse(0);
    }
}
