package gateway.app.proxy;

import gateway.service.ApiMeters;
import gateway.service.Tracer;
import gateway.service.TrafficLog;
import gateway.snapshot.LiveSnapshot;
import gateway.wire.accept.Arrival;
import gateway.wire.accept.BufferPools;
import gateway.wire.accept.ConnectionLimiter;
import gateway.wire.accept.Listening;
import gateway.wire.accept.Newcomers;
import gateway.wire.accept.PriorKnowledge;
import gateway.wire.accept.ProxiedArrival;
import gateway.wire.accept.SecureSetup;
import gateway.wire.accept.TlsListen;
import gateway.wire.client.IoThreadResources;
import gateway.wire.client.PoolState;
import gateway.wire.http1.Refusal;
import gateway.wire.http1.StrictRequests;
import gateway.wire.io.Credit;
import gateway.wire.io.IoThreadWatch;
import gateway.wire.io.IoThreads;
import gateway.wire.io.RequestThreadMode;
import gateway.wire.io.RequestThreads;
import gateway.wire.memory.Kind;
import gateway.wire.memory.MemoryBudget;
import io.undertow.UndertowOptions;
import io.undertow.server.protocol.http.HttpOpenListener;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.xnio.ChannelListeners;
import org.xnio.IoUtils;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.StreamConnection;
import org.xnio.XnioWorker;
import org.xnio.channels.AcceptingChannel;

/// The listeners that clients talk to, and their IO threads. Serves from construction until [#stop].
public final class DataPlane {
    private static final int BACKLOG = 4096;
    private static final Duration ANSWER_OF_IO_THREADS = Duration.ofSeconds(1);

    private final RequestThreads threads;
    private final MemoryBudget memory;
    final Admission admission; // seen by tests
    private final WebSockets webSockets;
    private final Renewals renewals;
    private final ConnectionLimiter connectionLimiter;
    private final ErrorBoundary boundary = new ErrorBoundary();
    private final LongAdder malformed = new LongAdder();
    private final XnioWorker worker;
    private final Credit credit = new Credit();
    private final IoThreadWatch ioThreads;
    private final BufferPools pools;
    private final HttpOpenListener http;
    private final ConnectionSetup setup;
    private final Http2Setup http2;
    private final Drain drain;
    private final Optional<AcceptingChannel<StreamConnection>> listener;
    private final Optional<SecureListener> secure;
    private final AtomicBoolean stopping = new AtomicBoolean();

    /// Binds and starts to serve what `live` holds.
    ///
    /// @throws IOException when the address cannot be bound
    public DataPlane(DataPlaneSettings settings, LiveSnapshot live) throws IOException {
        this(settings, live, ApiMeters.NONE, TrafficLog.OFF);
    }

    /// The same, telling `log` of every request that has ended, and `unrouted` of those that no API serves.
    ///
    /// @throws IOException when the address cannot be bound
    public DataPlane(DataPlaneSettings settings, LiveSnapshot live, ApiMeters unrouted, TrafficLog log)
            throws IOException {
        this(settings, Listening.PLAIN, live, unrouted, log, null);
    }

    /// The same, listening in more ways than one.
    ///
    /// @param tracer null when nothing is traced
    /// @throws IOException when an address cannot be bound
    public DataPlane(
            DataPlaneSettings settings,
            Listening listening,
            LiveSnapshot live,
            ApiMeters unrouted,
            TrafficLog log,
            @Nullable Tracer tracer)
            throws IOException {
        threads = RequestThreads.of(settings.requestThreads());
        memory = settings.memory();
        admission = settings.admission();
        worker = IoThreads.start("gateway", settings.ioThreads());
        ioThreads = new IoThreadWatch(worker, ANSWER_OF_IO_THREADS);
        pools = BufferPools.of(memory, settings.ioThreads());
        http = new HttpOpenListener(pools.buffers(), options(settings));
        var spans = new RequestSpans(tracer);
        var fields = new RequestFields(settings.trustedProxies(), spans, settings.via());
        var tap = new TrafficTap(log, memory.of(Kind.CAPTURES));
        webSockets = new WebSockets(settings.webSockets(), admission);
        renewals = new Renewals(settings.maxInFlight(), boundary);
        var handler = new GatewayHandler(
                live, threads, fields, spans, admission, memory, boundary, unrouted, tap, webSockets, renewals);
        http.setRootHandler(handler);
        var strict = new StrictRequests(settings.wireLimits(), RequestIds::next, this::count);
        setup = new ConnectionSetup(http, strict, pools, threads, settings);
        connectionLimiter = new ConnectionLimiter(
                settings.connections(),
                settings.trustedProxies(),
                memory,
                io -> setup.ioThread(io).silent().makeRoom());
        http2 = new Http2Setup(setup::ioThread, pools.records(), settings, handler, _ -> malformed.increment());
        Arrival plain = listening.http2()
                ? new PriorKnowledge(setup::ioThread, settings.idleTimeout(), settings.headerTimeout(), setup, http2)
                : setup;
        drain = new Drain(admission, webSockets, http, setup, http2);
        listener = listening.plain()
                ? Optional.of(bind(settings.listen(), admitted(plain, listening, settings)))
                : Optional.empty();
        secure = secure(listening, settings);
        listener.ifPresent(AcceptingChannel::resumeAccepts);
        secure.ifPresent(also -> also.channel().resumeAccepts());
    }

