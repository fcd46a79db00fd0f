package gateway.app.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The tiers here and those of the image's entry point are the same.
final class TierTest {
    private static final Path ENTRY_POINT = Path.of("../docker/entrypoint.sh");
    /// `W1) set -- CPUS MEMORY IO_THREADS REQUESTS …`
    private static final Pattern ROW = Pattern.compile("(W\\d+)\\) set -- (\\d+) \\d+ (\\d+) (\\d+) ");

    @Test
    void the_entry_point_sets_the_same_numbers() throws IOException {
        var inEntryPoint = ROW.matcher(Files.readString(ENTRY_POINT))
                .results()
                .map(row -> row.group(1) + " " + row.group(3) + " " + row.group(4))
                .toList();

        assertThat(inEntryPoint)
                .containsExactlyElementsOf(Arrays.stream(Tier.values())
                        .map(tier -> tier + " " + tier.ioThreads() + " " + tier.requestsInFlight())
                        .toList());
    }

    @Test
    void the_cpus_of_the_entry_point_are_those_that_choose_the_tier() throws IOException {
        var rows = ROW.matcher(Files.readString(ENTRY_POINT)).results().toList();

        assertThat(rows)
                .isNotEmpty()
                .allSatisfy(row ->
                        assertThat(Tier.of(Integer.parseInt(row.group(2)))).hasToString(row.group(1)));
    }
}
