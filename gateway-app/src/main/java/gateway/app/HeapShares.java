package gateway.app;

import gateway.app.budget.Kind;

/// How many entries that callers can make grow there may be, by the largest heap the JVM takes and the share of it that
/// is theirs. Bytes are those of `docs/decisions/0117-bounds-by-heap.md`.
final class HeapShares {
    static final int FEWEST_COUNTERS = 10_000;
    static final int MOST_COUNTERS = 1_000_000;

    static final int COUNTER_BYTES = 360;
    static final int LEASE_BYTES = 2 * COUNTER_BYTES;
    static final int KEY_BYTES = 1_500;
    private static final int FEWEST_KEYS = 5_000;
    private static final int MOST_KEYS = 100_000;

    private HeapShares() {}

    /// @param heap in bytes
    static int counters(long heap) {
        return Math.clamp(Kind.COUNTERS.most(heap, 0) / COUNTER_BYTES, FEWEST_COUNTERS, MOST_COUNTERS);
    }

    /// Keys of Redis at hand.
    ///
    /// @param heap in bytes
    static int keys(long heap) {
        return Math.clamp(Kind.KEYS.most(heap, 0) / KEY_BYTES, FEWEST_KEYS, MOST_KEYS);
    }
}
