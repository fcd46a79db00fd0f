package gateway.app.proxy;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Whether the process may open as many files as its settings may take: one for each connection of a client, one more
/// for the upstream of each WebSocket and each request in flight, and [#OWN].
public final class OpenFiles {
    private static final Logger LOG = LoggerFactory.getLogger(OpenFiles.class);
    private static final long OWN = 1_024; // journals, listeners, idle connections: as docker/entrypoint.sh has it

    private OpenFiles() {}

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
