package gateway.policies.cache;

import java.util.Comparator;

/// What a kept answer is found by. In order, so that keys which clients have made to have one hash are found among each
/// other all the same without a look at each.
///
/// @param target what was asked for, and by which policy: all that is kept of it goes when it is changed
/// @param part whose answer it is, and what else tells answers to one target apart; empty text: everybody's
record CacheKey(String target, String part) implements Comparable<CacheKey> {
    private static final Comparator<CacheKey> ORDER =
            Comparator.comparing(CacheKey::target).thenComparing(CacheKey::part);

    /// What is kept of `target` for everybody, whatever they send.
    static CacheKey ofAll(String target) {
        return new CacheKey(target, "");
    }

    boolean isOfAll() {
        return part.isEmpty();
    }

    @Override
    public int compareTo(CacheKey other) {
        return ORDER.compare(this, other);
    }
}
