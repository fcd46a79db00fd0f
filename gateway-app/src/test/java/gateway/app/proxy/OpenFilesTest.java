package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.settings.Tier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class OpenFilesTest {
    @ParameterizedTest
    @EnumSource(Tier.class)
    void a_tier_s_open_files_suffice_for_what_it_lets_in(Tier tier) {
        long limit = 4L * tier.connections();
        long needed = OpenFiles.needed(tier.connections(), tier.connections() / 2, tier.requestsInFlight());

        assertThat(OpenFiles.warning(needed, limit)).isEmpty();
        assertThat(OpenFiles.connections(tier.connections(), tier.requestsInFlight(), limit))
                .isEqualTo(tier.connections());
        assertThat(OpenFiles.away(needed, limit)).isGreaterThan(tier.connections());
    }

    @Test
    void with_fewer_files_there_are_fewer_connections_by_default_and_all_that_may_be_there_has_a_file() {
        int connections = OpenFiles.connections(16_384, 256, 3_000);
        long needed = OpenFiles.needed(connections, connections / 2, 256);

        assertThat(connections).isEqualTo(750);
        assertThat(OpenFiles.connections(16_384, 256, 1_024)).isEqualTo(128);
        assertThat(needed + OpenFiles.away(needed, 3_000)).isEqualTo(3_000);
    }

    @Test
    void too_few_are_told_with_what_to_do() {
        assertThat(OpenFiles.warning(OpenFiles.needed(1_000, 500, 256), 1_024))
                .hasValueSatisfying(told -> assertThat(told)
                        .contains("may take 2780 open files, and the limit is 1024", "lower GATEWAY_CONNECTIONS"));
    }
}
