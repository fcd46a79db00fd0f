package gateway.app.steering;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;

/// A ring of hashes (Karger et al. 1997; ketama): each target owns points on it in proportion to its weight, and a
/// value belongs to the next point's target. When a target goes, only its values move, each to the next target around.
final class HashRing {
    private static final int POINTS_OF_THE_HEAVIEST = 160;

    private final long[] points;
    private final int[] owners;

    private HashRing(long[] points, int[] owners) {
        this.points = points;
        this.owners = owners;
    }

    /// @param names of the targets, which alone decide where their points lie
    /// @param weights 0 and more; a target of weight 0 owns nothing
    static HashRing of(List<String> names, int[] weights) {
        int heaviest = Arrays.stream(weights).max().orElse(0);
        int[] counts = Arrays.stream(weights)
                .map(weight -> weight == 0 ? 0 : Math.max(1, POINTS_OF_THE_HEAVIEST * weight / heaviest))
                .toArray();
        var slots = new Slot[Arrays.stream(counts).sum()];
        int next = 0;
        for (int owner = 0; owner < counts.length; owner++) {
            long place = Hash.of(names.get(owner));
            for (int i = 0; i < counts[owner]; i++) {
                slots[next++] = new Slot(Hash.mixed(place + i * 0x9e3779b97f4a7c15L), owner);
            }
        }
        Arrays.sort(slots, (a, b) -> Long.compareUnsigned(a.point, b.point));
        return new HashRing(
                Arrays.stream(slots).mapToLong(Slot::point).toArray(),
                Arrays.stream(slots).mapToInt(Slot::owner).toArray());
    }

    private record Slot(long point, int owner) {}

    /// The target of `hash`, or of those for which `usable` holds the next one around; -1 when it holds for none.
    int owner(long hash, IntPredicate usable) {
        int from = firstFrom(hash);
        int last = -1;
        for (int i = 0; i < points.length; i++) {
            int owner = owners[(from + i) % points.length];
            if (owner != last && usable.test(owner)) return owner;
            last = owner;
        }
        return -1;
    }

    private int firstFrom(long hash) {
        int from = 0;
        int to = points.length;
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (Long.compareUnsigned(points[middle], hash) < 0) from = middle + 1;
            else to = middle;
        }
        return from == points.length ? 0 : from;
    }
}
