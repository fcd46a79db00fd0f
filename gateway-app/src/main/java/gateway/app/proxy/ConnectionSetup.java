package gateway.app.proxy;

import gateway.wire.accept.Arrival;
import gateway.wire.accept.BufferPools;
import gateway.wire.accept.ClientSilence;
import gateway.wire.accept.ConnectionLimiter;
import gateway.wire.accept.SilenceWatch;
import gateway.wire.client.IoThreadResources;
import gateway.wire.client.UnaskedServers;
import gateway.wire.http1.StrictRequests;
import gateway.wire.io.HeapPieces;
import gateway.wire.io.Newcomer;
import gateway.wire.io.RequestThreads;
import gateway.wire.memory.Kind;
import gateway.wire.memory.MemoryBudget;
import io.undertow.server.protocol.http.HttpOpenListener;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.xnio.StreamConnection;
import org.xnio.XnioIoThread;
import org.xnio.conduits.ReadReadyHandler;

/// Makes an accepted socket ready and hands it to Undertow. From the socket up stand: the lazily suspended source,
/// the strict request check, Undertow's parser; and on the way out Undertow, [ClientSink], the socket.
final class ConnectionSetup implements Arrival {
    private final HttpOpenListener http;
    private final StrictRequests strict;
    private final Duration headerTimeout;
    private final Duration idleTimeout;
    private final Duration bodyTimeout;
    private final LeastRates leastRates;
    private final BufferPools pools;
    private final RequestThreads threads;
    private final MemoryBudget memory;
    private final UnaskedServers unaskedServers = new UnaskedServers();
    private final Map<XnioIoThread, IoThreadResources> everyIoThread;
    private final Map<XnioIoThread, SilenceWatch> watches;
    private final Set<Http1Connection> connections = ConcurrentHashMap.newKeySet();

    ConnectionSetup(
            HttpOpenListener http,
            StrictRequests strict,
            BufferPools pools,
            RequestThreads threads,
            DataPlaneSettings settings) {
        this.threads = threads;
        this.http = http;
        this.strict = strict;
        this.headerTimeout = settings.headerTimeout();
        this.idleTimeout = settings.idleTimeout();
        this.bodyTimeout = settings.bodyTimeout();
        this.leastRates = settings.leastRates();
        this.pools = pools;
        this.memory = settings.memory();
        this.everyIoThread = new ConcurrentHashMap<>(settings.ioThreads() * 2);
        this.watches = new ConcurrentHashMap<>(settings.ioThreads() * 2);
    }

    @Override
    public void take(StreamConnection channel, InetSocketAddress client, Newcomer newcomer) {
        IoThreadResources ioThread = ioThread(channel.getIoThread());
        var connection = new Http1Connection(
                ioThread, channel, client.getAddress(), newcomer, connections, bodyTimeout, leastRates);
        var above = new ReadReadyHandler.ChannelListenerHandler<>(channel.getSourceChannel());
        var source = new ClientSource(channel.getSourceChannel().getConduit(), connection, above);
        channel.getSourceChannel().setConduit(source);
        channel.getSinkChannel()
                .setConduit(new HeapPieces(channel.getSinkChannel().getConduit()));
        var silence = new ClientSilence(
                channel, newcomer::awaitsTurn, watch(ioThread), ioThread.purse(Kind.HEADS), connection::closeIfSilent);
        connection.guardedBy(strict.guard(channel, silence)); // above the lazy source, below Undertow's sink
        channel.getSinkChannel()
                .setConduit(new ClientSink(channel.getSinkChannel().getConduit(), connection));
        var told = channel.getCloseListener();
        http.handleEvent(channel);
        ConnectionLimiter.tellAlso(channel, told); // Undertow puts its own in its place
        ConnectionLimiter.tellAlso(channel, _ -> silence.closed());
    }

    private SilenceWatch watch(IoThreadResources ioThread) {
        return watches.computeIfAbsent(
                ioThread.io(),
                _ -> new SilenceWatch(
                        ioThread.connectionDeadlines(),
                        ioThread.silent(),
                        memory::pressure,
                        memory.of(Kind.HEADS),
                        headerTimeout,
                        idleTimeout));
    }

    /// What belongs to the IO thread `io`.
    IoThreadResources ioThread(XnioIoThread io) {
        return everyIoThread.computeIfAbsent(
                io,
                each -> new IoThreadResources(
                        each, pools.buffers(), pools.records(), memory, unaskedServers, threads.turnsOn(each)));
    }

    /// Newcomers whose turn it is not yet.
    int newcomersWaiting() {
        return everyIoThread.values().stream()
                .mapToInt(each -> each.newcomersTurn().waiting())
                .sum();
    }

    int connections() {
        return connections.size();
    }

    /// Closes the connections on which no request is under way, soon.
    void closeIdle() {
        connections.forEach(Http1Connection::closeIfIdle);
    }

    /// Waits for nothing any longer: requests without an answer are given one, soon.
    void stop() {
        connections.forEach(Http1Connection::stop);
    }

    /// Closes all, whatever is under way, soon.
    void close() {
        connections.forEach(Http1Connection::closeSoon);
    }

    Collection<IoThreadResources> everyIoThread() {
        return everyIoThread.values();
    }
}
