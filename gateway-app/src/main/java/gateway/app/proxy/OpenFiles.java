package gateway.app.proxy;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// How many files the process may open, and what that lets in: one for each connection of a client, one more for the
/// upstream of each WebSocket and of each request that is in flight or waits for its client, and [#OWN].
public final class OpenFiles {
    private static final Logger LOG = LoggerFactory.getLogger(OpenFiles.class);
    private static final long OWN = 1_024; // journals, listeners, idle connections: as docker/entrypoint.sh has it

    private static final int LEAST_AWAY = 64;

    private OpenFiles() {}

    /// Connections of clients where nobody says how many: the tier's, or fewer where this process may open fewer files.
    static int connections(int ofTier, int requests) {
        return connections(ofTier, requests, limit().orElse(Long.MAX_VALUE));
    }

    /// As docker/entrypoint.sh has it; where that would not start, an eighth of the files, and [#tellWhenFew] warns.
    static int connections(int ofTier, int requests, long limit) {
        long possible = Math.min(limit / 4, (limit - requests - OWN) / 2);
        return Math.clamp(Math.max(possible, limit / 8), 1, ofTier);
    }

    /// Requests that may wait for their clients with a connection to an upstream: as many as there are files left.
    public static int away(int connections, int webSockets, int requests) {
        return away(needed(connections, webSockets, requests), limit().orElse(Long.MAX_VALUE));
    }

    static int away(long needed, long limit) {
        return Math.clamp(limit - needed, LEAST_AWAY, Integer.MAX_VALUE);
    }

    /// Says so at the start where they may run out: clients would find no socket before they find a limit.
    public static void tellWhenFew(int connections, int webSockets, int requests) {
        warning(needed(connections, webSockets, requests), limit().orElse(Long.MAX_VALUE))
                .ifPresent(LOG::warn);
    }

    static Optional<String> warning(long needed, long limit) {
        if (limit >= needed) return Optional.empty();
        return Optional.of("connections, webSockets and requestsInFlight may take " + needed
                + " open files, and the limit is " + limit
                + ": raise it (ulimit -n), or lower GATEWAY_CONNECTIONS");
    }

    static long needed(int connections, int webSockets, int requests) {
        return (long) connections + webSockets + requests + OWN;
    }

    private static OptionalLong limit() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? OptionalLong.of(unix.getMaxFileDescriptorCount())
                : OptionalLong.empty();
    }
}
