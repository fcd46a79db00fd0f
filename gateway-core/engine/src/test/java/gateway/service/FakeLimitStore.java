package gateway.service;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Exact counters in a map, under a clock of the test's choice. Leased charges are counted exactly.
public final class FakeLimitStore implements LimitStore {
    private final ManualClock clock;
    private final Map<String, FakeCounter> counters = new HashMap<>();
    private boolean away;
    private boolean starved;

    public FakeLimitStore(ManualClock clock) {
        this.clock = clock;
    }

    /// From now on every call fails as a store out of reach does, until [#comeBack].
    public void goAway() {
        away = true;
    }

    /// From now on every call fails as on a node that is too slow to read what a store answers, until [#comeBack].
    public void starve() {
        starved = true;
    }

    public void comeBack() {
        away = false;
        starved = false;
    }

    @Override
    public synchronized List<Permit> acquire(List<Charge> charges) {
        requireHere();
        var spent = new HashMap<String, FakeCounter>();
        var permits = new ArrayList<Permit>(charges.size());
        for (Charge charge : charges) {
            var counter = spent.computeIfAbsent(
                    charge.counter(), name -> counter(name).copy());
            permits.add(counter.spend(charge.rule(), charge.amount(), clock.instant()));
        }
        if (permits.stream().allMatch(Permit.Granted.class::isInstance)) counters.putAll(spent);
        return List.copyOf(permits);
    }

    @Override
    public synchronized List<Permit> peek(List<Charge> charges) {
        requireHere();
        return charges.stream()
                .map(charge -> left(
                        counter(charge.counter()).copy().spend(charge.rule(), charge.amount(), clock.instant()),
                        charge.amount()))
                .toList();
    }

    private FakeCounter counter(String name) {
        return counters.getOrDefault(name, new FakeCounter());
    }

    private void requireHere() {
        if (starved) throw DependencyException.starved("fake");
        if (away) throw new DependencyException("fake", "away");
    }

    private static Permit left(Permit permit, long amount) {
        return switch (permit) {
            case Permit.Granted(long limit, long remaining, long resetNanos) ->
                new Permit.Granted(limit, remaining + amount, resetNanos);
            case Permit.Denied denied -> denied;
        };
    }
}
