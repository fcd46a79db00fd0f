package gateway.app.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.service.Charge;
import gateway.service.Counting;
import gateway.service.ManualClock;
import gateway.service.Rule;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EmbeddedStoresTest {
    private static final Charge QUOTA = new Charge(
            "quota", "key_1", new Rule.RollingPeriod(100, Duration.ofDays(1).toNanos()), Counting.EXACT, true);

    @TempDir
    private Path parent;

    private final ManualClock clock = ManualClock.create();

    @Test
    void makes_a_folder_that_only_its_owner_reads() throws IOException {
        Path data = parent.resolve("new/data");

        try (var stores = EmbeddedStores.open(data, clock, 1_000_000)) {
            assertThat(stores.definitions().load().revision()).isZero();
        }

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data)))
                .isEqualTo("rwx------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve("apis"))))
                .isEqualTo("rwx------");
    }

    @Test
    void a_folder_in_use_is_refused_and_says_by_whom() {
        try (var first = EmbeddedStores.open(parent, clock, 1_000_000)) {
            assertThat(first.counters()).isZero();

            assertThatThrownBy(() -> EmbeddedStores.open(parent, clock, 1_000_000))
                    .isInstanceOf(DataFolderException.class)
                    .hasMessage("data folder " + parent + " is in use by another gateway (process "
                            + ProcessHandle.current().pid() + "); stop it or choose another folder");
        }
    }

    @Test
    void closing_writes_the_last_counts_and_frees_the_folder() {
        try (var stores = EmbeddedStores.open(parent, clock, 1_000_000)) {
            stores.limits().acquire(List.of(QUOTA));
        }

        try (var stores = EmbeddedStores.open(parent, clock, 1_000_000)) {
            assertThat(stores.limits().peek(List.of(QUOTA)).getFirst().remaining())
                    .isEqualTo(99);
        }
    }

    @Test
    void a_refused_folder_is_free_again() throws IOException {
        Files.writeString(
                parent.resolve("keys.journal"),
                "damaged\n" + new String(JournalLine.encode("{}"), StandardCharsets.UTF_8));
        assertThatThrownBy(() -> EmbeddedStores.open(parent, clock, 1_000_000))
                .hasMessageContaining("keys.journal is damaged");
        Files.delete(parent.resolve("keys.journal"));

        EmbeddedStores.open(parent, clock, 1_000_000).close();
    }

    @Test
    void a_file_in_the_place_of_the_folder_is_named() throws IOException {
        Path file = Files.createFile(parent.resolve("file"));

        assertThatThrownBy(() -> EmbeddedStores.open(file, clock, 1_000_000))
                .isInstanceOf(DataFolderException.class)
                .hasMessageStartingWith("cannot open data folder " + file);
    }
}
