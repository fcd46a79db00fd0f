package gateway.wire.client;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Connections to one upstream server, at one moment.
///
/// @param upstream where it listens, `host:port`
/// @param open connections, in use and idle
/// @param idle connections that wait for a request
public record PoolState(String upstream, int open, int idle) {
    public int inUse() {
        return Math.max(0, open - idle);
    }

    /// What `everyIoThread` hold together, one of each server, in no order. From any thread: a moment's view.
    public static List<PoolState> merged(Collection<IoThreadResources> everyIoThread) {
        Map<String, PoolState> byServer = new HashMap<>();
        for (IoThreadResources ioThread : everyIoThread) {
            ioThread.pools().forEach(pool -> byServer.merge(pool.upstream(), pool, PoolState::plus));
        }
        return new ArrayList<>(byServer.values());
    }

    private PoolState plus(PoolState other) {
        return new PoolState(upstream, open + other.open, idle + other.idle);
    }
}
