package gateway.service;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/// The last purges that this node has heard of, by the numbers that all nodes know them by. What was asked for before a
/// purge and comes after it is found here.
public final class PurgeLog {
    /// How many are remembered: what is older than they are is taken for purged.
    public static final int MOST = 1000;

    private final List<Consumer<CachePurge>> watchers = new CopyOnWriteArrayList<>();
    private volatile Heard heard;

    /// @param floor the number before the first of `purges`
    private record Heard(long floor, List<CachePurge> purges) {
        long number() {
            return floor + purges.size();
        }
    }

    /// @param number of the last purge there was
    public PurgeLog(long number) {
        heard = new Heard(number, List.of());
    }

    /// Of the last one.
    public long number() {
        return heard.number();
    }

    /// Who is told of each purge from now on, on the thread that hears of it.
    public AutoCloseable watch(Consumer<CachePurge> watcher) {
        watchers.add(watcher);
        return () -> watchers.remove(watcher);
    }

    /// The next one. Called by one thread at a time.
    public void add(CachePurge purge) {
        Heard before = heard;
        int gone = before.purges.size() < MOST ? 0 : 1;
        var purges = new ArrayList<CachePurge>(MOST);
        purges.addAll(before.purges.subList(gone, before.purges.size()));
        purges.add(purge);
        heard = new Heard(before.floor + gone, List.copyOf(purges));
        for (Consumer<CachePurge> each : watchers) each.accept(purge);
    }

    /// Nobody knows what has been purged up to `number`: everything is. Called like [#add].
    public void lost(long number) {
        heard = new Heard(number, List.of());
        for (Consumer<CachePurge> each : watchers) each.accept(CachePurge.ALL);
    }

    /// Whether an answer that was asked for when `since` was the last number may have been purged meanwhile. Its facts
    /// are as with [CachePurge#covers].
    public boolean covers(long since, String owner, String sent, String forwarded, Set<String> tags) {
        Heard now = heard;
        if (since == now.number()) return false;
        if (since < now.floor || since > now.number()) return true;
        List<CachePurge> later = now.purges.subList((int) (since - now.floor), now.purges.size());
        for (CachePurge each : later) if (each.covers(owner, sent, forwarded, tags)) return true;
        return false;
    }
}
