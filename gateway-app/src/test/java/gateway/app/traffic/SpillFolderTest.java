package gateway.app.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What lies in the spill folder and is not the gateway's own must cost no record.
class SpillFolderTest {
    private static final long PLENTY = 1L << 30;

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "999999999999999999.segment",
                "99999999999999999.segment",
                "9999999999999999.segment",
                "9999999999999998.segment",
                "9000000000000000.segment",
                "8999999999999999.segment",
                "0000000000000000.segment",
                "9999999999999999.segment.unreadable",
                "999999999999999999.segment.unreadable"
            })
    void finds_every_record_again_whatever_number_a_foreign_file_has(String foreign) throws IOException {
        Files.createFile(folder.resolve(foreign));
        appendedInAnotherRun("a", "b", "c");
        appendedInAnotherRun("d", "e");

        try (Spill spill = open(PLENTY)) {
            assertThat(drained(spill)).containsExactly("a", "b", "c", "d", "e");
            assertThat(spill.recovered()).isEqualTo(5);
        }
        assertThat(names()).noneMatch(name -> name.matches("\\d{16}\\.segment") && !name.equals(foreign));
    }

    @Test
    void brings_segments_with_the_last_numbers_into_the_same_order_at_the_beginning() throws IOException {
        appendedInAnotherRun("a", "b", "c");
        move("0000000000000001.segment", "0000000000000002.segment.kept");
        move("0000000000000003.segment", "9999999999999999.segment");
        move("0000000000000002.segment", "9999999999999998.segment");
        move("0000000000000002.segment.kept", "0000000000000002.segment");

        appendedInAnotherRun("d");

        assertThat(names())
                .containsExactly(
                        "0000000000000001.segment",
                        "0000000000000002.segment",
                        "0000000000000003.segment",
                        "0000000000000004.segment",
                        "lock");
        try (Spill spill = open(PLENTY)) {
            assertThat(drained(spill)).containsExactly("a", "b", "c", "d");
        }
    }

    @Test
    void takes_one_number_for_one_segment_however_many_noughts_are_written() throws IOException {
        appendedInAnotherRun("a", "b");
        Files.copy(folder.resolve("0000000000000001.segment"), folder.resolve("00000000000000001.segment"));

        try (Spill spill = open(PLENTY)) {
            assertThat(drained(spill)).containsExactly("a", "b");
            assertThat(spill.records()).isZero();
            assertThat(spill.bytes()).isZero();
        }
        assertThat(names()).containsExactly("00000000000000001.segment", "lock");
    }

    @Test
    void begins_no_segment_where_a_file_turned_up_meanwhile() throws IOException {
        try (Spill spill = open(PLENTY)) {
            Files.createDirectory(folder.resolve("0000000000000001.segment"));

            assertThat(spill.append(batch("a"), record -> true)).isEqualTo(1);

            assertThat(drained(spill)).containsExactly("a");
        }
    }

    @Test
    void puts_a_pipe_named_as_a_segment_aside_without_opening_it() throws Exception {
        pipe("0000000000000007.segment");
        appendedInAnotherRun("a");

        assertTimeoutPreemptively(Duration.ofMinutes(1), () -> {
            try (Spill spill = open(PLENTY)) {
                assertThat(drained(spill)).containsExactly("a");
            }
        });

        assertThat(names()).containsExactly("0000000000000007.segment.unreadable", "lock");
    }

    @Test
    void follows_no_link_out_of_the_folder() throws IOException {
        appendedInAnotherRun("a");
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        Files.move(folder.resolve("0000000000000001.segment"), elsewhere.resolve("other"));
        Files.createSymbolicLink(folder.resolve("0000000000000001.segment"), elsewhere.resolve("other"));

        try (Spill spill = open(PLENTY)) {
            assertThat(drained(spill)).isEmpty();
        }

        assertThat(names()).containsExactly("0000000000000001.segment.unreadable", "elsewhere", "lock");
        assertThat(elsewhere.resolve("other")).exists();
    }

    @Test
    void puts_aside_under_a_free_name() throws IOException {
        Files.writeString(folder.resolve("0000000000000009.segment"), "something else entirely");
        Files.writeString(folder.resolve("0000000000000009.segment.unreadable"), "earlier");
        Files.createDirectory(folder.resolve("0000000000000009.segment.unreadable.2"));

        try (Spill spill = open(PLENTY)) {
            assertThat(drained(spill)).isEmpty();
        }

        assertThat(folder.resolve("0000000000000009.segment")).doesNotExist();
        assertThat(folder.resolve("0000000000000009.segment.unreadable")).hasContent("earlier");
        assertThat(folder.resolve("0000000000000009.segment.unreadable.3")).hasContent("something else entirely");
    }

    @Test
    void removes_what_was_put_aside_before_records_when_the_bound_is_reached() throws IOException {
        Files.writeString(folder.resolve("0000000000000001.segment.unreadable"), "x".repeat(50));
        Files.writeString(folder.resolve("0000000000000002.segment.unreadable"), "y".repeat(50));
        Files.writeString(folder.resolve("0000000000000003.segment"), "z".repeat(50));
        Files.createDirectory(folder.resolve("0000000000000004.segment.unreadable"));

        try (Spill spill = open(130)) {
            assertThat(spill.evict()).isZero();
            assertThat(names()).doesNotContain("0000000000000001.segment.unreadable");
            while (spill.countNext()) {}
            for (String record : List.of("a", "b")) spill.append(batch(record), each -> true);
            assertThat(spill.evict()).isZero();

            assertThat(names())
                    .containsExactly(
                            "0000000000000003.segment.unreadable",
                            "0000000000000004.segment.unreadable",
                            "0000000000000005.segment",
                            "0000000000000006.segment",
                            "lock");
            for (String record : List.of("c", "d", "e", "f", "g", "h")) spill.append(batch(record), each -> true);
            assertThat(spill.evict()).isEqualTo(1);
            assertThat(drained(spill)).containsExactly("b", "c", "d", "e", "f", "g", "h");
        }
        assertThat(names()).containsExactly("0000000000000004.segment.unreadable", "lock");
    }

    /// Each record makes a segment.
    private void appendedInAnotherRun(String... records) throws IOException {
        try (Spill spill = open(PLENTY)) {
            for (String record : records) spill.append(batch(record), each -> true);
        }
    }

    private Spill open(long maxBytes) throws IOException {
        Spill spill = Spill.open(folder, maxBytes, 1, 100);
        spill.recover();
        return spill;
    }

    private void move(String from, String to) throws IOException {
        Files.move(folder.resolve(from), folder.resolve(to));
    }

    private void pipe(String name) throws IOException, InterruptedException {
        var made = new ProcessBuilder("mkfifo", folder.resolve(name).toString()).start();
        assertThat(made.waitFor()).isZero();
    }

    private List<String> names() throws IOException {
        try (var files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private static List<String> drained(Spill spill) throws IOException {
        var found = new ArrayList<String>();
        for (var segment = spill.lease(); segment.isPresent(); segment = spill.lease()) {
            var batch = new Batch(10, 100);
            assertThat(Segment.read(segment.get().file(), batch, 0).isSound()).isTrue();
            for (int i = 0; i < batch.count(); i++) {
                int start = batch.start(i);
                found.add(new String(batch.array(), start, batch.end(i) - start, StandardCharsets.UTF_8));
            }
            spill.settled();
        }
        return found;
    }

    private static Batch batch(String record) {
        var batch = new Batch(10, 100);
        batch.json().raw(record.getBytes(StandardCharsets.UTF_8));
        batch.close(0);
        return batch;
    }
}
