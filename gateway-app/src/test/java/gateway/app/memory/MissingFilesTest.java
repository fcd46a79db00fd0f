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
import org.junit.jupiter.params.provider.ValueSource;

final class MissingFilesTest {
    @TempDir
    private Path data;

    @Test
    void a_first_start_and_those_after_it_miss_nothing() {
        assertThat(warnings()).isEmpty();
        assertThat(warnings()).isEmpty();
    }

    @Test
    void definitions_that_somebody_put_there_before_the_first_start_miss_nothing() throws IOException {
        Files.createDirectories(data.resolve("apis"));
        Files.writeString(data.resolve("apis/orders.json"), "{}");

        assertThat(warnings()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void journals_that_are_all_lost_are_told_as_the_pepper_and_the_audit_log_are_left(boolean emptied)
            throws IOException {
        WrittenFolder.copyTo(data);
        for (String name : WrittenFolder.JOURNALS) lose(name, emptied);

        List<String> warnings = warnings();

        assertThat(warnings).hasSize(3);
        for (String name : WrittenFolder.JOURNALS) {
            assertThat(warnings)
                    .anyMatch(line ->
                            line.contains(lost(name, emptied ? "empty" : "missing", "pepper and audit.ndjson")));
        }
        assertThat(warnings()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"pepper", "audit.ndjson"})
    void either_of_them_alone_is_enough(String left) throws IOException {
        Files.write(data.resolve(left), new byte[32]);

        assertThat(warnings())
                .hasSizeGreaterThanOrEqualTo(3)
                .allMatch(line -> line.contains("though there is something in " + left + ": "));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_lost_audit_log_is_told_where_there_are_keys(boolean emptied) throws IOException {
        WrittenFolder.copyTo(data);
        assertThat(warnings()).isEmpty();

        lose("audit.ndjson", emptied);

        assertThat(warnings())
                .singleElement()
                .asString()
                .contains(lost(
                        "audit.ndjson",
                        emptied ? "empty" : "missing",
                        "revisions.journal and keys.journal and quotas.journal and pepper"));
    }

    @ParameterizedTest
    @CsvSource({
        "revisions.journal, keys.journal and quotas.journal and pepper",
        "keys.journal, revisions.journal and quotas.journal and pepper",
        "quotas.journal, revisions.journal and keys.journal and pepper"
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
                .contains(lost("apis", "missing", "revisions.journal and keys.journal and quotas.journal and pepper"));
    }

    private void lose(String name, boolean emptied) throws IOException {
        Files.delete(data.resolve(name));
        if (emptied) Files.createFile(data.resolve(name));
    }

    private String lost(String name, String how, String others) {
        return data.resolve(name) + " is " + how + ", though there is something in " + others;
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
