package gateway.policies.standard;

import com.google.auto.service.AutoService;
import gateway.http.Exchange;
import gateway.http.Outcome;
import gateway.http.Problem;
import gateway.json.ConfigNode;
import gateway.policy.Dependency;
import gateway.policy.Followup;
import gateway.policy.OnOutage;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import gateway.policy.Verdict;
import gateway.service.DependencyException;
import gateway.service.SlotStore;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/// Bounds how many requests of one caller are under way at once, on each node or on all together; answers 429 past it.
///
/// @param patience how long a request may wait for one of its caller's to end
public record ConcurrencyLimit(int requests, CountedBy by, Duration patience, Counted counting) implements PolicySpec {
    private static final int MOST = 100_000;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    /// Whose requests are counted together.
    enum Counted {
        /// Those of each node.
        NODE,
        /// Those of all nodes of the store.
        SHARED
    }

    /// Whatever the definition says anew, those under way count.
    private record Id(String policy) {}

    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        var slots = services.shared(new Id(placement.counter()), CallerSlots.class, CallerSlots::new);
        if (counting == Counted.NODE) return exchange -> ofNode(exchange, slots);
        SlotStore store = services.slots();
        return exchange -> ofAll(exchange, store, placement.counter(), slots);
    }

    /// A node that is too slow to know what the store has answered counts by itself meanwhile.
    private Verdict ofAll(Exchange exchange, SlotStore store, String counter, CallerSlots slots) {
        if (concernsNobody(exchange)) return Verdict.proceed();
        try {
            Optional<SlotStore.Slot> slot = store.take(counter, by.subject(exchange), requests);
            return slot.isPresent() ? Verdict.proceed(new HeldOfAll(slot.get())) : refused(exchange);
        } catch (DependencyException e) {
            if (!e.isStarved()) throw e;
            return ofNode(exchange, slots);
        }
    }

    /// As with other limits.
    private boolean concernsNobody(Exchange exchange) {
        return by instanceof CountedBy.Key && exchange.consumer().isEmpty() && exchange.authenticationWaived();
    }

    private Verdict ofNode(Exchange exchange, CallerSlots slots) {
        if (concernsNobody(exchange)) return Verdict.proceed();
        String subject = by.subject(exchange);
        if (!slots.take(subject, requests, patience)) return refused(exchange);
        return Verdict.proceed(new Held(slots, subject));
    }

    private static Verdict refused(Exchange exchange) {
        return Verdict.stop(
                Problem.of("too-many-at-once", 429, "Too many at once", "Too many of your requests are under way")
                        .toResponse(exchange.requestId())
                        .with("Retry-After", "1"));
    }

    /// A slot until the exchange is over, however it ends.
    private record Held(CallerSlots slots, String subject) implements Followup {
        @Override
        public void onEnd(Outcome outcome) {
            slots.give(subject);
        }
    }

    /// The same, of all nodes.
    private record HeldOfAll(SlotStore.Slot slot) implements Followup {
        @Override
        public void onEnd(Outcome outcome) {
            slot.give();
        }
    }

    @Override
    public Set<Dependency> dependencies() {
        return counting == Counted.SHARED ? Set.of(Dependency.Store.COUNTERS) : Set.of();
    }

    @Override
    public boolean mayReport() {
        return true;
    }

    @Override
    public Optional<String> sideEffect() {
        return Optional.of("it counts requests that are under way");
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        @Override
        public String name() {
            return "concurrency-limit";
        }

        @Override
        public Stage stage() {
            return Stage.LIMIT;
        }

        /// Of `counting` `shared`; nothing else is asked.
        @Override
        public Set<OnOutage> outages() {
            return EnumSet.of(OnOutage.ALLOW, OnOutage.DENY);
        }

        @Override
        public ConcurrencyLimit read(ConfigNode node) {
            Counted counting = node.field("counting", "on each node apart, or on all nodes of the store together")
                    .choice(Counted.NODE);
            ConfigNode wait =
                    node.field("wait", "so long one more waits for another to end; as many as `requests` may wait");
            node.onlyWhere("wait", "counting", true, "node");
            if (counting == Counted.SHARED && wait.isPresent()) wait.problem("expected only with counting \"node\"");
            return new ConcurrencyLimit(
                    (int) node.field("requests", "how many at once").integer(1, MOST),
                    CountedBy.read(node.field("by", "whose requests are counted together")
                            .form("`key`, `ip`, `api`, `header:<name>`")),
                    wait.duration(Duration.ZERO, LONGEST_WAIT, Duration.ZERO),
                    counting);
        }
    }
}
