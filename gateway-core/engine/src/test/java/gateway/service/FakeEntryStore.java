package gateway.service;

import gateway.http.Body;
import gateway.http.HeldBody;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/// Entries of one process, which may be asked from several nodes of a test.
public final class FakeEntryStore implements EntryStore {
    private final InstantSource clock;
    private final Map<EntryName, Kept> entries = new HashMap<>();
    private final Map<String, Integer> states = new HashMap<>();
    private final List<Consumer<String>> watchers = new CopyOnWriteArrayList<>();
    private volatile boolean away;

    private record Kept(HeldBody content, Instant end) {}

    public FakeEntryStore(InstantSource clock) {
        this.clock = clock;
    }

    /// From now on it does not answer.
    public void goAway() {
        away = true;
    }

    public void comeBack() {
        away = false;
    }

    @Override
    public synchronized Found find(EntryName name) {
        if (away) throw new DependencyException("entries", "away");
        Kept kept = entries.get(name);
        boolean holds = kept != null && clock.instant().isBefore(kept.end);
        return new Found(state(name.group()), holds ? Optional.of(kept.content.content()) : Optional.empty());
    }

    @Override
    public synchronized void keep(EntryName name, String state, byte[] entry, Duration keep) {
        if (away || entry.length > MOST_BYTES || !state.equals(state(name.group()))) return;
        entries.put(name, new Kept(Body.of(entry), clock.instant().plus(keep)));
    }

    @Override
    public synchronized void forget(String group) {
        entries.keySet().removeIf(each -> each.group().equals(group));
        states.merge(group, 1, Integer::sum);
        watchers.forEach(each -> each.accept(group));
    }

    private String state(String group) {
        return Integer.toString(states.getOrDefault(group, 0));
    }

    @Override
    public AutoCloseable watch(Consumer<String> forgotten) {
        watchers.add(forgotten);
        return () -> watchers.remove(forgotten);
    }
}
