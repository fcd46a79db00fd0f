package gateway.wire.client;

import gateway.wire.io.Deadlines;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Idle keep-alive connections to one server, of one IO thread. The most recently used is taken first, so that
/// spare ones grow old and are closed. Those to an address that the server's name no longer has are closed too.
final class IdleConnections implements Deadlines.Timed {
    private static final int MOST = 1024;

    private final IoThreadResources ioThread;
    private final AtomicInteger open = new AtomicInteger(); // written by the IO thread alone, read by any
    private final AtomicInteger waiting = new AtomicInteger(); // the size of `idle`, likewise
    private final ArrayDeque<UpstreamConnection> idle = new ArrayDeque<>();
    private final ServerAddresses addresses;
    private List<InetAddress> swept = List.of();
    private int slot = -1;

    IdleConnections(IoThreadResources ioThread, TargetAddress address) {
        this.ioThread = ioThread;
        this.addresses = new ServerAddresses(address.host());
    }

    @Nullable
    UpstreamConnection take() {
        UpstreamConnection connection = idle.pollLast();
        if (connection == null) return null;
        waiting.setRelease(idle.size());
        ioThread.connectionDeadlines().forget(connection);
        return connection;
    }

    void put(UpstreamConnection connection) {
        if (idle.size() >= MOST || !connection.leadsTo(addresses)) {
            connection.close();
            return;
        }
        idle.addLast(connection);
        waiting.setRelease(idle.size());
        ioThread.connectionDeadlines().watch(connection);
    }

    void remove(UpstreamConnection connection) {
        ioThread.connectionDeadlines().forget(connection);
        idle.remove(connection);
        waiting.setRelease(idle.size());
    }

    /// A connection was made on these terms.
    void opened(Terms terms) {
        open.setRelease(open.getPlain() + 1);
        addresses.follow(terms);
        if (slot < 0 && !addresses.fixed()) ioThread.connectionDeadlines().watch(this);
    }

    /// A connection was closed.
    void closed() {
        open.setRelease(open.getPlain() - 1);
        if (isUnused()) ioThread.connectionDeadlines().forget(this);
    }

    /// Follows the server's name.
    @Override
    @SuppressWarnings("ReferenceEquality") // the resolver answers the same list as long as nothing changes
    public void onTick(long now) {
        addresses.look();
        if (addresses.now() == swept) return;
        swept = addresses.now();
        for (UpstreamConnection each : List.copyOf(idle)) {
            if (!each.leadsTo(addresses)) each.closeIdle();
        }
    }

    @Override
    public int slot() {
        return slot;
    }

    @Override
    public void slot(int value) {
        slot = value;
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
