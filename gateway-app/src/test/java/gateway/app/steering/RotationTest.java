package gateway.app.steering;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

final class RotationTest {
    /// As many targets as a definition may have, with weights that have no divisor in common.
    private static final List<Integer> MANY =
            IntStream.range(0, 256).mapToObj(i -> 994 + i % 7).toList();

    private static int[] turns(List<Integer> weights, int count) {
        Rotation rotation = Rotation.of(weights);
        return IntStream.generate(rotation::next).limit(count).toArray();
    }

    private static int[] counts(int[] turns, int places) {
        int[] counts = new int[places];
        for (int place : turns) counts[place]++;
        return counts;
    }

    private static int[] array(List<Integer> weights) {
        return weights.stream().mapToInt(i -> i).toArray();
    }

    @Test
    void spreads_the_turns_of_a_heavy_place() {
        assertThat(turns(List.of(5, 1, 1), 14)).containsExactly(0, 0, 1, 0, 2, 0, 0, 0, 0, 1, 0, 2, 0, 0);
    }

    @Test
    void never_chooses_a_weight_of_zero() {
        assertThat(turns(List.of(0, 3, 0), 3)).containsExactly(1, 1, 1);
        assertThat(turns(List.of(0, 0), 1)).containsExactly(-1);
        assertThat(turns(List.of(), 1)).containsExactly(-1);
    }

    @Test
    void gives_each_its_exact_share_of_a_long_cycle() {
        int cycle = MANY.stream().mapToInt(i -> i).sum();

        assertThat(counts(turns(MANY, cycle), MANY.size())).isEqualTo(array(MANY));
    }

    @Test
    void gives_exact_shares_with_weights_far_apart_and_zeros() {
        List<Integer> weights = IntStream.range(0, 256)
                .mapToObj(i -> i % 5 == 0 ? 0 : i % 3 == 0 ? 1 : 1000 - i)
                .toList();
        int cycle = weights.stream().mapToInt(i -> i).sum();

        assertThat(counts(turns(weights, cycle), weights.size())).isEqualTo(array(weights));
    }

    @Test
    void spreads_the_turns_of_many_places() {
        int[] last = new int[MANY.size()];
        Arrays.fill(last, -1);
        int widest = 0;
        int[] turns = turns(MANY, 20_000);
        for (int turn = 0; turn < turns.length; turn++) {
            if (last[turns[turn]] >= 0) widest = Math.max(widest, turn - last[turns[turn]]);
            last[turns[turn]] = turn;
        }

        assertThat(widest).isLessThan(3 * MANY.size());
    }

    @Test
    void is_made_in_no_time_for_many_targets_with_odd_weights() {
        // a hundred worked out as whole cycles took two minutes
        Assertions.assertTimeout(
                Duration.ofSeconds(10), () -> Collections.nCopies(100, MANY).forEach(Rotation::of));
    }
}
