package gateway.app.steering;

import gateway.config.TargetDefinition;
import gateway.config.UpstreamDefinition;
import gateway.service.Served;
import gateway.wire.client.Resolver;
import gateway.wire.client.Target;
import gateway.wire.io.OffRequestThreads;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The endpoints of one upstream, which follow the addresses that its targets' names have: each address of a name is an
/// endpoint with the target's weight. Long-lived. They are checked while an upstream that has them is live.
final class Endpoints implements Served {
    private final UpstreamDefinition definition;
    private final Resolver resolver;
    private final TargetStates states;
    private final HealthChecks checks;
    private final Dice dice;
    private final List<Target> named;
    private volatile boolean live; // whether a served upstream has them
    private final Lock watching = new ReentrantLock(); // guards `watched` and `held`; never taken by a request thread
    private final Set<TargetHealth> watched = new HashSet<>();
    private List<Served> held = List.of();
    private volatile Settled settled = new Settled(List.of(), null);

    /// @param seen the addresses of each target's name that `placement` was made of
    private record Settled(
            List<List<InetAddress>> seen, @Nullable Candidates placement) {}

    Endpoints(UpstreamDefinition definition, Resolver resolver, TargetStates states, HealthChecks checks, Dice dice) {
        this.definition = definition;
        this.resolver = resolver;
        this.states = states;
        this.checks = checks;
        this.dice = dice;
        this.named = UpstreamTerms.targets(definition).stream()
                .filter(target -> !Resolver.isLiteral(target.address().host()))
                .toList();
        if (named.isEmpty()) settled = new Settled(List.of(), place(List.of()));
    }

    /// As they stand now. Waits, when no address of any name is known yet, for as long as a connection may take.
    Candidates now() {
        Settled before = settled;
        if (before.placement != null && named.isEmpty()) return before.placement;
        if (before.placement != null && isCurrent(before)) return before.placement;
        var seen = new ArrayList<List<InetAddress>>();
        for (int i = 0; i < named.size(); i++) seen.add(addresses(i, before));
        Candidates placement = place(seen);
        boolean none = placement.targets().isEmpty() && before.placement != null;
        Candidates next = none ? Objects.requireNonNull(before.placement) : placement;
        settled = new Settled(seen, next.targets().isEmpty() ? null : next);
        if (live) start(this::watch);
        return next;
    }

    /// Begins the checks, if there are to be any: of names once they have addresses.
    @Override
    public void served() {
        live = true;
        if (settled.placement != null) watch();
        else if (definition.steering().healthCheck().isPresent()) start(this::now);
    }

    @Override
    public void retired() {
        live = false;
        watch();
    }

    private void start(Runnable work) {
        OffRequestThreads.start("targets-" + definition.steering().name(), work);
    }

    /// Has the endpoints of the moment kept and checked, and no others.
    private void watch() {
        watching.lock();
        try {
            Candidates placement = live ? settled.placement : null;
            List<Served> before = held;
            held = placement == null ? List.of() : placement.held();
            held.forEach(Served::served);
            before.forEach(Served::retired);
            check(placement);
        } finally {
            watching.unlock();
        }
    }

    private void check(@Nullable Candidates placement) {
        definition.steering().healthCheck().ifPresent(how -> {
            Map<TargetHealth, Target> wanted = placement == null ? Map.of() : placement.checked();
            wanted.forEach((health, target) -> {
                if (watched.add(health)) checks.watch(health, how, target);
            });
            List<TargetHealth> gone = watched.stream()
                    .filter(health -> !wanted.containsKey(health))
                    .toList();
            gone.forEach(checks::leave);
            gone.forEach(watched::remove);
        });
    }

    @SuppressWarnings("ReferenceEquality") // the resolver answers the same list as long as nothing changes
    private boolean isCurrent(Settled before) {
        for (int i = 0; i < named.size(); i++) {
            List<InetAddress> known = resolver.known(named.get(i).address().host(), refresh());
            if (known != null && known != before.seen.get(i)) return false;
        }
        return true;
    }

    /// Of the named target at `place`. Those it has go on while others are asked for.
    private List<InetAddress> addresses(int place, Settled before) {
        String host = named.get(place).address().host();
        List<InetAddress> known = resolver.known(host, refresh());
        if (known != null) return known;
        if (before.placement != null) return before.seen.get(place);
        return resolver.await(host, definition.connectTimeout().toNanos());
    }

    private long refresh() {
        return definition.steering().dnsRefresh().toNanos();
    }

    private Candidates place(List<List<InetAddress>> seen) {
        var targets = new ArrayList<Target>();
        var endpoints = new ArrayList<Endpoint>();
        var known = new ArrayList<Served>();
        int name = 0;
        for (TargetDefinition each : definition.targets()) {
            Target target = UpstreamTerms.target(each);
            List<Target> places =
                    Resolver.isLiteral(target.address().host()) ? List.of(target) : target.at(seen.get(name++));
            for (Target place : places) {
                targets.add(place);
                endpoints.add(states.endpoint(definition, place, each.weight(), known));
            }
        }
        var steering = definition.steering();
        var group = new Group(
                endpoints,
                definition.balance(),
                steering.ejection(),
                steering.slowStart().toNanos(),
                dice);
        return new Candidates(group, List.copyOf(targets), List.copyOf(known));
    }

    /// As they stand, without asking or waiting for anything; null when no address is known yet.
    @Nullable
    Group known() {
        Candidates placement = settled.placement;
        return placement == null ? null : placement.group();
    }
}
