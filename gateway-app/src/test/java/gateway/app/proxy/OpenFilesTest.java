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
        long needed = OpenFiles.needed(tier.connections(), tier.webSockets(), tier.requestsInFlight());

        assertThat(OpenFiles.warning(needed, 4L * tier.connections())).isEmpty();
    }

    @Test
    void too_few_are_told_with_what_to_do() {
        assertThat(OpenFiles.warning(OpenFiles.needed(1_000, 500, 256), 1_024))
                .hasValueSatisfying(told -> assertThat(told)
                        .contains("may take 2780 open files, and the limit is 1024", "lower GATEWAY_CONNECTIONS"));
    }
}
