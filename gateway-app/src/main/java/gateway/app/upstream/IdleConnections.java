package gateway.app.upstream;

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Idle keep-alive connections to one server, of one IO thread. The most recently used is taken first, so that
/// spare ones grow old and are closed.
final class IdleConnections {
    private static final int MOST = 1024;

    private final Lane lane;
    private final AtomicInteger open = new AtomicInteger(); // written by the IO thread alone, read by any
    private final AtomicInteger waiting = new AtomicInteger(); // the size of `idle`, likewise
    private final ArrayDeque<UpstreamConnection> idle = new ArrayDeque<>();

    IdleConnections(Lane lane) {
        this.lane = lane;
    }

    @Nullable
    UpstreamConnection take() {
        UpstreamConnection connection = idle.pollLast();
        if (connection == null) return null;
        waiting.setRelease(idle.size());
        lane.connectionDeadlines().forget(connection);
        return connection;
    }

    void put(UpstreamConnection connection) {
        if (idle.size() >= MOST) {
            connection.close();
            return;
        }
        idle.addLast(connection);
        waiting.setRelease(idle.size());
        lane.connectionDeadlines().watch(connection);
    }

    void remove(UpstreamConnection connection) {
        lane.connectionDeadlines().forget(connection);
        idle.remove(connection);
        waiting.setRelease(idle.size());
    }

    /// A connection was made.
    void opened() {
        open.setRelease(open.getPlain() + 1);
    }

    /// A connection was closed.
    void closed() {
        open.setRelease(open.getPlain() - 1);
    }

    /// Whether no connection is open.
    boolean isUnused() {
        return open.getPlain() == 0;
    }

    PoolState state(String upstream) {
        return new PoolState(upstream, open.getAcquire(), waiting.getAcquire());
    }

    void close() {
        while (true) {
            UpstreamConnection connection = take();
            if (connection == null) return;
            connection.close();
        }
    }
}
