package gateway.wire.memory;

/// How much there may be of what callers and definitions can make grow, by the largest heap the JVM takes and the share
/// of it that is theirs. Bytes are those of the decisions `0117-bounds-by-heap.md` and `0134-regular-expressions.md`.
public final class HeapShares {
    static final int FEWEST_COUNTERS = 10_000;
    static final int MOST_COUNTERS = 1_000_000;

    public static final int COUNTER_BYTES = 360;
    public static final int LEASE_BYTES = 2 * COUNTER_BYTES;
    public static final int KEY_BYTES = 1_500;
    private static final int FEWEST_KEYS = 5_000;
    private static final int MOST_KEYS = 100_000;

    private static final int REGEX_SHARE = 8; // of what the budgets leave to definitions about a half
    private static final int INSTRUCTION_BYTES = 100;
    private static final int FEWEST_INSTRUCTIONS = 100_000;

    private HeapShares() {}

    /// @param heap in bytes
    public static int counters(long heap) {
        return Math.clamp(Kind.COUNTERS.most(heap, 0) / COUNTER_BYTES, FEWEST_COUNTERS, MOST_COUNTERS);
    }

    /// Keys of Redis at hand.
    ///
    /// @param heap in bytes
    public static int keys(long heap) {
        return Math.clamp(Kind.KEYS.most(heap, 0) / KEY_BYTES, FEWEST_KEYS, MOST_KEYS);
    }

    /// Instructions of the regular expressions of all definitions.
    ///
    /// @param heap in bytes
    public static long instructions(long heap) {
        return Math.max(heap / REGEX_SHARE / INSTRUCTION_BYTES, FEWEST_INSTRUCTIONS);
    }
}
