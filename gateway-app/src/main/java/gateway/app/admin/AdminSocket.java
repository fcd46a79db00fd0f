package gateway.app.admin;

import gateway.wire.accept.ClientSilence;
import gateway.wire.accept.ConnectionLimiter;
import gateway.wire.accept.SilenceWatch;
import gateway.wire.http1.StrictRequests;
import gateway.wire.http1.WireLimits;
import gateway.wire.io.Deadlines;
import gateway.wire.io.HeapPieces;
import gateway.wire.io.IoThreads;
import gateway.wire.io.NextTurn;
import gateway.wire.io.SilentConnections;
import gateway.wire.io.Sockets;
import gateway.wire.memory.Budget;
import gateway.wire.memory.Pressure;
import gateway.wire.memory.Purse;
import io.undertow.UndertowOptions;
import io.undertow.server.DefaultByteBufferPool;
import io.undertow.server.HttpHandler;
import io.undertow.server.protocol.http.HttpOpenListener;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.xnio.ChannelListeners;
import org.xnio.IoUtils;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.StreamConnection;
import org.xnio.XnioIoThread;
import org.xnio.XnioWorker;
import org.xnio.channels.AcceptingChannel;

/// Where operators connect, with an IO thread of its own. Requests pass the same strict check as those of clients
/// ([StrictRequests]) before the HTTP parser sees them, and draw on memory of their own. When there are as many
/// connections as may be, the next takes the place of the one that has been silent for longest: who only holds
/// connections open keeps nobody out.
final class AdminSocket implements AutoCloseable {
    private static final WireLimits WIRE = new WireLimits(16 * 1024, 8 * 1024, 100);
    private static final long MOST_BYTES_OF_HEADS = 8L * 1024 * 1024;
    private static final Duration HEAD = Duration.ofSeconds(10);
    private static final Duration IDLE = Duration.ofSeconds(60);
    private static final long TICK_MILLIS = 500;
    private static final int BUFFER_BYTES = 16 * 1024;
    private static final int SPARE_BUFFERS = 64;
    private static final int BACKLOG = 1000;

    private final XnioWorker worker;
    private final DefaultByteBufferPool buffers;
    private final HttpOpenListener http;
    private final AcceptingChannel<StreamConnection> listener;

    private AdminSocket(
            XnioWorker worker,
            DefaultByteBufferPool buffers,
            HttpOpenListener http,
            AcceptingChannel<StreamConnection> listener) {
        this.worker = worker;
        this.buffers = buffers;
        this.http = http;
        this.listener = listener;
    }

    /// Binds and serves.
    ///
    /// @param connections open at a time; when all have a request under way, more wait to be accepted
    /// @throws IOException when the address cannot be bound
    static AdminSocket open(InetSocketAddress address, HttpHandler handler, int connections, OptionMap options)
            throws IOException {
        XnioWorker worker = IoThreads.start("admin", 1);
        var buffers = new DefaultByteBufferPool(false, BUFFER_BYTES, SPARE_BUFFERS, 0);
        try {
            var http = new HttpOpenListener(buffers, withLimits(options));
            http.setRootHandler(handler);
            var listener = bind(worker, address, http, connections);
            listener.resumeAccepts();
            return new AdminSocket(worker, buffers, http, listener);
        } catch (IOException | RuntimeException e) {
            worker.shutdownNow();
            buffers.close();
            throw e;
        }
    }

    InetSocketAddress address() {
        return listener.getLocalAddress(InetSocketAddress.class);
    }

    @Override
    public void close() {
        IoUtils.safeClose(listener);
        http.closeConnections();
        worker.shutdownNow();
        try {
            worker.awaitTermination(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        buffers.close();
    }

    private static AcceptingChannel<StreamConnection> bind(
            XnioWorker worker, InetSocketAddress address, HttpOpenListener http, int connections) throws IOException {
        var strict = new StrictRequests(WIRE, () -> UUID.randomUUID().toString(), _ -> {});
        XnioIoThread io = worker.getIoThread(); // there is one
        var deadlines = new Deadlines(io, new NextTurn(io), TICK_MILLIS);
        var heads = new Budget(MOST_BYTES_OF_HEADS);
        var watch = new SilenceWatch(
                deadlines, new SilentConnections(), () -> Pressure.NONE, heads, HEAD, IDLE, connections);
        var purse = new Purse(heads);
        return worker.createStreamConnectionServer(
                address,
                ChannelListeners.openListenerAdapter(accepted -> {
                    accepted.getSinkChannel()
                            .setConduit(new HeapPieces(accepted.getSinkChannel().getConduit()));
                    watch.makeRoom();
                    var silence = new ClientSilence(accepted, () -> false, watch, purse, () -> Sockets.close(accepted));
                    strict.guard(accepted, silence);
                    http.handleEvent(accepted);
                    ConnectionLimiter.tellAlso(accepted, _ -> silence.closed());
                }),
                OptionMap.builder()
                        .set(Options.TCP_NODELAY, true)
                        .set(Options.REUSE_ADDRESSES, true)
                        .set(Options.BACKLOG, BACKLOG)
                        .set(Options.CONNECTION_HIGH_WATER, connections + 1)
                        .set(Options.CONNECTION_LOW_WATER, connections + 1)
                        .getMap());
    }

    /// Undertow's limits lie past those of the strict check, which answers what it refuses.
    private static OptionMap withLimits(OptionMap options) {
        return OptionMap.builder()
                .addAll(options)
                .set(UndertowOptions.MAX_HEADER_SIZE, WIRE.headBytes() + BUFFER_BYTES)
                .set(UndertowOptions.MAX_HEADERS, WIRE.headers() + 1)
                .getMap();
    }
}
