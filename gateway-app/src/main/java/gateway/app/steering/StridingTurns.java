package gateway.app.steering;

/// For shares whose cycle is long: the places lie side by side on a circle, each as wide as its share, and every turn
/// goes on by the golden section of it, which spreads the turns of a place evenly (three-distance theorem). The stride
/// has no divisor in common with the circle, so a cycle meets each of its points once.
final class StridingTurns implements TurnOrder {
    private static final double GOLDEN_SECTION = 0.6180339887498949;

    private final int[] ends;
    private final int turns;
    private final long stride;

    private StridingTurns(int[] ends, int turns, long stride) {
        this.ends = ends;
        this.turns = turns;
        this.stride = stride;
    }

    static StridingTurns of(int[] shares) {
        int[] ends = new int[shares.length];
        int end = 0;
        for (int i = 0; i < shares.length; i++) {
            end = Math.addExact(end, shares[i]);
            ends[i] = end;
        }
        int stride = Math.max(1, (int) (end * GOLDEN_SECTION));
        while (Rotation.greatestCommonDivisor(end, stride) != 1) stride++;
        return new StridingTurns(ends, end, stride);
    }

    @Override
    public int turns() {
        return turns;
    }

    @Override
    public int place(int turn) {
        int point = (int) (turn * stride % turns);
        int from = 0;
        int to = ends.length - 1;
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (ends[middle] <= point) from = middle + 1;
            else to = middle;
        }
        return from;
    }
}
