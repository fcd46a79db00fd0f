package gateway.wire.client;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Servers that have sent what nobody had asked for: more than their answer was, behind it. For ten minutes none of
/// their connections is used again. Of all IO threads, and bounded.
public final class UnaskedServers {
    private static final Logger LOG = LoggerFactory.getLogger(UnaskedServers.class);
    private static final int MOST = 1024;
    private static final long NANOS = TimeUnit.MINUTES.toNanos(10);

    private final Map<TargetAddress, Long> until = new ConcurrentHashMap<>();

    /// `server` was heard unasked.
    ///
    /// @param now [System#nanoTime]
    void add(TargetAddress server, long now) {
        if (until.size() >= MOST) until.values().removeIf(end -> now - end >= 0);
        if (until.size() >= MOST && !until.containsKey(server)) return;
        if (until.put(server, now + NANOS) == null)
            LOG.warn("upstream {} sent what no request had asked for: its connections are not used again", server);
    }

    /// Whether `server` was heard unasked within the last ten minutes.
    boolean include(TargetAddress server, long now) {
        if (until.isEmpty()) return false;
        Long end = until.get(server);
        if (end == null) return false;
        if (now - end < 0) return true;
        until.remove(server, end);
        return false;
    }
}
