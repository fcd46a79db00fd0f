package gateway.wire.client;

import gateway.http.FailureReason;
import gateway.http.UpstreamException;
import gateway.wire.http2.UpstreamSession;
import gateway.wire.io.Deadlines;
import gateway.wire.tls.TlsConnection;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.xnio.StreamConnection;

/// HTTP/2 connections to one server, of one IO thread, and the calls that wait for a place on one. A further connection
/// is made when those that are open take no more requests; the number of both is bounded.
///
/// Connections that the server leaves, or is left on, do not count: each of them ends with its last stream, which may
/// be hours away, and a server that renews its connections takes requests on new ones all the while.
final class SharedConnections implements UpstreamSession.Owner, Connector.Caller, Deadlines.Timed {
    private static final int MOST_CONNECTIONS = 8;
    private static final int MOST_WAITING = 1024;

    private final IoThreadResources ioThread;
    private final TargetAddress address;
    private final ServerAddresses addresses;
    private final ArrayList<SharedConnection> open = new ArrayList<>(2);
    private final ArrayList<SharedConnection> leaving = new ArrayList<>(0);
    private final ArrayDeque<Http2Call> waiting = new ArrayDeque<>();
    private final AtomicInteger opened = new AtomicInteger(); // those open and leaving, for any thread
    private final AtomicInteger unused = new AtomicInteger(); // how many of them have no stream, likewise
    private @Nullable Connector connector;
    private @Nullable Terms terms; // of the call that the last connection was made for
    private long connectUntil;
    private int slot = -1;

    SharedConnections(IoThreadResources ioThread, TargetAddress address) {
        this.ioThread = ioThread;
        this.address = address;
        this.addresses = new ServerAddresses(address.host());
    }

    TargetAddress address() {
        return address;
    }

    /// Has `call` begin on a connection: at once, or when there is room.
    void place(Http2Call call) {
        UpstreamSession session = waiting.isEmpty() ? withRoom() : null;
        if (session != null) {
            call.begin(session);
            count();
            return;
        }
        if (waiting.size() >= MOST_WAITING) {
            call.fail(full());
            return;
        }
        waiting.addLast(call);
        if (isShort()) connect(call.terms());
    }

    /// `call` waits no longer.
    void forget(Http2Call call) {
        waiting.remove(call);
    }

    /// Why a call has waited in vain.
    UpstreamException late() {
        return mayHaveRoom()
                ? full()
                : new UpstreamException(FailureReason.CONNECT_TIMEOUT, "the upstream took too long");
    }

    /// Whether a connection is open that takes requests again when others have ended.
    private boolean mayHaveRoom() {
        for (int i = 0; i < open.size(); i++) {
            if (open.get(i).session().isUsable()) return true;
        }
        return false;
    }

    private static UpstreamException full() {
        return new UpstreamException(FailureReason.BUSY, "too many requests are with the upstream already");
    }

    private @Nullable UpstreamSession withRoom() {
        for (int i = 0; i < open.size(); i++) {
            UpstreamSession session = open.get(i).session();
            if (session.hasRoom()) return session;
        }
        return null;
    }

    /// Whether one more connection is to be made.
    private boolean isShort() {
        return connector == null && open.size() < MOST_CONNECTIONS;
    }

    private void connect(Terms on) {
        long now = System.nanoTime();
        terms = on;
        connectUntil = now + on.timeouts().connect();
        var next = new Connector(this, ioThread, address);
        connector = next;
        ioThread.callDeadlines().watch(this);
        next.start(on.resolver(), on.dnsRefresh(), connectUntil);
    }

    private void connectorDone() {
        connector = null;
        ioThread.callDeadlines().forget(this);
    }

    @Override
    public void connected(StreamConnection channel) {
        connectorDone();
        if (channel instanceof TlsConnection secure && !secure.protocol().equals(UpstreamProtocols.HTTP_2)) {
            connectedByHttp1(channel);
            return;
        }
        addresses.follow(Objects.requireNonNull(terms));
        var connection = new SharedConnection(this, ioThread, channel, addresses);
        open.add(connection);
        connection.begin();
        roomier();
        count();
    }

    /// The server has chosen HTTP/1.1, and will for a while: it is not asked each time.
    private void connectedByHttp1(StreamConnection channel) {
        ioThread.http1Servers().add(address, System.nanoTime());
        new UpstreamConnection(ioThread, address.byHttp1(), channel, Objects.requireNonNull(terms))
                .release(Surplus.UNLIKELY);
        while (!waiting.isEmpty()) waiting.removeFirst().byHttp1();
        forgetIfUnused();
    }

    @Override
    public void unreachable(UpstreamException why) {
        connectorDone();
        if (mayHaveRoom()) return; // those that wait may still come to their turn
        while (!waiting.isEmpty()) waiting.removeFirst().fail(why);
        forgetIfUnused();
    }

    @Override
    public void roomier() {
        while (!waiting.isEmpty()) {
            UpstreamSession session = withRoom();
            if (session == null) break;
            waiting.removeFirst().begin(session);
        }
        if (!waiting.isEmpty() && isShort()) connect(waiting.getFirst().terms());
        count();
    }

    @Override
    public void leaving(UpstreamSession session) {
        SharedConnection connection = taken(open, session);
        if (connection != null) leaving.add(connection);
        roomier();
    }

    @Override
    public void closed(UpstreamSession session) {
        SharedConnection connection = taken(open, session);
        if (connection == null) connection = taken(leaving, session);
        if (connection != null) connection.end();
        roomier();
        forgetIfUnused();
    }

    /// The connection of `session`, which is among `from` no longer; null: it was not.
    private static @Nullable SharedConnection taken(List<SharedConnection> from, UpstreamSession session) {
        for (int i = 0; i < from.size(); i++) {
            if (from.get(i).session().equals(session)) return from.remove(i);
        }
        return null;
    }

    private void forgetIfUnused() {
        if (open.isEmpty() && leaving.isEmpty() && waiting.isEmpty() && connector == null) ioThread.unused(this);
    }

    private void count() {
        int idle = 0;
        for (int i = 0; i < open.size(); i++) {
            if (open.get(i).session().isUnused()) idle++;
        }
        opened.setRelease(open.size() + leaving.size());
        unused.setRelease(idle);
    }

    PoolState state(String upstream) {
        return new PoolState(upstream, opened.getAcquire(), unused.getAcquire());
    }

    /// Closes what is unused.
    void close() {
        for (SharedConnection each : List.copyOf(open)) each.session().closeIfUnused();
    }

    @Override
    public void onTick(long now) {
        Connector current = connector;
        if (current == null) return;
        if (now - connectUntil < 0) {
            current.onTick(now);
            return;
        }
        current.cancel();
        unreachable(new UpstreamException(FailureReason.CONNECT_TIMEOUT, "the upstream took too long"));
    }

    @Override
    public int slot() {
        return slot;
    }

    @Override
    public void slot(int value) {
        slot = value;
    }
}
