package gateway.app.upstream;

import gateway.app.steering.Dice;
import gateway.app.steering.Endpoint;
import gateway.app.steering.Group;
import gateway.config.TargetDefinition;
import gateway.config.UpstreamDefinition;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The endpoints of one upstream, which follow the addresses that its targets' names have: each address of a name is an
/// endpoint with the target's weight. Long-lived.
final class Endpoints {
    private final UpstreamDefinition definition;
    private final Resolver resolver;
    private final TargetStates states;
    private final Dice dice;
    private final List<Target> named;
    private volatile boolean served;
    private volatile Settled settled = new Settled(List.of(), null);

    /// @param seen the addresses of each target's name that `placement` was made of
    private record Settled(
            List<List<InetAddress>> seen, @Nullable Placement placement) {}

    Endpoints(UpstreamDefinition definition, Resolver resolver, TargetStates states, Dice dice) {
        this.definition = definition;
        this.resolver = resolver;
        this.states = states;
        this.dice = dice;
        this.named = definition.targets().stream()
                .map(Target::of)
                .filter(target -> !Resolver.isLiteral(target.address().host()))
                .toList();
        if (named.isEmpty()) settled = new Settled(List.of(), place(List.of()));
    }

    /// As they stand now. Waits, when no address of any name is known yet, for as long as a connection may take.
    Placement now() {
        Settled before = settled;
        if (before.placement != null && named.isEmpty()) return before.placement;
        if (before.placement != null && isCurrent(before)) return before.placement;
        var seen = new ArrayList<List<InetAddress>>();
        for (Target target : named) seen.add(addresses(target, before.placement == null));
        Placement placement = place(seen);
        boolean none = placement.targets().isEmpty() && before.placement != null;
        Placement next = none ? Objects.requireNonNull(before.placement) : placement;
        settled = new Settled(seen, next.targets().isEmpty() ? null : next);
        if (served) watch(next);
        return next;
    }

    /// Begins the checks, if there are to be any: of names once they have addresses.
    void served() {
        if (served || definition.steering().healthCheck().isEmpty()) return;
        served = true;
        Placement placement = settled.placement;
        if (placement != null) watch(placement);
        else OffRequestThreads.start("targets-" + definition.steering().name(), this::now);
    }

    private void watch(Placement placement) {
        definition.steering().healthCheck().ifPresent(how -> states.watch(placement, how));
    }

    @SuppressWarnings("ReferenceEquality") // the resolver answers the same list as long as nothing changes
    private boolean isCurrent(Settled before) {
        for (int i = 0; i < named.size(); i++) {
            List<InetAddress> known = resolver.known(named.get(i).address().host(), refresh());
            if (known != null && known != before.seen.get(i)) return false;
        }
        return true;
    }

    private List<InetAddress> addresses(Target target, boolean wait) {
        List<InetAddress> known = resolver.known(target.address().host(), refresh());
        if (known != null) return known;
        if (!wait) return List.of();
        return resolver.await(
                target.address().host(), definition.connectTimeout().toNanos());
    }

    private long refresh() {
        return definition.steering().dnsRefresh().toNanos();
    }

    private Placement place(List<List<InetAddress>> seen) {
        var targets = new ArrayList<Target>();
        var endpoints = new ArrayList<Endpoint>();
        int name = 0;
        for (TargetDefinition each : definition.targets()) {
            Target target = Target.of(each);
            List<Target> places =
                    Resolver.isLiteral(target.address().host()) ? List.of(target) : target.at(seen.get(name++));
            for (Target place : places) {
                targets.add(place);
                endpoints.add(states.endpoint(definition, place, each.weight()));
            }
        }
        var steering = definition.steering();
        var group = new Group(
                endpoints,
                definition.balance(),
                steering.ejection(),
                steering.slowStart().toNanos(),
                dice);
        return new Placement(group, List.copyOf(targets));
    }

    /// As they stand, without asking or waiting for anything; null when no address is known yet.
    @Nullable
    Group known() {
        Placement placement = settled.placement;
        return placement == null ? null : placement.group();
    }
}
