package gateway.app.steering;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

final class HashRingTest {
    private static final int VALUES = 2_000;

    private static List<String> names(int count, int salt) {
        return IntStream.range(0, count)
                .mapToObj(i -> "http://10.0." + salt % 250 + "." + i + ":80")
                .toList();
    }

    private static int[] owners(HashRing ring) {
        return IntStream.range(0, VALUES)
                .map(i -> ring.owner(Hash.of("client-" + i), any -> true))
                .toArray();
    }

    private static int[] ones(int count) {
        int[] weights = new int[count];
        Arrays.fill(weights, 1);
        return weights;
    }

    @Property(tries = 40)
    void a_target_that_goes_moves_nobody_but_its_own(
            @ForAll @IntRange(min = 2, max = 12) int count, @ForAll @IntRange(max = 1_000) int salt) {
        int gone = salt % count;
        HashRing ring = HashRing.of(names(count, salt), ones(count));

        int[] before = owners(ring);
        int[] after = IntStream.range(0, VALUES)
                .map(i -> ring.owner(Hash.of("client-" + i), owner -> owner != gone))
                .toArray();

        for (int i = 0; i < VALUES; i++) {
            if (before[i] == gone) assertThat(after[i]).isNotEqualTo(gone);
            else assertThat(after[i]).isEqualTo(before[i]);
        }
    }

    @Property(tries = 40)
    void a_target_that_comes_takes_values_and_moves_none_between_the_others(
            @ForAll @IntRange(min = 1, max = 12) int count, @ForAll @IntRange(max = 1_000) int salt) {
        int[] before = owners(HashRing.of(names(count, salt), ones(count)));
        int[] after = owners(HashRing.of(names(count + 1, salt), ones(count + 1)));

        for (int i = 0; i < VALUES; i++) {
            if (after[i] != count) assertThat(after[i]).isEqualTo(before[i]);
        }
    }

    @Property(tries = 40)
    void values_are_shared_by_weight(
            @ForAll @IntRange(min = 2, max = 8) int count, @ForAll @IntRange(max = 1_000) int salt) {
        int[] weights = ones(count);
        weights[0] = 3;
        weights[1] = 0;

        int[] owners = owners(HashRing.of(names(count, salt), weights));

        var shares = new ArrayList<Double>();
        for (int owner = 0; owner < count; owner++) {
            int place = owner;
            shares.add(Arrays.stream(owners).filter(o -> o == place).count() / (double) VALUES);
        }
        double unit = 1.0 / (count + 1);
        assertThat(shares.get(1)).isZero();
        assertThat(shares.get(0)).isBetween(3 * unit * 0.6, Math.min(1, 3 * unit * 1.5));
        for (double share : shares.subList(2, count)) assertThat(share).isBetween(unit * 0.4, unit * 1.9);
    }

    @Property(tries = 5)
    void nobody_owns_a_value_when_nobody_is_usable(@ForAll @IntRange(min = 1, max = 4) int count) {
        HashRing ring = HashRing.of(names(count, 1), ones(count));

        assertThat(ring.owner(42, owner -> false)).isEqualTo(-1);
        assertThat(HashRing.of(names(count, 1), new int[count]).owner(42, owner -> true))
                .isEqualTo(-1);
    }
}
