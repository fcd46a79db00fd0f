package gateway.app.steering;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// Weighted round robin over `n` places: nginx's smooth variant, worked out beforehand as one whole cycle, so
/// that choosing is an increment. Weights 5, 1, 1 give `a a b a c a a`.
public final class Rotation {
    private final int[] cycle;
    private final AtomicInteger next = new AtomicInteger();

    private Rotation(int[] cycle) {
        this.cycle = cycle;
    }

    /// @param weights each 0 or more; 0 is never chosen
    public static Rotation of(List<Integer> weights) {
        int divisor = weights.stream().reduce(0, Rotation::greatestCommonDivisor);
        int[] share = weights.stream()
                .mapToInt(weight -> weight / Math.max(1, divisor))
                .toArray();
        int total = java.util.Arrays.stream(share).sum();
        int[] cycle = new int[total];
        int[] credit = new int[share.length];
        for (int turn = 0; turn < total; turn++) {
            int best = 0;
            for (int i = 0; i < share.length; i++) {
                credit[i] += share[i];
                if (credit[i] > credit[best]) best = i;
            }
            credit[best] -= total;
            cycle[turn] = best;
        }
        return new Rotation(cycle);
    }

    /// The next place; -1 when no weight is over 0.
    public int next() {
        if (cycle.length == 1) return cycle[0];
        if (cycle.length == 0) return -1;
        return cycle[Integer.remainderUnsigned(next.getAndIncrement(), cycle.length)];
    }

    private static int greatestCommonDivisor(int a, int b) {
        return b == 0 ? a : greatestCommonDivisor(b, a % b);
    }
}
