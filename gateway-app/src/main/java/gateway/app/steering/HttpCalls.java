package gateway.app.steering;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import gateway.config.CircuitBreakerDefinition;
import gateway.json.InvalidConfigException;
import gateway.net.AllowedNetworks;
import gateway.service.CallTarget;
import gateway.service.Calls;
import gateway.service.DependencyException;
import gateway.service.ServerCalls;
import gateway.wire.client.AbsentClient;
import gateway.wire.client.IoThreadResources;
import gateway.wire.client.Resolver;
import gateway.wire.client.UpstreamCall;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/// The calls of policies, on the IO threads of the data plane in turn: whoever calls waits, and these do the work. From
/// before the data plane is there a call waits for it, within its own time.
public final class HttpCalls implements Calls {
    /// Half of at least ten calls in 10 s have failed: 250 ms of quiet, then two that try. So whoever waits for such a
    /// server is served within a second of its return, and eight calls a second try at most.
    private static final CircuitBreakerDefinition BREAKER = new CircuitBreakerDefinition(
            50, Optional.empty(), 100, Duration.ofSeconds(10), 10, Duration.ofMillis(250), 2);

    /// Past which the one that was asked for longest ago begins anew when it is asked for again.
    private static final int MOST_SERVERS = 1_000;

    private final Resolver resolver;
    private final AllowedNetworks networks;
    private final LongSupplier ticks;
    private final CallMetrics metrics;
    private final Cache<CallTarget, HttpServerCalls> known =
            Caffeine.newBuilder().maximumSize(MOST_SERVERS).build();
    private final CompletableFuture<List<IoThreadResources>> ioThreads = new CompletableFuture<>();
    private final AtomicInteger turn = new AtomicInteger();
    private final Map<UpstreamCall, AbsentClient> underWay = new ConcurrentHashMap<>();
    private volatile boolean stopped;

    HttpCalls(Resolver resolver, AllowedNetworks networks, LongSupplier ticks, CallMetrics metrics) {
        this.resolver = resolver;
        this.networks = networks;
        this.ticks = ticks;
        this.metrics = metrics;
    }

    @Override
    public ServerCalls to(CallTarget target, String pointer) {
        networks.flaw(target.url().getHost()).ifPresent(flaw -> {
            throw new InvalidConfigException(pointer + "/url", flaw);
        });
        UpstreamTerms.checkTls(target.tls().stream(), pointer + "/tls/");
        return known.get(
                target,
                each -> new HttpServerCalls(
                        each, this, resolver, new CircuitBreaker(BREAKER, ticks), metrics.of(each.name())));
    }

    /// From now on calls go out.
    ///
    /// @param some of the data plane
    public void runOn(Collection<IoThreadResources> some) {
        ioThreads.complete(List.copyOf(some));
    }

    /// Ends what is under way and takes nothing more: nobody is left waiting when the IO threads end.
    public void stop() {
        stopped = true;
        underWay.forEach((call, client) -> client.onIoThread(call::cancel));
    }

    boolean isStopped() {
        return stopped;
    }

    /// The thread that does the next call.
    ///
    /// @param patience nanoseconds that may be waited for the first one
    IoThreadResources ioThread(CallTarget target, long patience) {
        try {
            List<IoThreadResources> all = ioThreads.get(patience, TimeUnit.NANOSECONDS);
            return all.get(Integer.remainderUnsigned(turn.getAndIncrement(), all.size()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw notServing(target);
        } catch (ExecutionException | TimeoutException e) {
            throw notServing(target);
        }
    }

    static DependencyException notServing(CallTarget target) {
        return new DependencyException(target.name(), "unavailable", "this gateway does not serve now", null);
    }

    /// `call` begins, and has to be told when all stops.
    void begin(UpstreamCall call, AbsentClient client) {
        underWay.put(call, client);
    }

    void end(UpstreamCall call) {
        underWay.remove(call);
    }

    /// Servers whose circuit breaker is not closed, by the names of their targets.
    public Set<String> away() {
        return servers().stream()
                .filter(each -> each.breaker().phase() != CircuitBreaker.Phase.CLOSED)
                .map(HttpServerCalls::toString)
                .collect(Collectors.toUnmodifiableSet());
    }

    int underWay() {
        return underWay.size();
    }

    Collection<HttpServerCalls> servers() {
        return known.asMap().values();
    }

    /// Has meters read anew.
    public void refresh() {
        metrics.refresh(this);
    }
}
