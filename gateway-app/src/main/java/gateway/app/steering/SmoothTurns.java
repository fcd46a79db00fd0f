package gateway.app.steering;

import java.util.Arrays;

/// nginx's smooth variant of weighted round robin, worked out beforehand as one whole cycle. Shares 5, 1, 1 give
/// `a a b a c a a`. It takes as many steps as there are turns times places.
final class SmoothTurns implements TurnOrder {
    private final int[] cycle;

    private SmoothTurns(int[] cycle) {
        this.cycle = cycle;
    }

    static SmoothTurns of(int[] shares) {
        int total = Arrays.stream(shares).sum();
        int[] cycle = new int[total];
        int[] credit = new int[shares.length];
        for (int turn = 0; turn < total; turn++) {
            int best = 0;
            for (int i = 0; i < shares.length; i++) {
                credit[i] += shares[i];
                if (credit[i] > credit[best]) best = i;
            }
            credit[best] -= total;
            cycle[turn] = best;
        }
        return new SmoothTurns(cycle);
    }

    @Override
    public int turns() {
        return cycle.length;
    }

    @Override
    public int place(int turn) {
        return cycle[turn];
    }
}
