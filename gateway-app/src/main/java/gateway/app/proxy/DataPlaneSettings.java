package gateway.app.proxy;

import gateway.net.IpRanges;
import gateway.wire.accept.ConnectionLimits;
import gateway.wire.http1.WireLimits;
import gateway.wire.http2.Http2Limits;
import gateway.wire.io.RequestThreadMode;
import gateway.wire.memory.MemoryBudget;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Consumer;

/// How the data plane listens and what it lets in.
///
/// @param listen in the clear, where [Listening#plain]; port 0: any free one
/// @param requestThreads what carries request threads; [RequestThreadMode#JDK] where the JDK forbids the other
/// @param maxInFlight requests at once; others wait
/// @param maxAway requests that wait for their clients besides; each may hold a connection to an upstream
/// @param waiting how many of those, and how long; more are answered 503
/// @param maxHeaderBytes most bytes of request line and headers together
/// @param maxHeaders most header lines
/// @param headerTimeout from a request's first byte to the end of its head
/// @param idleTimeout how long a connection may wait for its next request
/// @param bodyTimeout how long either side of a connection may stand still in the middle of a message
/// @param leastRates how many bytes a second a message has to get on by
/// @param requestsPerClient that one client may have under way, waiting ones included; 0: as many as it likes
/// @param trustedProxies peers whose `X-Forwarded-*`, `X-Request-Id` and `traceparent` are believed
/// @param via whether requests to upstreams say by `Via` that they came this way
/// @param memory what is held for clients draws on it
public record DataPlaneSettings(
        InetSocketAddress listen,
        int ioThreads,
        RequestThreadMode requestThreads,
        int maxInFlight,
        int maxAway,
        WaitingLimits waiting,
        int maxHeaderBytes,
        int maxHeaders,
        Duration headerTimeout,
        Duration idleTimeout,
        Duration bodyTimeout,
        LeastRates leastRates,
        int requestsPerClient,
        IpRanges trustedProxies,
        WebSocketLimits webSockets,
        ConnectionLimits connections,
        boolean via,
        MemoryBudget memory) {

    /// One IO thread a CPU, 10,000 requests in flight and none waiting, 32 KiB and 100 headers, 10 s for a head, 60 s
    /// idle, 30 s standing still, nobody trusted.
    public static DataPlaneSettings on(InetSocketAddress listen) {
        return new DataPlaneSettings(
                listen,
                Runtime.getRuntime().availableProcessors(),
                RequestThreadMode.IO,
                10_000,
                Integer.MAX_VALUE,
                WaitingLimits.NONE,
                32 * 1024,
                100,
                Duration.ofSeconds(10),
                Duration.ofSeconds(60),
                Duration.ofSeconds(30),
                LeastRates.USUAL,
                0,
                IpRanges.NONE,
                WebSocketLimits.USUAL,
                ConnectionLimits.NONE,
                false,
                MemoryBudget.ofThisProcess());
    }

    /// How large the head of a request may be.
    WireLimits wireLimits() {
        return new WireLimits(maxHeaderBytes, Math.max(64, maxHeaderBytes / 2), maxHeaders);
    }

    /// Who is let in, and who waits.
    Admission admission() {
        return new Admission(maxInFlight, maxAway, waiting, new Clients(requestsPerClient, trustedProxies));
    }

    /// What one connection of HTTP/2 may ask for.
    Http2Limits http2Limits() {
        return new Http2Limits(wireLimits(), headerTimeout, idleTimeout, bodyTimeout, webSockets.most() > 0);
    }

    public DataPlaneSettings withIoThreads(int threads) {
        return with(change -> change.ioThreads = threads);
    }

    public DataPlaneSettings withRequestThreads(RequestThreadMode mode) {
        return with(change -> change.requestThreads = mode);
    }

    public DataPlaneSettings withMaxInFlight(int requests) {
        return with(change -> change.maxInFlight = requests);
    }

    public DataPlaneSettings withMaxAway(int requests) {
        return with(change -> change.maxAway = requests);
    }

    public DataPlaneSettings withWaiting(WaitingLimits limits) {
        return with(change -> change.waiting = limits);
    }

    public DataPlaneSettings withTimeouts(Duration header, Duration idle, Duration body) {
        return with(change -> {
            change.headerTimeout = header;
            change.idleTimeout = idle;
            change.bodyTimeout = body;
        });
    }

    public DataPlaneSettings withLeastRates(LeastRates rates) {
        return with(change -> change.leastRates = rates);
    }

    public DataPlaneSettings withRequestsPerClient(int requests) {
        return with(change -> change.requestsPerClient = requests);
    }

    public DataPlaneSettings withTrustedProxies(IpRanges proxies) {
        return with(change -> change.trustedProxies = proxies);
    }

    public DataPlaneSettings withWebSockets(WebSocketLimits limits) {
        return with(change -> change.webSockets = limits);
    }

    public DataPlaneSettings withConnections(ConnectionLimits limits) {
        return with(change -> change.connections = limits);
    }

    public DataPlaneSettings withVia(boolean told) {
        return with(change -> change.via = told);
    }

    public DataPlaneSettings withMemory(MemoryBudget budget) {
        return with(change -> change.memory = budget);
    }

    private DataPlaneSettings with(Consumer<Change> what) {
        var change = new Change(this);
        what.accept(change);
        return new DataPlaneSettings(
                listen,
                change.ioThreads,
                change.requestThreads,
                change.maxInFlight,
                change.maxAway,
                change.waiting,
                maxHeaderBytes,
                maxHeaders,
                change.headerTimeout,
                change.idleTimeout,
                change.bodyTimeout,
                change.leastRates,
                change.requestsPerClient,
                change.trustedProxies,
                change.webSockets,
                change.connections,
                change.via,
                change.memory);
    }

    private static final class Change {
        private int ioThreads;
        private RequestThreadMode requestThreads;
        private int maxInFlight;
        private int maxAway;
        private WaitingLimits waiting;
        private Duration headerTimeout;
        private Duration idleTimeout;
        private Duration bodyTimeout;
        private LeastRates leastRates;
        private int requestsPerClient;
        private IpRanges trustedProxies;
        private WebSocketLimits webSockets;
        private ConnectionLimits connections;
        private boolean via;
        private MemoryBudget memory;

        private Change(DataPlaneSettings from) {
            this.ioThreads = from.ioThreads;
            this.requestThreads = from.requestThreads;
            this.maxInFlight = from.maxInFlight;
            this.maxAway = from.maxAway;
            this.waiting = from.waiting;
            this.headerTimeout = from.headerTimeout;
            this.idleTimeout = from.idleTimeout;
            this.bodyTimeout = from.bodyTimeout;
            this.leastRates = from.leastRates;
            this.requestsPerClient = from.requestsPerClient;
            this.trustedProxies = from.trustedProxies;
            this.webSockets = from.webSockets;
            this.connections = from.connections;
            this.via = from.via;
            this.memory = from.memory;
        }
    }
}