    private AcceptingChannel<StreamConnection> bind(InetSocketAddress address, Newcomers newcomers) throws IOException {
        return worker.createStreamConnectionServer(
                address,
                ChannelListeners.openListenerAdapter(newcomers::accept),
                OptionMap.builder()
                        .set(Options.TCP_NODELAY, true)
                        .set(Options.REUSE_ADDRESSES, true)
                        .set(Options.BACKLOG, BACKLOG)
                        .getMap());
    }

    private Optional<SecureListener> secure(Listening listening, DataPlaneSettings settings) throws IOException {
        if (listening.tls().isEmpty()) return Optional.empty();
        TlsListen tls = listening.tls().get();
        var accepted = new SecureSetup(
                tls.tls(),
                setup::ioThread,
                thread -> setup.ioThread(thread).tlsThread(),
                settings.headerTimeout(),
                setup,
                http2);
        try {
            return Optional.of(
                    new SecureListener(bind(tls.address(), admitted(accepted, listening, settings)), accepted));
        } catch (IOException e) {
            throw new IOException("TLS on " + tls.address() + ": " + e.getMessage(), e);
        }
    }

    private Newcomers admitted(Arrival arrival, Listening listening, DataPlaneSettings settings) {
        Arrival known = connectionLimiter.each(arrival);
        Arrival told = listening.proxies().isEmpty()
                ? known
                : new ProxiedArrival(
                        listening.proxies(), io -> setup.ioThread(io).silent(), settings.headerTimeout(), known);
        return new Newcomers(
                io -> setup.ioThread(io).newcomersTurn(), connectionLimiter::admits, credit, listening.proxies(), told);
    }

    /// The TLS listener, as a rule beside the plain one.
    private record SecureListener(AcceptingChannel<StreamConnection> channel, SecureSetup setup) {}

    private static OptionMap options(DataPlaneSettings settings) {
        return OptionMap.builder()
                .set(UndertowOptions.MAX_HEADER_SIZE, settings.maxHeaderBytes() + BufferPools.BUFFER_BYTES)
                .set(UndertowOptions.MAX_HEADERS, settings.maxHeaders() + 1)
                .set(UndertowOptions.MAX_ENTITY_SIZE, -1L)
                .set(UndertowOptions.ALWAYS_SET_KEEP_ALIVE, false)
                .set(UndertowOptions.ALWAYS_SET_DATE, true)
                .set(UndertowOptions.RECORD_REQUEST_START_TIME, false)
                .set(UndertowOptions.ENABLE_HTTP2, false)
                .getMap(); // without its timeouts: it sees a head when that has come whole; see SilenceWatch
    }

    private void count(Refusal refusal) {
        if (refusal == Refusal.MEMORY) admission.refuse();
        else malformed.increment();
    }

    /// Where it really listens, in the clear or else for TLS: the port that was chosen for 0.
    public InetSocketAddress address() {
        return listener.or(() -> secure.map(SecureListener::channel))
                .orElseThrow()
                .getLocalAddress(InetSocketAddress.class);
    }

    /// Where it really listens for TLS; empty when it does not.
    public Optional<InetSocketAddress> secureAddress() {
        return secure.map(also -> also.channel().getLocalAddress(InetSocketAddress.class));
    }

    /// TLS handshakes that failed or took too long.
    public long failedHandshakes() {
        return secure.map(also -> also.setup().failures()).orElse(0L);
    }

    /// What carries request threads, after a possible fall-back.
    public RequestThreadMode requestThreads() {
        return threads.mode();
    }

