package gateway.wire.accept;

import gateway.net.IpRanges;
import gateway.wire.io.Sockets;
import gateway.wire.memory.Budget;
import gateway.wire.memory.Kind;
import gateway.wire.memory.MemoryBudget;
import gateway.wire.memory.Pressure;
import java.net.InetAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.xnio.ChannelListener;
import org.xnio.ChannelListeners;
import org.xnio.StreamConnection;
import org.xnio.XnioIoThread;

/// Lets no more connections in than there may be, all together and of one client, and than there is memory for. When
/// there are as many, one that keeps silent makes room ([gateway.wire.io.SilentConnections]). What is refused is closed
/// without
/// an answer, before anything is read or a hand is shaken: refusing has to be the cheapest thing there is.
public final class ConnectionLimiter {
    /// What an open connection takes of the heap while nothing is read from it; see decision 130.
    static final long CONNECTION_BYTES = 3 * 1024;

    private final ConnectionLimits limits;
    private final IpRanges proxies;
    private final MemoryBudget memory;
    private final Predicate<XnioIoThread> silent;
    private final long mostOfMemory; // the last one makes memory tight
    private final AtomicInteger inside = new AtomicInteger();
    private final Map<InetAddress, Integer> clients = new ConcurrentHashMap<>();
    private final LongAdder displaced = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder refusedOfClient = new LongAdder();
    private final LongAdder refusedOfMemory = new LongAdder();

    /// @param proxies that carry the requests of many clients: no share of one client bounds them
    /// @param memory that each connection takes some of
    /// @param silent ends one of an IO thread, which asks for it; answers whether one has gone
    public ConnectionLimiter(
            ConnectionLimits limits, IpRanges proxies, MemoryBudget memory, Predicate<XnioIoThread> silent) {
        this.limits = limits;
        this.proxies = proxies;
        this.memory = memory;
        this.silent = silent;
        this.mostOfMemory =
                Math.ceilDiv(Pressure.tightAt(memory.of(Kind.CONNECTIONS).most()), CONNECTION_BYTES);
    }

    /// Bounds all that come: answers whether `connection` may, and closes it if not.
    ///
    /// @param pays whether its client has credit, which is spent: tight memory turns none of those away, as long as
    /// their own share of it is not spent
    public boolean admits(StreamConnection connection, BooleanSupplier pays) {
        int number = inside.incrementAndGet();
        boolean paid = false;
        if (number > most()) {
            if (silent.test(connection.getIoThread())) displaced.increment(); // whose place it has now
            else if (number > limits.most()) return refuse(connection, refused);
            else if (pays.getAsBoolean()) paid = true;
            else return refuse(connection, refusedOfMemory);
        }
        Budget budget = memory.of(Kind.CONNECTIONS);
        boolean shut = memory.turnsNewcomersAway() && !paid && !pays.getAsBoolean();
        if (shut || !budget.take(CONNECTION_BYTES)) return refuse(connection, refusedOfMemory);
        tellAlso(connection, new Place(() -> {
            inside.decrementAndGet();
            budget.giveBack(CONNECTION_BYTES);
        }));
        return true;
    }

    private boolean refuse(StreamConnection connection, LongAdder counter) {
        inside.decrementAndGet();
        counter.increment();
        Sockets.close(connection);
        return false;
    }

    /// Bounds those of one client that come to `next`; the client may be another than the peer by now.
    public Arrival each(Arrival next) {
        if (limits.perClient() == 0) return next;
        return (connection, client, newcomer) -> {
            if (proxies.contains(client.getAddress())) {
                next.take(connection, client, newcomer);
                return;
            }
            InetAddress who = ClientNetwork.of(client.getAddress());
            if (!enter(who)) {
                refusedOfClient.increment();
                Sockets.close(connection);
                return;
            }
            tellAlso(connection, new Place(() -> leave(who)));
            next.take(connection, client, newcomer);
        };
    }

    /// Has `listener` told that `connection` was closed, besides whom it tells already; at once when it is.
    public static void tellAlso(
            StreamConnection connection, @Nullable ChannelListener<? super StreamConnection> listener) {
        ChannelListener<? super StreamConnection> before = connection.getCloseListener();
        if (listener == null || listener.equals(before)) return;
        connection.setCloseListener(closed -> {
            if (before != null) ChannelListeners.invokeChannelListener(closed, before);
            ChannelListeners.invokeChannelListener(closed, listener);
        });
        if (!connection.isOpen()) ChannelListeners.invokeChannelListener(connection, listener);
    }

    /// What a connection takes until it is closed, of which it may be told more than once.
    private static final class Place implements ChannelListener<StreamConnection> {
        private final AtomicBoolean left = new AtomicBoolean();
        private final Runnable leave;

        Place(Runnable leave) {
            this.leave = leave;
        }

        @Override
        public void handleEvent(StreamConnection closed) {
            if (left.compareAndSet(false, true)) leave.run();
        }
    }

    private boolean enter(InetAddress client) {
        boolean[] entered = new boolean[1];
        clients.compute(client, (_, count) -> {
            int now = count == null ? 0 : count;
            entered[0] = now < limits.perClient();
            return entered[0] ? now + 1 : now;
        });
        return entered[0];
    }

    private void leave(InetAddress client) {
        clients.computeIfPresent(client, (_, count) -> count == 1 ? null : count - 1);
    }

    /// Connections that are open.
    public int inside() {
        return inside.get();
    }

    /// Connections that may be open: past the mark from which memory is tight, none is let in.
    public long most() {
        return Math.min(limits.most(), mostOfMemory);
    }

    /// Connections that kept silent and were ended for newcomers.
    public long displaced() {
        return displaced.sum();
    }

    /// Connections closed since there were too many.
    public long refused() {
        return refused.sum();
    }

    /// Connections closed since their client had too many.
    public long refusedOfClient() {
        return refusedOfClient.sum();
    }

    /// Connections closed since memory was tight.
    public long refusedOfMemory() {
        return refusedOfMemory.sum();
    }

    /// Clients that have connections, as far as those are counted by client.
    int clients() {
        return clients.size();
    }
}
