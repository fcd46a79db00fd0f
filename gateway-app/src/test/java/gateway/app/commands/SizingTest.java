package gateway.app.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import gateway.app.settings.Tier;
import org.junit.jupiter.api.Test;

final class SizingTest {
    private final ServiceTime service = new ServiceTime(50, 0, 0, 1);

    @Test
    void a_fast_service_behind_it_leaves_the_cpu_as_the_limit() {
        Sizing.Row row = new Sizing(service, 2).rows(0).getFirst();

        assertThat(row.limit()).isEqualTo(Sizing.Limit.CPU);
        assertThat(row.rps()).isCloseTo(13_000, within(0.01));
    }

    @Test
    void a_slow_service_behind_it_fills_the_places_for_requests_in_flight() {
        Sizing.Row row = new Sizing(service, 100).rows(0).getFirst();

        assertThat(row.limit()).isEqualTo(Sizing.Limit.REQUESTS_IN_FLIGHT);
        assertThat(row.rps()).isCloseTo(0.65 * 256 / 0.1, within(0.01));
    }

    @Test
    void recommends_the_fewest_cpus_and_of_those_the_fewest_replicas() {
        Sizing.Row row = new Sizing(service, 2).recommended(100_000);

        assertThat(row).extracting(Sizing.Row::tier, Sizing.Row::replicas).containsExactly(Tier.W4, 2L);
    }

    @Test
    void never_recommends_a_single_replica() {
        Sizing.Row row = new Sizing(service, 2).recommended(10);

        assertThat(row).extracting(Sizing.Row::tier, Sizing.Row::replicas).containsExactly(Tier.W1, 2L);
        assertThat(row.without()).isCloseTo(0.0005, within(0.00001));
    }
}
