package gateway.app.steering;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// Weighted round robin over `n` places, without a lock: choosing is an increment, and each place has exactly its share
/// of every cycle of turns.
public final class Rotation {
    private static final int MOST_STEPS = 1 << 16; // of working a cycle out: well under a millisecond

    private final TurnOrder order;
    private final AtomicInteger next = new AtomicInteger();

    private Rotation(TurnOrder order) {
        this.order = order;
    }

    /// @param weights each 0 or more; 0 is never chosen
    public static Rotation of(List<Integer> weights) {
        int divisor = weights.stream().reduce(0, Rotation::greatestCommonDivisor);
        int[] shares = weights.stream()
                .mapToInt(weight -> weight / Math.max(1, divisor))
                .toArray();
        long steps =
                shares.length * java.util.Arrays.stream(shares).asLongStream().sum();
        return new Rotation(steps <= MOST_STEPS ? SmoothTurns.of(shares) : StridingTurns.of(shares));
    }

    /// The next place; -1 when no weight is over 0.
    public int next() {
        int turns = order.turns();
        if (turns == 1) return order.place(0);
        if (turns == 0) return -1;
        return order.place(Integer.remainderUnsigned(next.getAndIncrement(), turns));
    }

    static int greatestCommonDivisor(int a, int b) {
        return b == 0 ? a : greatestCommonDivisor(b, a % b);
    }
}
