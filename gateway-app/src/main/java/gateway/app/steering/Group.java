package gateway.app.steering;

import gateway.app.steering.Endpoint.Standing;
import gateway.config.EjectionDefinition;
import gateway.config.UpstreamDefinition.Balance;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntPredicate;

/// The endpoints of an upstream as they stand, and how one of them is chosen. Immutable but for what is known of each.
///
/// An endpoint is usable when its weight is over 0, its checks find it healthy and it is not out by ejection. What an
/// unusable one would have got is spread over the others by their weights.
public final class Group {
    /// No endpoint is usable.
    public static final int NONE = -1;

    private final List<Endpoint> endpoints;
    private final Balance balance;
    private final Optional<EjectionDefinition> ejection;
    private final long slowStart;
    private final Dice dice;
    private final Rotation rotation;
    private final HashRing ring;
    private final AtomicBoolean ejecting = new AtomicBoolean();

    /// @param slowStart nanoseconds until an endpoint that came back takes its full share; 0: at once
    public Group(
            List<Endpoint> endpoints,
            Balance balance,
            Optional<EjectionDefinition> ejection,
            long slowStart,
            Dice dice) {
        this.endpoints = List.copyOf(endpoints);
        this.balance = balance;
        this.ejection = ejection;
        this.slowStart = slowStart;
        this.dice = dice;
        List<Integer> weights = endpoints.stream().map(Endpoint::weight).toList();
        boolean hashes = balance == Balance.HASH;
        this.rotation = Rotation.of(balance == Balance.ROUND_ROBIN ? weights : List.of(1));
        this.ring = HashRing.of(
                endpoints.stream().map(Endpoint::name).toList(),
                weights.stream().mapToInt(weight -> hashes ? weight : 0).toArray());
    }

    public List<Endpoint> endpoints() {
        return endpoints;
    }

    /// The place of an endpoint to use; one that `tried` names only when no other is usable; [#NONE] when none is.
    ///
    /// @param hash of what the request is balanced by; matters for [Balance#HASH] only
    /// @param tried endpoints that have failed this request; the first `count` of it count
    public int choose(long hash, int[] tried, int count) {
        if (count > 0) {
            int other = choose(hash, i -> isUsable(i) && !contains(tried, count, i));
            if (other != NONE) return other;
        }
        return choose(hash, this::isUsable);
    }

    private int choose(long hash, IntPredicate usable) {
        return switch (balance) {
            case ROUND_ROBIN -> inTurn(usable);
            case LEAST_REQUESTS -> lessBusy(drawn(usable), drawn(usable));
            case HASH -> ring.owner(hash, usable);
        };
    }

    private int inTurn(IntPredicate usable) {
        int next = rotation.next();
        if (next < 0) return NONE;
        if (!usable.test(next)) return drawn(usable);
        double share = endpoints.get(next).state().share(slowStart);
        return share == 1 || dice.fraction() < share ? next : drawn(usable);
    }

    /// The one of two with fewer requests for its weight (power of two choices: Mitzenmacher 2001).
    private int lessBusy(int one, int other) {
        if (one == other || one == NONE || other == NONE) return one;
        return load(one) <= load(other) ? one : other;
    }

    private double load(int place) {
        Endpoint endpoint = endpoints.get(place);
        return (endpoint.state().inFlight() + 1)
                / (endpoint.weight() * endpoint.state().share(slowStart));
    }

    /// One of the usable endpoints at random, by weight.
    private int drawn(IntPredicate usable) {
        double sum = 0;
        for (int i = 0; i < endpoints.size(); i++) if (usable.test(i)) sum += weight(i);
        double left = dice.fraction() * sum;
        int last = NONE;
        for (int i = 0; i < endpoints.size(); i++) {
            if (!usable.test(i)) continue;
            last = i;
            left -= weight(i);
            if (left < 0) return i;
        }
        return last;
    }

    private double weight(int place) {
        Endpoint endpoint = endpoints.get(place);
        return endpoint.weight() * endpoint.state().share(slowStart);
    }

    /// How the endpoint at `place` stands at the moment.
    public Standing standing(int place) {
        Endpoint endpoint = endpoints.get(place);
        if (endpoint.weight() == 0) return Standing.DRAINED;
        if (!endpoint.isHealthy()) return Standing.UNHEALTHY;
        return isOut(endpoint) ? Standing.EJECTED : Standing.USABLE;
    }

    boolean isUsable(int place) {
        return standing(place) == Standing.USABLE;
    }

    private boolean isOut(Endpoint endpoint) {
        return ejection.isPresent() && endpoint.state().isOut();
    }

    /// Takes note of how a request to the endpoint at `place` went.
    ///
    /// @param answered whether there was an answer at all
    public void ended(int place, boolean answered, int status) {
        TargetState state = endpoints.get(place).state();
        boolean failed = !answered
                || (status >= 500
                        && ejection.map(EjectionDefinition::serverErrors).orElse(true));
        if (!failed) {
            state.succeeded();
            return;
        }
        int inARow = state.failed();
        if (ejection.isEmpty() || inARow < ejection.get().failures() || !isUsable(place)) return;
        if (!ejecting.compareAndSet(false, true)) return; // another one is being put out: the next failure asks again
        try {
            if (mayEjectOneMore(ejection.get())) state.eject(ejection.get());
        } finally {
            ejecting.set(false);
        }
    }

    /// The bound is of those that could take requests otherwise: a drained or unhealthy one stands in for nobody.
    private boolean mayEjectOneMore(EjectionDefinition how) {
        int able = 0;
        int out = 0;
        for (Endpoint endpoint : endpoints) {
            if (endpoint.weight() == 0 || !endpoint.isHealthy()) continue;
            able++;
            if (isOut(endpoint)) out++;
        }
        return (out + 1) * 100L <= (long) how.maxPercent() * able;
    }

    private static boolean contains(int[] places, int count, int place) {
        for (int i = 0; i < count; i++) if (places[i] == place) return true;
        return false;
    }
}
