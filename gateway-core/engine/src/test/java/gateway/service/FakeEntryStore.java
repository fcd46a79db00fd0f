package gateway.service;

import gateway.http.Body;
import gateway.http.HeldBody;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/// Entries of one process, which may be asked from several nodes of a test.
public final class FakeEntryStore implements EntryStore {
    /// Groups of which watchers that are cut off are told afterwards.
    public static final int REMEMBERED = 10;

    private final InstantSource clock;
    private final Map<EntryName, Kept> entries = new HashMap<>();
    private final Map<String, Integer> states = new HashMap<>();
    private final List<Watcher> watchers = new CopyOnWriteArrayList<>();
    private final List<String> untold = new ArrayList<>();
    private volatile boolean away;
    private boolean silent;

    private record Watcher(Consumer<String> forgotten, Runnable missed) {}

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

    /// From now on watchers are told nothing.
    public synchronized void cutOff() {
        silent = true;
    }

    /// Tells watchers what was forgotten since they were cut off.
    public synchronized void join() {
        silent = false;
        if (untold.size() > REMEMBERED) watchers.forEach(each -> each.missed.run());
        else untold.forEach(this::tell);
        untold.clear();
    }

    private void tell(String group) {
        watchers.forEach(each -> each.forgotten.accept(group));
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
        if (silent) untold.add(group);
        else tell(group);
    }

    private String state(String group) {
        return Integer.toString(states.getOrDefault(group, 0));
    }

    @Override
    public AutoCloseable watch(Consumer<String> forgotten, Runnable missed) {
        var watcher = new Watcher(forgotten, missed);
        watchers.add(watcher);
        return () -> watchers.remove(watcher);
    }
}
