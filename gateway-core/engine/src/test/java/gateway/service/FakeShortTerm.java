package gateway.service;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Short-term values in a map, under a clock of the test's choice.
public final class FakeShortTerm implements ShortTerm {
    private record Kept(String text, Instant end) {}

    private final ManualClock clock;
    private final Map<ShortTermName, Kept> values = new HashMap<>();
    private boolean away;
    private Duration ahead = Duration.ZERO;

    public FakeShortTerm(ManualClock clock) {
        this.clock = clock;
    }

    /// From now on every call fails as a store out of reach does, until [#comeBack].
    public void goAway() {
        away = true;
    }

    public void comeBack() {
        away = false;
    }

    /// From now on its time is later than that of whoever asks.
    public void isAhead(Duration by) {
        ahead = by;
    }

    private Instant now() {
        return clock.instant().plus(ahead);
    }

    @Override
    public synchronized boolean putIfAbsent(ShortTermName name, ShortTermValue value) {
        if (get(name).isPresent()) return false;
        put(name, value);
        return true;
    }

    @Override
    public synchronized void put(ShortTermName name, ShortTermValue value) {
        requireHere();
        values.put(name, new Kept(value.text(), now().plus(value.keep())));
    }

    @Override
    public synchronized Optional<String> get(ShortTermName name) {
        requireHere();
        return Optional.ofNullable(values.get(name))
                .filter(kept -> kept.end().isAfter(now()))
                .map(Kept::text);
    }

    @Override
    public synchronized boolean remove(ShortTermName name) {
        boolean there = get(name).isPresent();
        values.remove(name);
        return there;
    }

    private void requireHere() {
        if (away) throw new DependencyException("fake", "away");
    }
}
