package gateway.policies.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import gateway.http.Headers;
import gateway.policy.Services;
import gateway.service.CacheEntries;
import gateway.service.CachePurge;
import gateway.service.EntryStore;
import gateway.service.PurgeLog;
import gateway.service.Served;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/// The answers that this node keeps for all its policies, bounded in bytes: what is asked for least goes first.
final class LocalAnswers implements CacheEntries, Served {
    /// One for the process.
    record Id() {}

    /// Answers to one key that `Vary` tells apart.
    private static final int MOST_VARIANTS = 16;

    private static final int SHARE = 16; // of the heap
    private static final int CHANGES = 1 << 12;
    private static final int OVERHEAD = 256; // of a key, beside its text

    private final Cache<CacheKey, List<CachedAnswer>> answers; // newest first

    /// Keys of callers and variants of a request, by what they are for; what is for everybody is found without. One
    /// alone: immutable.
    private final ConcurrentHashMap<String, Set<CacheKey>> byTarget = new ConcurrentHashMap<>();

    private final AtomicLong changes = new AtomicLong();

    /// The number of the last change of a target, each in the place of its hash: most that have not changed are told by
    /// it at one look.
    private final AtomicLongArray changed = new AtomicLongArray(CHANGES);

    /// The hashes of the last targets that have changed, each in the place of its number.
    private final AtomicLongArray recent = new AtomicLongArray(CHANGES);

    /// The number of the last change of which nobody knows what has changed.
    private volatile long unknown;

    private final SeededHash hashes = new SeededHash();
    private final PurgeLog purges;
    private final InstantSource clock;
    private final EntryStore entries;
    private final List<AutoCloseable> hearing = new ArrayList<>(); // told of its use by one thread at a time

    private LocalAnswers(long mostBytes, Services services) {
        this.purges = services.purges().log();
        this.entries = services.entries();
        this.clock = services.clock();
        answers = Caffeine.newBuilder()
                .maximumWeight(mostBytes)
                .weigher(LocalAnswers::weight)
                .executor(Runnable::run)
                .evictionListener(this::evicted)
                .build();
    }

    static LocalAnswers ofMost(long bytes, Services services) {
        return new LocalAnswers(bytes, services);
    }

    /// With a sixteenth of the heap.
    static LocalAnswers ofHeap(Services services) {
        return new LocalAnswers(Runtime.getRuntime().maxMemory() / SHARE, services);
    }

    @Override
    public void served() {
        hearing.add(purges.watch(this::purge));
        hearing.add(entries.watch(this::forget, this::forgetAll));
    }

    @Override
    public void retired() {
        try {
            for (AutoCloseable each : hearing) each.close();
            hearing.clear();
        } catch (Exception e) {
            throw new IllegalStateException("to hear no more of purges cannot fail", e);
        }
    }

    private static int weight(CacheKey key, List<CachedAnswer> variants) {
        long weight = OVERHEAD + 2L * (key.target().length() + key.part().length());
        for (CachedAnswer each : variants) weight += each.weight();
        return (int) Math.min(Integer.MAX_VALUE, weight);
    }

    /// Null when nothing is kept for it: no object on the way of every request.
    @Nullable
    CachedAnswer find(CacheKey key, String upstream, Headers request) {
        List<CachedAnswer> variants = answers.getIfPresent(key);
        if (variants == null) return null;
        for (int i = 0; i < variants.size(); i++) {
            if (variants.get(i).isFor(upstream, request)) return variants.get(i);
        }
        return null;
    }

    /// What was known when something was asked for: what is forgotten or purged afterwards does not come back by it.
    ///
    /// @param change the number of the last one, whatever it was of
    /// @param purge the number of the last one
    record Since(long change, long purge) {}

    Since now() {
        return new Since(changes.get(), purges.number());
    }

    /// Whether `target` may have been forgotten meanwhile. Most answers come when nothing has, and have no hash made.
    private boolean isChanged(String target, Since since) {
        if (changes.get() == since.change) return false;
        long hash = hashes.of(target);
        long last = changed.get(place(hash));
        for (long change = since.change + 1; change <= last; change++) {
            if (recent.get(place(change)) == hash) return true;
            if (change <= changes.get() - CHANGES) return true; // another stands there by now: nobody knows
        }
        return false;
    }

    /// Of a hash, which no client knows, so that nobody can choose a target whose place is another's; or of a number.
    private static int place(long number) {
        return (int) number & CHANGES - 1;
    }

