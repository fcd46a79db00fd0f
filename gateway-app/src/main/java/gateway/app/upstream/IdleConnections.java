package gateway.app.upstream;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// Idle keep-alive connections to one server, of one IO thread. The most recently used is taken first, so that
/// spare ones grow old and are closed.
final class IdleConnections {
    private static final int MOST = 1024;

    private final Lane lane;
    private final ArrayDeque<UpstreamConnection> idle = new ArrayDeque<>();

    IdleConnections(Lane lane) {
        this.lane = lane;
    }

    @Nullable
    UpstreamConnection take() {
        UpstreamConnection connection = idle.pollLast();
        if (connection != null) lane.connectionDeadlines().forget(connection);
        return connection;
    }

    void put(UpstreamConnection connection) {
        if (idle.size() >= MOST) {
            connection.close();
            return;
        }
        idle.addLast(connection);
        lane.connectionDeadlines().watch(connection);
    }

    void remove(UpstreamConnection connection) {
        lane.connectionDeadlines().forget(connection);
        idle.remove(connection);
    }

    void close() {
        while (true) {
            UpstreamConnection connection = take();
            if (connection == null) return;
            connection.close();
        }
    }
}