    /// The names of the IO threads that have not done what they were asked to within a second. Waits that long at most.
    public List<String> silentIoThreads() {
        return ioThreads.silent();
    }

    /// What belongs to each IO thread.
    public List<IoThreadResources> ioThreads() {
        return IntStream.range(0, worker.getIoThreadCount())
                .mapToObj(number -> setup.ioThread(worker.getIoThread(number)))
                .toList();
    }

    /// Has `work` done when it is time to answer what has no answer yet: whatever request threads wait for beside
    /// upstreams has to end then.
    public void endWith(Runnable work) {
        drain.endWith(work);
    }

    /// What is held for clients.
    public MemoryBudget memory() {
        return memory;
    }

    public int requestsInFlight() {
        return admission.inFlight();
    }

    /// Requests that wait for a place among those in flight.
    public int requestsWaiting() {
        return admission.waiting();
    }

    /// Requests for which nothing is done, since their clients are awaited; none of [#requestsInFlight].
    public int requestsAwaitingClients() {
        return admission.awaitingClients();
    }

    /// Connections of clients, from when they are accepted; handshakes under way and PROXY headers that are awaited
    /// included.
    public int connections() {
        return connectionLimiter.inside();
    }

    /// How many of them there may be: as many as are set, and no more than memory allows.
    public long mostConnections() {
        return connectionLimiter.most();
    }

    /// Connections on which no API has answered yet and that wait until it is their turn.
    public int newcomersWaiting() {
        return setup.newcomersWaiting();
    }

    /// TLS handshakes under way.
    public int handshakes() {
        return secure.map(also -> also.setup().underWay()).orElse(0);
    }

    /// Connections that kept silent and were ended for newcomers, since there were as many as may be.
    public long displacedConnections() {
        return connectionLimiter.displaced();
    }

    /// Connections closed at once since there were too many.
    public long refusedConnections() {
        return connectionLimiter.refused();
    }

    /// Connections closed at once since their client had too many.
    public long refusedConnectionsOfClients() {
        return connectionLimiter.refusedOfClient();
    }

    /// Connections closed at once since memory was tight.
    public long refusedConnectionsOfMemory() {
        return connectionLimiter.refusedOfMemory();
    }

    /// WebSockets that are open; none of [#requestsInFlight].
    public int webSockets() {
        return webSockets.open();
    }

    /// Handshakes answered 503 because too many WebSockets were open, or the gateway was stopping.
    public long refusedWebSockets() {
        return webSockets.refused();
    }

    /// Connections to upstreams, of all IO threads together.
    public List<PoolState> upstreamPools() {
        return PoolState.merged(setup.everyIoThread());
    }

    /// Requests answered 503 because too many were in flight and waited, or waited too long.
    public long refusedRequests() {
        return admission.refused();
    }

    /// Requests answered 503 because their client had as many under way as it may.
    public long refusedRequestsOfClients() {
        return admission.refusedOfClients();
    }

    /// Requests refused because they were not strict HTTP/1.1.
    public long malformedRequests() {
        return malformed.sum();
    }

    /// Times that a request went on outside its IO thread, since that waited for a lock.
    public long rescuedTurns() {
        return threads.rescued();
    }

    /// What went on behind an answer that was given from what is kept: an upstream was asked, or another node's store.
    public long renewals() {
        return renewals.begun();
    }

    /// What did not go on behind such an answer, since there was no room.
    public long droppedRenewals() {
        return renewals.dropped();
    }

    /// Requests that failed unexpectedly.
    public long failedRequests() {
        return boundary.failures();
    }

    /// Stops accepting, waits until what is in flight has been answered or `patience` is over, then closes everything.
    ///
    /// Every answer now ends its connection. A client that sends one request after the other is told so by its next
    /// answer; connections on which nothing has come for [Drain#LAST_CALL] are closed.
    ///
    /// A second call changes nothing.
    ///
    /// @return whether every request was answered
    public boolean stop(Duration patience) {
        if (!stopping.compareAndSet(false, true)) return admission.isIdle();
        admission.drain();
        listener.ifPresent(IoUtils::safeClose);
        secure.ifPresent(also -> IoUtils.safeClose(also.channel()));
        boolean drained = drain.run(patience);
        worker.shutdownNow();
        awaitEnd();
        threads.close();
        pools.close();
        return drained;
    }

    /// [#stop] waits no longer.
    public void hurry() {
        drain.hurry();
    }

    private void awaitEnd() {
        try {
            worker.awaitTermination(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
