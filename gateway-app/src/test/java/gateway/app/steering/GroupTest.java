package gateway.app.steering;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.config.EjectionDefinition;
import gateway.config.HealthCheckDefinition;
import gateway.config.UpstreamDefinition.Balance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class GroupTest {
    private static final int[] NOWHERE = {};
    private static final HealthCheckDefinition CHECK = new HealthCheckDefinition(
            HealthCheckDefinition.Type.TCP, "/", Duration.ofSeconds(1), Duration.ofSeconds(1), 1, 1, Set.of());

    private final Ticks ticks = new Ticks();
    private final List<Endpoint> endpoints = new ArrayList<>();

    private Group group(Balance balance, int... weights) {
        return group(balance, Optional.empty(), Duration.ZERO, weights);
    }

    private Group group(Balance balance, Optional<EjectionDefinition> ejection, Duration slowStart, int... weights) {
        endpoints.clear();
        for (int weight : weights) {
            var state = new TargetState(ticks);
            endpoints.add(new Endpoint(
                    "http://10.0.0." + endpoints.size() + ":80",
                    weight,
                    state,
                    Optional.of(new TargetHealth(CHECK, state))));
        }
        return new Group(endpoints, balance, ejection, slowStart.toNanos(), new Dice(7));
    }

    private static int[] ones(int count) {
        return IntStream.generate(() -> 1).limit(count).toArray();
    }

    private static EjectionDefinition ejecting(int maxPercent) {
        return new EjectionDefinition(3, true, Duration.ofSeconds(10), Duration.ofSeconds(30), maxPercent);
    }

    private int[] chosen(Group group, int times) {
        int[] counts = new int[endpoints.size()];
        for (int i = 0; i < times; i++) counts[group.choose(Hash.of("client-" + i), NOWHERE, 0)]++;
        return counts;
    }

    private void fail(Group group, int place, int times) {
        for (int i = 0; i < times; i++) group.ended(place, false, 0);
    }

    private void unhealthy(int place) {
        endpoints.get(place).health().orElseThrow().checked(false);
    }

    @Property(tries = 50)
    void each_gets_its_share_by_weight(
            @ForAll @Size(min = 1, max = 6) List<@IntRange(min = 1, max = 9) Integer> weights,
            @ForAll Balance balance) {
        if (balance == Balance.HASH) return; // see HashRingTest
        Group group = group(balance, weights.stream().mapToInt(w -> w).toArray());
        int total = weights.stream().mapToInt(w -> w).sum();

        int[] counts = chosen(group, 4_000);

        for (int i = 0; i < counts.length; i++) {
            double expected = 4_000.0 * weights.get(i) / total;
            // requests that are over at once leave nothing to balance by, so least requests draws by weight too
            double spread = balance == Balance.ROUND_ROBIN ? total : 6 * Math.sqrt(expected) + 20;
            double tie = balance == Balance.LEAST_REQUESTS ? expected : 0; // the heavier one of two wins
            assertThat((double) counts[i]).isBetween(expected - spread - tie, expected + spread + tie);
        }
    }

    @Property(tries = 50)
    void what_an_unhealthy_one_would_get_is_spread_over_all_others(
            @ForAll @IntRange(min = 3, max = 6) int count, @ForAll @IntRange(max = 2) int gone) {
        Group group = group(Balance.ROUND_ROBIN, ones(count));
        unhealthy(gone);

        int[] counts = chosen(group, 3_000);

        double each = 3_000.0 / (count - 1);
        for (int i = 0; i < count; i++) {
            if (i == gone) assertThat(counts[i]).isZero();
            else assertThat((double) counts[i]).isBetween(each * 0.85, each * 1.15);
        }
    }

    @Test
    void least_requests_keeps_off_the_busy_one() {
        Group group = group(Balance.LEAST_REQUESTS, 1, 1, 1);
        for (int i = 0; i < 50; i++) endpoints.get(1).state().begin();

        int[] counts = chosen(group, 3_000);

        assertThat(counts[1]).isLessThan(600); // drawn twice in a row: one of nine
    }

    @ParameterizedTest
    @EnumSource(Balance.class)
    void weight_zero_takes_no_requests(Balance balance) {
        Group group = group(balance, 0, 1, 1);

        assertThat(chosen(group, 500)[0]).isZero();
    }

    @ParameterizedTest
    @EnumSource(Balance.class)
    void none_is_chosen_when_none_is_healthy(Balance balance) {
        Group group = group(balance, 1, 1);
        unhealthy(0);
        unhealthy(1);

        assertThat(group.choose(1, NOWHERE, 0)).isEqualTo(Group.NONE);
    }

    @ParameterizedTest
    @EnumSource(Balance.class)
    void one_that_was_tried_is_chosen_again_only_when_no_other_is_usable(Balance balance) {
        Group group = group(balance, 1, 1);

        int other = group.choose(1, new int[] {0}, 1);
        unhealthy(1);
        int again = group.choose(1, new int[] {0}, 1);

        assertThat(other).isEqualTo(1);
        assertThat(again).isEqualTo(0);
    }

    @Test
    void hash_chooses_the_same_one_for_the_same_value() {
        Group group = group(Balance.HASH, 1, 1, 1, 1);

        int first = group.choose(Hash.of("alice"), NOWHERE, 0);

        for (int i = 0; i < 20; i++)
            assertThat(group.choose(Hash.of("alice"), NOWHERE, 0)).isEqualTo(first);
    }

    @Test
    void failures_in_a_row_eject_for_the_base_time() {
        Group group = group(Balance.ROUND_ROBIN, Optional.of(ejecting(50)), Duration.ZERO, 1, 1);

        fail(group, 0, 2);
        group.ended(0, true, 200);
        fail(group, 0, 2);
        boolean before = group.isUsable(0);
        group.ended(0, true, 503);
        boolean after = group.isUsable(0);
        ticks.pass(Duration.ofSeconds(9));
        boolean late = group.isUsable(0);
        ticks.pass(Duration.ofSeconds(1));

        assertThat(List.of(before, after, late, group.isUsable(0))).containsExactly(true, false, false, true);
    }

    @Test
    void each_further_ejection_takes_longer_up_to_the_longest() {
        Group group = group(Balance.ROUND_ROBIN, Optional.of(ejecting(50)), Duration.ZERO, 1, 1);
        var out = new ArrayList<Duration>();

        for (int i = 0; i < 4; i++) {
            fail(group, 0, 3);
            Duration time = endpoints.get(0).state().outFor();
            out.add(time);
            ticks.pass(time);
            assertThat(group.isUsable(0)).isTrue();
        }

        assertThat(out.stream().map(Duration::toSeconds)).containsExactly(10L, 20L, 30L, 30L);
    }

    @Test
    void ejections_are_forgotten_while_all_goes_well() {
        Group group = group(Balance.ROUND_ROBIN, Optional.of(ejecting(50)), Duration.ZERO, 1, 1);
        fail(group, 0, 3);
        ticks.pass(Duration.ofSeconds(10));
        group.isUsable(0);

        ticks.pass(Duration.ofSeconds(25));
        fail(group, 0, 3);

        assertThat(endpoints.get(0).state().outFor()).isEqualTo(Duration.ofSeconds(10));
    }

    @Property(tries = 50)
    void never_more_than_the_cap_are_out(
            @ForAll @IntRange(min = 1, max = 10) int count, @ForAll @IntRange(min = 1, max = 100) int maxPercent) {
        Group group = group(Balance.ROUND_ROBIN, Optional.of(ejecting(maxPercent)), Duration.ZERO, ones(count));

        for (int i = 0; i < count; i++) fail(group, i, 20);

        long out = IntStream.range(0, count).filter(i -> !group.isUsable(i)).count();
        assertThat(out).isEqualTo((long) count * maxPercent / 100);
    }

    @Test
    void a_drained_endpoint_does_not_let_the_only_usable_one_be_ejected() {
        Group group = group(Balance.ROUND_ROBIN, Optional.of(ejecting(50)), Duration.ZERO, 1, 0);

        fail(group, 0, 20);

        assertThat(group.isUsable(0)).isTrue();
    }

    @Test
    void unhealthy_endpoints_do_not_let_all_healthy_ones_be_ejected() {
        Group group = group(Balance.ROUND_ROBIN, Optional.of(ejecting(50)), Duration.ZERO, 1, 1, 1, 1);
        unhealthy(0);
        unhealthy(1);

        fail(group, 2, 20);
        fail(group, 3, 20);

        assertThat(group.isUsable(2)).isFalse();
        assertThat(group.isUsable(3)).isTrue();
    }

    @Test
    void one_that_is_unusable_anyway_is_not_ejected_too() {
        Group group = group(Balance.ROUND_ROBIN, Optional.of(ejecting(50)), Duration.ZERO, 1, 1, 1, 1);
        unhealthy(0);

        fail(group, 0, 20);
        endpoints.get(0).health().orElseThrow().checked(true);

        assertThat(group.isUsable(0)).isTrue();
    }

    @Test
    void one_that_came_back_takes_its_share_slowly() {
        Group group = group(Balance.ROUND_ROBIN, Optional.empty(), Duration.ofSeconds(100), 1, 1);
        ticks.pass(Duration.ofSeconds(200));
        unhealthy(0);
        endpoints.get(0).health().orElseThrow().checked(true);

        int atFirst = chosen(group, 2_000)[0];
        ticks.pass(Duration.ofSeconds(50));
        int halfway = chosen(group, 2_000)[0];
        ticks.pass(Duration.ofSeconds(50));
        int later = chosen(group, 2_000)[0];

        assertThat(atFirst).isLessThan(350);
        assertThat(halfway).isBetween(450, 950);
        assertThat(later).isBetween(990, 1_010);
    }
}
