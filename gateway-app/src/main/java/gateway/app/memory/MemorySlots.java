package gateway.app.memory;

import gateway.service.SlotStore;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/// Slots of the only node there is. Holds none but callers that have some, which the requests in flight bound.
///
/// Without a lock, since IO threads give back what the requests that they carry have taken.
public final class MemorySlots implements SlotStore {
    private final ConcurrentSkipListMap<String, Integer> taken = new ConcurrentSkipListMap<>();

    @Override
    public Optional<Slot> take(String counter, String subject, int most) {
        String name = counter + ' ' + subject;
        while (true) {
            Integer now = taken.get(name);
            if (now != null && now >= most) return Optional.empty();
            boolean changed = now == null ? taken.putIfAbsent(name, 1) == null : taken.replace(name, now, now + 1);
            if (changed) return Optional.of(() -> give(name));
        }
    }

    private void give(String name) {
        while (true) {
            Integer now = taken.get(name);
            if (now == null) throw new IllegalStateException("given back twice: " + name);
            boolean changed = now == 1 ? taken.remove(name, now) : taken.replace(name, now, now - 1);
            if (changed) return;
        }
    }

    /// Callers that have slots.
    int size() {
        return taken.size();
    }
}
