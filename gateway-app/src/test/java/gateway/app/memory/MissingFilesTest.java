package gateway.app.memory;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.log.CapturedLog;
import gateway.service.ManualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MissingFilesTest {
    @TempDir
    private Path data;

    @Test
    void a_first_start_and_those_after_it_miss_nothing() {
        assertThat(warnings()).isEmpty();
        assertThat(warnings()).isEmpty();
    }

    @Test
    void a_folder_with_definitions_and_a_pepper_that_somebody_put_there_misses_nothing() throws IOException {
        Files.createDirectories(data.resolve("apis"));
        Files.writeString(data.resolve("apis/orders.json"), "{}");
        Files.write(data.resolve("pepper"), new byte[32]);

        assertThat(warnings()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "revisions.journal, keys.journal and quotas.journal",
        "keys.journal, revisions.journal and quotas.journal",
        "quotas.journal, revisions.journal and keys.journal"
    })
    void a_journal_missing_or_emptied_beside_others_is_told_once(String name, String others) throws IOException {
        for (boolean written : List.of(true, false)) {
            if (written) WrittenFolder.copyTo(data);
            Files.delete(data.resolve(name));
            assertThat(warnings()).singleElement().asString().contains(lost(name, "missing", others));
            assertThat(warnings()).isEmpty();

            Files.write(data.resolve(name), new byte[0]);
            assertThat(warnings()).singleElement().asString().contains(lost(name, "empty", others));
            assertThat(warnings()).isEmpty();
        }
    }

    @Test
    void a_missing_folder_of_definitions_is_told() throws IOException {
        assertThat(warnings()).isEmpty();
        Files.delete(data.resolve("apis"));

        assertThat(warnings())
                .singleElement()
                .asString()
                .contains(lost("apis", "missing", "revisions.journal and keys.journal and quotas.journal"));
    }

    private String lost(String name, String how, String others) {
        return data.resolve(name) + " is " + how + ", though there is something in " + others + ": ";
    }

    /// What a start warns of.
    private List<String> warnings() {
        try (var log = new CapturedLog()) {
            EmbeddedStores.open(data, ManualClock.create(), 1_000).close();
            return log.text()
                    .lines()
                    .filter(line -> line.contains(" WARN  MissingFiles - "))
                    .toList();
        }
    }
}
