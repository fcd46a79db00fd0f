package gateway.wire.client;

import gateway.wire.io.Deadlines;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Idle keep-alive connections to one server, of one IO thread. The most recently used is taken first, so that
/// spare ones grow old and are closed. Those to an address that the server's name no longer has are closed too.
///
/// A connection on which more may come than the last answer rests first ([Surplus]): servers are there that send
/// what no such answer has, a moment later, and it would be the next client's answer.
final class IdleConnections implements Deadlines.Timed {
    private static final int MOST = 1024;
    private static final int MOST_RESTING = 64;
    private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long UNSEEN_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final IoThreadResources ioThread;
    private final AtomicInteger open = new AtomicInteger(); // written by the IO thread alone, read by any
    private final AtomicInteger waiting = new AtomicInteger(); // how many are idle or rest, likewise
    private final ArrayDeque<UpstreamConnection> idle = new ArrayDeque<>();
    private final ArrayDeque<UpstreamConnection> resting = new ArrayDeque<>(); // the longest first
    private final TargetAddress address;
    private final ServerAddresses addresses;
    private List<InetAddress> swept = List.of();
    private int slot = -1;

    IdleConnections(IoThreadResources ioThread, TargetAddress address) {
        this.ioThread = ioThread;
        this.address = address;
        this.addresses = new ServerAddresses(address.host());
    }

    /// What has come, or ended, since the IO thread last looked at its sockets is seen here, but on a connection
    /// that was in use a moment ago: among many requests that look would be one more system call for each.
    @Nullable
    UpstreamConnection take() {
        if (idle.isEmpty() && resting.isEmpty()) return null;
        long now = System.nanoTime();
        while (true) {
            UpstreamConnection connection = idle.isEmpty() ? rested(now) : idle.removeLast();
            if (connection == null) return null;
            took(connection);
            if (now - connection.idleSince() < UNSEEN_NANOS || connection.isSilent()) return connection;
            connection.close();
        }
    }

    /// The one that has rested longest, when that is long enough.
    private @Nullable UpstreamConnection rested(long now) {
        UpstreamConnection connection = resting.peekFirst();
        return connection == null || now - connection.idleSince() < REST_NANOS ? null : resting.removeFirst();
    }

    private void took(UpstreamConnection connection) {
        changed();
        ioThread.connectionDeadlines().forget(connection);
    }

    /// Keeps one for the next call. What is possible at most rests only where there is room: the many answers
    /// without content of a busy server need no connection each, and of those that rest one tells when the server
    /// says more.
    ///
    /// @param surplus behind its last answer
    void put(UpstreamConnection connection, Surplus surplus) {
        if (ioThread.unaskedServers().include(address, connection.idleSince())) {
            connection.close();
            return;
        }
        switch (surplus) {
            case UNLIKELY -> put(connection, idle, MOST);
            case POSSIBLE -> {
                if (resting.size() < MOST_RESTING) put(connection, resting, MOST_RESTING);
                else put(connection, idle, MOST);
            }
            case LIKELY -> put(connection, resting, MOST_RESTING);
        }
    }

    private void put(UpstreamConnection connection, ArrayDeque<UpstreamConnection> among, int most) {
        if (among.size() >= most || !connection.leadsTo(addresses)) {
            connection.close();
            return;
        }
        among.addLast(connection);
        changed();
        ioThread.connectionDeadlines().watch(connection);
    }

    void remove(UpstreamConnection connection) {
        ioThread.connectionDeadlines().forget(connection);
        if (!idle.remove(connection)) resting.remove(connection);
        changed();
    }

    private void changed() {
        waiting.setRelease(idle.size() + resting.size());
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
        Stream.concat(idle.stream(), resting.stream())
                .filter(each -> !each.leadsTo(addresses))
                .toList()
                .forEach(UpstreamConnection::closeIdle);
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
        Stream.concat(idle.stream(), resting.stream()).toList().forEach(UpstreamConnection::closeIdle);
    }
}