    /// Keeps `answer` in place of an older one that was chosen by the same fields.
    ///
    /// @param since when it was asked for
    void put(CacheKey key, CachedAnswer answer, Since since) {
        if (answer.origin().isPurged(purges, since.purge)) return; // what a soft purge has left stays
        answers.asMap().compute(key, (_, variants) -> {
            list(key); // within the lock of the key, as is what takes it out again; before the look at changes
            if (!isChanged(key.target(), since)) return variants == null ? List.of(answer) : with(answer, variants);
            if (variants == null) unlist(key);
            return variants;
        });
        // Only now, that whoever purges finds it: of the two one sees the other.
        if (answer.origin().isPurged(purges, since.purge) || since.change < unknown) remove(key, answer);
    }

    private static List<CachedAnswer> with(CachedAnswer answer, List<CachedAnswer> variants) {
        if (variants.stream().anyMatch(each -> each.isLaterThan(answer))) return variants;
        var all = new ArrayList<CachedAnswer>(variants.size() + 1);
        all.add(answer);
        for (CachedAnswer each : variants) {
            if (all.size() < MOST_VARIANTS && !each.vary().equals(answer.vary())) all.add(each);
        }
        return List.copyOf(all);
    }

    /// Forgets `answer` if it is kept still.
    void remove(CacheKey key, CachedAnswer answer) {
        answers.asMap().computeIfPresent(key, (_, variants) -> {
            List<CachedAnswer> others =
                    variants.stream().filter(each -> !each.equals(answer)).toList();
            if (!others.isEmpty()) return others;
            unlist(key);
            return null;
        });
    }

    /// Forgets all that is kept of `target`, whoever it is for.
    void forget(String target) {
        long hash = hashes.of(target);
        long change = changes.incrementAndGet();
        recent.set(place(change), hash);
        changed.accumulateAndGet(place(hash), change, Math::max); // now that it can be read there
        forget(CacheKey.ofAll(target));
        Set<CacheKey> keys = byTarget.get(target);
        if (keys == null) return;
        for (CacheKey each : keys) forget(each);
    }

    /// Forgets everything: nobody knows what others have forgotten.
    void forgetAll() {
        unknown = changes.incrementAndGet();
        for (CacheKey each : answers.asMap().keySet()) forget(each);
    }

    private void forget(CacheKey key) {
        answers.asMap().computeIfPresent(key, (_, _) -> {
            unlist(key);
            return null;
        });
    }

    @Override
    public int purge(CachePurge purge) {
        int purged = 0;
        for (Map.Entry<CacheKey, List<CachedAnswer>> each : answers.asMap().entrySet()) {
            int covered = 0;
            for (CachedAnswer answer : each.getValue()) if (answer.origin().isCovered(purge)) covered++;
            if (covered > 0) purge(each.getKey(), purge);
            purged += covered;
        }
        return purged;
    }

    private void purge(CacheKey key, CachePurge purge) {
        Instant now = clock.instant();
        answers.asMap().computeIfPresent(key, (_, variants) -> {
            var left = new ArrayList<CachedAnswer>(variants.size());
            for (CachedAnswer each : variants) {
                if (!each.origin().isCovered(purge)) left.add(each);
                else if (purge.soft()) left.add(each.stale(now));
            }
            if (!left.isEmpty()) return List.copyOf(left);
            unlist(key);
            return null;
        });
    }

    @Override
    public Map<String, Held> held() {
        var held = new HashMap<String, Held>();
        for (List<CachedAnswer> variants : answers.asMap().values()) {
            for (CachedAnswer each : variants) held.merge(each.origin().api(), new Held(1, each.weight()), Held::and);
        }
        return held;
    }

    @Override
    public List<Entry> entries() {
        Instant now = clock.instant();
        var entries = new ArrayList<Entry>();
        for (List<CachedAnswer> variants : answers.asMap().values())
            for (CachedAnswer each : variants) entries.add(each.entry(now));
        return entries;
    }

    private void evicted(@Nullable CacheKey key, @Nullable List<CachedAnswer> variants, RemovalCause why) {
        if (key != null) unlist(key);
    }

    private void list(CacheKey key) {
        if (key.isOfAll()) return;
        byTarget.compute(key.target(), (_, keys) -> {
            if (keys == null || keys.equals(Set.of(key))) return Set.of(key);
            Set<CacheKey> listed = keys;
            if (keys.size() == 1) {
                listed = ConcurrentHashMap.newKeySet();
                listed.addAll(keys);
            }
            listed.add(key);
            return listed;
        });
    }

    private void unlist(CacheKey key) {
        if (key.isOfAll()) return;
        byTarget.computeIfPresent(key.target(), (_, keys) -> {
            if (keys.size() == 1) return keys.contains(key) ? null : keys;
            keys.remove(key);
            return keys;
        });
    }

    /// Bytes that are taken.
    long bytes() {
        answers.cleanUp();
        return answers.policy().eviction().orElseThrow().weightedSize().orElse(0);
    }

    /// Keys that something is kept for, but for those of everybody.
    int listed() {
        answers.cleanUp();
        return byTarget.values().stream().mapToInt(Set::size).sum();
    }
}
