package gateway.app.proxy;

import gateway.wire.accept.Arrival;
import gateway.wire.accept.ConnectionLimiter;
import gateway.wire.client.IoThreadResources;
import gateway.wire.http1.Refusal;
import gateway.wire.http2.Http2Limits;
import gateway.wire.io.Newcomer;
import io.undertow.connector.ByteBufferPool;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.xnio.StreamConnection;
import org.xnio.XnioIoThread;

/// Takes over connections of clients that speak HTTP/2.
final class Http2Setup implements Arrival {
    private final Function<XnioIoThread, IoThreadResources> everyIoThread;
    private final ByteBufferPool records;
    private final Http2Limits limits;
    private final LeastRates leastRates;
    private final GatewayHandler handler;
    private final Consumer<Refusal> refused;
    private final Set<Http2Connection> connections = ConcurrentHashMap.newKeySet();

    /// @param records of buffers that hold the largest frame and more
    /// @param refused told of each request that is malformed
    Http2Setup(
            Function<XnioIoThread, IoThreadResources> everyIoThread,
            ByteBufferPool records,
            DataPlaneSettings settings,
            GatewayHandler handler,
            Consumer<Refusal> refused) {
        this.everyIoThread = everyIoThread;
        this.records = records;
        this.limits = settings.http2Limits();
        this.leastRates = settings.leastRates();
        this.handler = handler;
        this.refused = refused;
    }

    @Override
    @SuppressWarnings("UnusedVariable") // it joins the open connections
    public void take(StreamConnection channel, InetSocketAddress client, Newcomer newcomer) {
        IoThreadResources ioThread = everyIoThread.apply(channel.getIoThread());
        var told = channel.getCloseListener();
        var _ = new Http2Connection(
                ioThread,
                channel,
                client.getAddress(),
                newcomer,
                connections,
                records,
                limits,
                leastRates,
                handler,
                refused);
        ConnectionLimiter.tellAlso(channel, told); // the session puts its own in its place
    }

    int connections() {
        return connections.size();
    }

    /// Has clients open no more streams, and closes the connections without any, soon. To be called again.
    void leave() {
        connections.forEach(Http2Connection::leave);
    }

    /// Waits for nothing any longer: streams without an answer are given one, and no more are served, soon.
    void stop() {
        connections.forEach(Http2Connection::stop);
    }

    /// Ends all, whatever is under way, and has clients learn it, soon.
    void end() {
        connections.forEach(Http2Connection::end);
    }

    /// Closes all that are left, soon.
    void close() {
        connections.forEach(Http2Connection::close);
    }
}
