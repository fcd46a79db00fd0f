package gateway.app.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.app.log.CapturedLog;
import gateway.service.DependencyException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JournalTest {
    @TempDir
    private Path folder;

    private boolean outOfFiles;

    @Test
    void a_journal_written_anew_that_cannot_be_opened_is_opened_by_the_next_write() throws IOException {
        try (Journal journal = open()) {
            journal.append(List.of("one", "two", "three"));
            outOfFiles = true;
            journal.rewrite(List.of("three"));

            assertThatThrownBy(() -> journal.append("four")).isInstanceOf(DependencyException.class);
            outOfFiles = false;
            journal.append("five");

            assertThat(journal.writable()).isTrue();
            assertThat(lines()).containsExactly("three", "five");
        }
    }

    @Test
    void lines_written_anew_stand_in_the_place_of_all_there_were() throws IOException {
        try (Journal journal = open()) {
            journal.append(List.of("one", "two"));

            journal.rewrite(List.of("two"));
            journal.append("three");

            assertThat(lines()).containsExactly("two", "three");
        }
    }

    @Test
    void one_that_may_not_be_written_to_says_so_at_the_start_and_to_whoever_writes() throws IOException {
        open().close();
        var readOnly = new Journal.Opening() {
            @Override
            public RandomAccessFile open(Path path) {
                throw new AssertionError("it may not be written to");
            }

            @Override
            public boolean isAllowed(Path path) {
                return false;
            }
        };
        try (var told = new CapturedLog();
                Journal journal = Journal.open(folder.resolve("a.journal"), (_, _) -> {}, readOnly)) {
            assertThat(told.text()).contains("WARN", "a.journal cannot be written to", "chmod u+w");
            String before = told.text();

            assertThatThrownBy(() -> journal.append("one"))
                    .isInstanceOf(DependencyException.class)
                    .hasMessageContaining("a.journal cannot be written to");
            assertThat(told.text()).as("nothing of a line half written").isEqualTo(before);
        }
    }

    private Journal open() {
        return Journal.open(folder.resolve("a.journal"), (_, _) -> {}, path -> {
            if (outOfFiles) throw new IOException("Too many open files");
            return new RandomAccessFile(path.toFile(), "rw");
        });
    }

    private List<String> lines() throws IOException {
        var lines = new ArrayList<String>();
        Journal.open(folder.resolve("a.journal"), (_, line) -> lines.add(line)).close();
        return lines;
    }
}
