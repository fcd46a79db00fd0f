package gateway.wire.client;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// Servers that might have chosen either HTTP and chose HTTP/1.1: for a minute they are spoken to by it without being
/// asked again. Of one IO thread, and bounded: the one that chose longest ago is forgotten first.
final class Http1Servers {
    static final int MOST = 1024;
    private static final long NANOS = TimeUnit.SECONDS.toNanos(60);

    private final Map<TargetAddress, Long> until = new LinkedHashMap<>();

    /// `server` has chosen HTTP/1.1.
    ///
    /// @param now [System#nanoTime]
    void add(TargetAddress server, long now) {
        until.remove(server); // so that it comes last
        if (until.size() >= MOST) until.remove(until.keySet().iterator().next());
        until.put(server, now + NANOS);
    }

    /// Whether `server` has chosen it within the last minute.
    boolean include(TargetAddress server, long now) {
        Long end = until.get(server);
        if (end == null) return false;
        if (now - end < 0) return true;
        until.remove(server);
        return false;
    }

    int size() {
        return until.size();
    }
}
