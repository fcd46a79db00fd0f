package gateway.service;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Slots in a map.
public final class FakeSlotStore implements SlotStore {
    private final Map<String, Integer> taken = new HashMap<>();
    private boolean away;
    private boolean starved;

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
    public synchronized Optional<Slot> take(String counter, String subject, int most) {
        if (starved) throw DependencyException.starved("fake");
        if (away) throw new DependencyException("fake", "away");
        String name = counter + ' ' + subject;
        int before = taken.getOrDefault(name, 0);
        if (before >= most) return Optional.empty();
        taken.put(name, before + 1);
        return Optional.of(() -> give(name));
    }

    private synchronized void give(String name) {
        taken.merge(name, -1, Integer::sum);
    }
}
