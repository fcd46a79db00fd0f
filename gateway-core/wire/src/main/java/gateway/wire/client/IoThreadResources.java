package gateway.wire.client;

import gateway.wire.http1.ResponseHeadParser;
import gateway.wire.io.BufferPool;
import gateway.wire.io.ConnectionResources;
import gateway.wire.io.Deadlines;
import gateway.wire.io.HeadWriter;
import gateway.wire.io.NewcomersTurn;
import gateway.wire.io.NextTurn;
import gateway.wire.io.SilentConnections;
import gateway.wire.memory.Kind;
import gateway.wire.memory.MemoryBudget;
import gateway.wire.memory.Purse;
import gateway.wire.tls.TlsThreadResources;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.xnio.XnioIoThread;

/// What belongs to one IO thread and is used by it alone, so without locks: buffers, scratch space, deadlines
/// and the idle upstream connections.
public final class IoThreadResources implements ConnectionResources {
    private static final long CALL_TICK_MILLIS = 50;
    private static final long CONNECTION_TICK_MILLIS = 500;

    private final XnioIoThread io;
    private final BufferPool buffers;
    private final BufferPool records;
    private final MemoryBudget memory;
    private final Map<Kind, Purse> purses = new EnumMap<>(Kind.class);
    private final HeadWriter headWriter = new HeadWriter();
    private final ResponseHeadParser headParser = new ResponseHeadParser();
    private final Deadlines callDeadlines;
    private final Deadlines connectionDeadlines;
    private final Map<TargetAddress, IdleConnections> idle = new ConcurrentHashMap<>();
    private final Map<TargetAddress, SharedConnections> shared = new ConcurrentHashMap<>();
    private final Http1Servers http1Servers = new Http1Servers();
    private final UnaskedServers unaskedServers;
    private final ClientTlsTable tls = new ClientTlsTable();
    private final TlsThreadResources tlsThread;
    private final SilentConnections silent = new SilentConnections();
    private final NextTurn nextTurn;
    private final NewcomersTurn newcomersTurn;
    private final Runnable requestTurns;

    /// @param records buffers for TLS, of [gateway.wire.tls.TlsConnection#BUFFER_BYTES] each
    /// @param memory of the process
    /// @param unaskedServers of the process
    /// @param requestTurns see [gateway.wire.io.RequestThreads#turnsOn]
    public IoThreadResources(
            XnioIoThread io,
            BufferPool buffers,
            BufferPool records,
            MemoryBudget memory,
            UnaskedServers unaskedServers,
            Runnable requestTurns) {
        this.unaskedServers = unaskedServers;
        this.requestTurns = requestTurns;
        this.records = records;
        this.memory = memory;
        for (Kind kind : Kind.values()) purses.put(kind, new Purse(memory.of(kind)));
        this.io = io;
        this.buffers = buffers;
        this.tlsThread = new TlsThreadResources(records, purse(Kind.RECORDS), purse(Kind.ENGINES), silent);
        this.nextTurn = new NextTurn(io);
        this.newcomersTurn = new NewcomersTurn(io, nextTurn);
        this.callDeadlines = new Deadlines(io, nextTurn, CALL_TICK_MILLIS);
        this.connectionDeadlines = new Deadlines(io, nextTurn, CONNECTION_TICK_MILLIS);
    }

    public XnioIoThread io() {
        return io;
    }

    @Override
    public BufferPool buffers() {
        return buffers;
    }

    /// The memory that is held for clients, of all IO threads together.
    @Override
    public MemoryBudget memory() {
        return memory;
    }

    /// What this thread takes of one kind of it.
    @Override
    @SuppressWarnings("NullAway") // there is one for each kind
    public Purse purse(Kind kind) {
        return purses.get(kind);
    }

    BufferPool records() {
        return records;
    }

    ClientTlsTable tls() {
        return tls;
    }

    /// What the TLS connections of this thread share.
    public TlsThreadResources tlsThread() {
        return tlsThread;
    }

    @Override
    public SilentConnections silent() {
        return silent;
    }

    @Override
    public NextTurn nextTurn() {
        return nextTurn;
    }

    /// What this thread does for newcomers.
    public NewcomersTurn newcomersTurn() {
        return newcomersTurn;
    }

    /// Runs the requests that a callback of this thread's loop has woken, as its last act.
    void runRequestTurns() {
        requestTurns.run();
    }

    /// For exchanges in flight: late by 50 ms at most.
    Deadlines callDeadlines() {
        return callDeadlines;
    }

    /// For connections: late by 500 ms at most.
    @Override
    public Deadlines connectionDeadlines() {
        return connectionDeadlines;
    }

    /// Scratch space, for one head at a time.
    public HeadWriter headWriter() {
        return headWriter;
    }

    ResponseHeadParser headParser() {
        return headParser;
    }

    /// The connections of this thread by server, seen from any thread.
    List<PoolState> pools() {
        return Stream.concat(
                        idle.entrySet().stream()
                                .map(each -> each.getValue().state(each.getKey().toString())),
                        shared.entrySet().stream()
                                .map(each -> each.getValue().state(each.getKey().toString())))
                .toList();
    }

    /// A connection to take up again; null when none waits.
    @Nullable
    UpstreamConnection kept(TargetAddress address) {
        IdleConnections connections = idle.get(address);
        return connections == null ? null : connections.take();
    }

    /// Where an open connection belongs.
    IdleConnections idle(TargetAddress address) {
        IdleConnections connections = idle.get(address);
        if (connections == null) {
            connections = new IdleConnections(this, address);
            idle.put(address, connections);
        }
        return connections;
    }

    /// The connections that serve many requests at once.
    SharedConnections shared(TargetAddress address) {
        SharedConnections connections = shared.get(address);
        if (connections == null) {
            connections = new SharedConnections(this, address);
            shared.put(address, connections);
        }
        return connections;
    }

    /// No connection of `connections` is open, and nobody waits for one.
    void unused(SharedConnections connections) {
        shared.remove(connections.address(), connections);
    }

    Http1Servers http1Servers() {
        return http1Servers;
    }

    UnaskedServers unaskedServers() {
        return unaskedServers;
    }

    /// A connection was closed. Servers to which none is open are forgotten.
    void closed(TargetAddress address) {
        IdleConnections connections = idle(address);
        connections.closed();
        if (connections.isUnused()) idle.remove(address);
    }

    /// Closes what is idle. Called on the IO thread when the data plane stops.
    public void close() {
        idle.values().forEach(IdleConnections::close);
        shared.values().forEach(SharedConnections::close);
        nextTurn.close();
    }
}
