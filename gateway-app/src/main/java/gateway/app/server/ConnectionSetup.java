package gateway.app.server;

import gateway.app.budget.MemoryBudget;
import gateway.app.server.wire.StrictRequests;
import gateway.app.upstream.BufferPool;
import gateway.app.upstream.Lane;
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
    private final Duration bodyTimeout;
    private final LeastRates leastRates;
    private final BufferPool buffers;
    private final BufferPool records;
    private final MemoryBudget memory;
    private final Map<XnioIoThread, Lane> lanes;
    private final Set<Http1Connection> connections = ConcurrentHashMap.newKeySet();

    ConnectionSetup(
            HttpOpenListener http,
            StrictRequests strict,
            BufferPool buffers,
            BufferPool records,
            MemoryBudget memory,
            int ioThreads,
            Duration bodyTimeout,
            LeastRates leastRates) {
        this.http = http;
        this.strict = strict;
        this.bodyTimeout = bodyTimeout;
        this.leastRates = leastRates;
        this.buffers = buffers;
        this.records = records;
        this.memory = memory;
        this.lanes = new ConcurrentHashMap<>(ioThreads * 2);
    }

    @Override
    public void take(StreamConnection channel, InetSocketAddress client) {
        Lane lane = lane(channel.getIoThread());
        var connection = new Http1Connection(lane, channel, client.getAddress(), connections, bodyTimeout, leastRates);
        var above = new ReadReadyHandler.ChannelListenerHandler<>(channel.getSourceChannel());
        var source = new ClientSource(channel.getSourceChannel().getConduit(), connection, above);
        channel.getSourceChannel().setConduit(source);
        strict.guard(channel); // above the lazy source, below the sink that Undertow sees
        channel.getSinkChannel()
                .setConduit(new ClientSink(channel.getSinkChannel().getConduit(), connection));
        var told = channel.getCloseListener();
        http.handleEvent(channel);
        Turnstile.tellAlso(channel, told); // Undertow puts its own in its place
    }

    /// What belongs to the IO thread `io`.
    Lane lane(XnioIoThread io) {
        return lanes.computeIfAbsent(io, each -> new Lane(each, buffers, records, memory));
    }

    int connections() {
        return connections.size();
    }

    /// Closes the connections on which no request is under way, soon.
    void closeIdle() {
        connections.forEach(Http1Connection::closeIfIdle);
    }

    Collection<Lane> lanes() {
        return lanes.values();
    }
}
