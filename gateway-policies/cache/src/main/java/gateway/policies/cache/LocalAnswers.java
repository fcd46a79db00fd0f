package gateway.policies.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import gateway.http.Headers;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/// The answers that this node keeps for all its policies, bounded in bytes: what is asked for least goes first.
final class LocalAnswers {
    /// One for the process.
    record Id() {}

    /// Answers to one key that `Vary` tells apart.
    private static final int MOST_VARIANTS = 16;

    private static final int SHARE = 16; // of the heap
    private static final int CHANGES = 1 << 12;
    private static final int OVERHEAD = 256; // of a key, beside its text

    private final Cache<CacheKey, List<CachedAnswer>> answers; // newest first
    private final ConcurrentHashMap<String, Set<CacheKey>> byTarget = new ConcurrentHashMap<>();

    /// How often targets were forgotten, each counted in the place of its hash.
    private final AtomicLongArray changes = new AtomicLongArray(CHANGES);

    private LocalAnswers(long mostBytes) {
        answers = Caffeine.newBuilder()
                .maximumWeight(mostBytes)
                .weigher(LocalAnswers::weight)
                .executor(Runnable::run)
                .evictionListener(this::evicted)
                .build();
    }

    static LocalAnswers ofMost(long bytes) {
        return new LocalAnswers(bytes);
    }

    /// With a sixteenth of the heap.
    static LocalAnswers ofHeap() {
        return new LocalAnswers(Runtime.getRuntime().maxMemory() / SHARE);
    }

    private static int weight(CacheKey key, List<CachedAnswer> variants) {
        long weight = OVERHEAD + 2L * (key.target().length() + key.part().length());
        for (CachedAnswer each : variants) weight += each.weight();
        return (int) Math.min(Integer.MAX_VALUE, weight);
    }

    /// Null when nothing is kept for it: no object on the way of every request.
    @Nullable
    CachedAnswer find(CacheKey key, Headers request) {
        List<CachedAnswer> variants = answers.getIfPresent(key);
        if (variants == null) return null;
        for (int i = 0; i < variants.size(); i++) {
            if (variants.get(i).vary().match(request)) return variants.get(i);
        }
        return null;
    }

    /// What [#put] is told: another number once `target` has been forgotten.
    long changes(String target) {
        return changes.get(place(target));
    }

    private static int place(String target) {
        int hash = target.hashCode();
        return (hash ^ hash >>> 16) & CHANGES - 1;
    }

    /// Keeps `answer` in place of an older one that was chosen by the same fields.
    ///
    /// @param changes of its target when it was asked for: what has been forgotten since does not come back
    void put(CacheKey key, CachedAnswer answer, long changes) {
        answers.asMap().compute(key, (_, variants) -> {
            list(key); // within the lock of the key, as is what takes it out again; before the look at changes
            if (changes(key.target()) == changes) return variants == null ? List.of(answer) : with(answer, variants);
            if (variants == null) unlist(key);
            return variants;
        });
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
        changes.incrementAndGet(place(target));
        Set<CacheKey> keys = byTarget.get(target);
        if (keys == null) return;
        for (CacheKey each : keys) {
            answers.asMap().computeIfPresent(each, (_, _) -> {
                unlist(each);
                return null;
            });
        }
    }

    private void evicted(@Nullable CacheKey key, @Nullable List<CachedAnswer> variants, RemovalCause why) {
        if (key != null) unlist(key);
    }

    private void list(CacheKey key) {
        byTarget.compute(key.target(), (_, keys) -> {
            Set<CacheKey> listed = keys == null ? ConcurrentHashMap.newKeySet(2) : keys;
            listed.add(key);
            return listed;
        });
    }

    private void unlist(CacheKey key) {
        byTarget.computeIfPresent(key.target(), (_, keys) -> {
            keys.remove(key);
            return keys.isEmpty() ? null : keys;
        });
    }

    /// Bytes that are taken.
    long bytes() {
        answers.cleanUp();
        return answers.policy().eviction().orElseThrow().weightedSize().orElse(0);
    }

    /// Keys that something is kept for.
    int size() {
        answers.cleanUp();
        return byTarget.values().stream().mapToInt(Set::size).sum();
    }
}
