package gateway.app.steering;

import gateway.config.MirrorDefinition;
import gateway.config.Steering;
import gateway.config.TargetDefinition;
import gateway.config.UpstreamDefinition;
import gateway.config.UpstreamDefinition.Balance;
import gateway.net.AllowedNetworks;
import gateway.service.KeptPart;
import gateway.service.KeptParts;
import gateway.service.Served;
import gateway.service.Upstream;
import gateway.wire.client.NameLookup;
import gateway.wire.client.Resolver;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Makes upstreams of definitions. Long-lived: what outlasts a reload lives here and with the IO threads. It is found
/// again by the upstream's name and the part of the definition that it depends on, and goes when no upstream that uses
/// it is served.
public final class Upstreams implements AutoCloseable {
    private final AllowedNetworks networks;
    private final Resolver resolver;
    private final Dice dice = new Dice(System.nanoTime());
    private final HealthChecks checks;
    private final TargetStates states;
    private final LongSupplier ticks;
    private final KeptParts parts;

    public Upstreams() {
        this(AllowedNetworks.USUAL, new KeptParts());
    }

    /// @param networks that upstreams may lie in
    /// @param parts where those of upstreams are kept too
    public Upstreams(AllowedNetworks networks, KeptParts parts) {
        this(networks, parts, NameLookup.SYSTEM, System::nanoTime);
    }

    public Upstreams(AllowedNetworks networks, KeptParts parts, NameLookup lookup, LongSupplier ticks) {
        this.parts = parts;
        this.ticks = ticks;
        this.networks = networks;
        this.resolver = new Resolver(networks, lookup, ticks);
        this.checks = new HealthChecks(resolver, dice);
        this.states = new TargetStates(parts, ticks);
    }

    /// Calls of policies, which know the same addresses.
    public HttpCalls calls(MeterRegistry meters) {
        return new HttpCalls(resolver, networks, ticks, new CallMetrics(meters));
    }

    /// @throws gateway.json.InvalidConfigException when a file of its `tls` cannot be used
    public Upstream upstreamFor(UpstreamDefinition definition) {
        Upstream first = unmirrored(definition);
        return definition
                .steering()
                .mirror()
                .map(how -> mirrored(first, how, definition))
                .orElse(first);
    }

    private Upstream mirrored(Upstream first, MirrorDefinition how, UpstreamDefinition definition) {
        UpstreamTerms.checkTls(how.targets());
        UpstreamDefinition upstream = definition.branch("mirror", how.targets());
        var held = new ArrayList<Served>();
        var mirror = new Mirror(how, upstream, rotation(upstream, held), resolver, dice);
        return new MirroredUpstream(first, mirror, List.copyOf(held));
    }

    private Upstream unmirrored(UpstreamDefinition definition) {
        return definition
                .steering()
                .split()
                .<Upstream>map(split -> SplitUpstream.of(definition, split, this::unsplit, dice))
                .orElseGet(() -> unsplit(definition));
    }

    private Upstream unsplit(UpstreamDefinition definition) {
        UpstreamTerms.checkTls(definition.targets());
        if (definition.balance() == Balance.ROUND_ROBIN && definition.steering().isOff()) return inTurn(definition);
        return steered(definition);
    }

    private Upstream inTurn(UpstreamDefinition definition) {
        var held = new ArrayList<Served>();
        return new HttpUpstream(definition, rotation(definition, held), resolver, List.copyOf(held));
    }

    /// Goes on where it was when something else of the definition changes: with targets in turn, each reload would
    /// otherwise give the first ones more than their share.
    private Rotation rotation(UpstreamDefinition definition, List<Served> held) {
        List<Integer> weights =
                definition.targets().stream().map(TargetDefinition::weight).toList();
        if (weights.size() == 1) return Rotation.of(weights);
        return kept(
                new Key(Rotation.class, definition.steering().name(), definition.endpointsOnly()),
                Rotation.class,
                () -> Rotation.of(weights),
                held);
    }

    private SteeredUpstream steered(UpstreamDefinition definition) {
        var held = new ArrayList<Served>();
        Steering steering = definition.steering();
        return new SteeredUpstream(
                definition,
                UpstreamTerms.of(definition, resolver),
                endpoints(definition, held),
                breaker(steering, held),
                retrying(steering, held),
                bulkhead(steering, held),
                List.copyOf(held));
    }

    /// All that endpoints depend on, whatever else of the definition changes.
    private Endpoints endpoints(UpstreamDefinition definition, List<Served> held) {
        return kept(
                new Key(Endpoints.class, "", definition.endpointsOnly()),
                Endpoints.class,
                () -> new Endpoints(definition, resolver, states, checks, dice),
                held);
    }

    private @Nullable CircuitBreaker breaker(Steering steering, List<Served> held) {
        return steering.circuitBreaker()
                .map(how -> kept(
                        new Key(CircuitBreaker.class, steering.name(), how),
                        CircuitBreaker.class,
                        () -> new CircuitBreaker(how, ticks),
                        held))
                .orElse(null);
    }

    private @Nullable Retrying retrying(Steering steering, List<Served> held) {
        return steering.retry()
                .map(how -> new Retrying(
                        how,
                        kept(
                                new Key(RetryBudget.class, steering.name(), how),
                                RetryBudget.class,
                                () -> new RetryBudget(how.budgetPercent(), System::nanoTime),
                                held),
                        dice))
                .orElse(null);
    }

    private @Nullable Bulkhead bulkhead(Steering steering, List<Served> held) {
        return steering.bulkhead()
                .map(how -> kept(
                        new Key(Bulkhead.class, steering.name(), how), Bulkhead.class, () -> new Bulkhead(how), held))
                .orElse(null);
    }

    private record Key(Class<?> type, String upstream, Record definition) {}

    /// @param held gains what is kept
    private <T> T kept(Key key, Class<T> type, Supplier<T> make, List<Served> held) {
        KeptPart<T> part = parts.of(key, type, make);
        held.add(part);
        return part.value();
    }

    /// Targets that are checked now.
    int checked() {
        return checks.count();
    }

    /// Ends all checks.
    @Override
    public void close() {
        checks.close();
    }
}
