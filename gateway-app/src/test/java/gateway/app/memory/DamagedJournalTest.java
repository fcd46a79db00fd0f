package gateway.app.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.app.log.CapturedLog;
import gateway.service.ManualClock;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What a start makes of journals that do not hold what was written: all of it, all but an append that was under way,
/// or nothing at all and a refusal. Never less in silence.
final class DamagedJournalTest {
    @TempDir
    private Path data;

    @BeforeEach
    void write() throws IOException {
        WrittenFolder.copyTo(data);
    }

    static List<String> journals() {
        return WrittenFolder.JOURNALS;
    }

    @Test
    void a_folder_written_by_version_0_1_opens_with_all_it_holds_and_stays_as_it_is() throws IOException {
        byte[] keys = journal("keys.journal");
        byte[] quotas = journal("quotas.journal");
        byte[] revisions = journal("revisions.journal");

        try (var log = new CapturedLog()) {
            assertThat(WrittenFolder.open(data)).isEqualTo(WrittenFolder.WHOLE);

            assertThat(log.text()).doesNotContain("WARN");
        }
        assertThat(journal("keys.journal")).isEqualTo(keys);
        assertThat(journal("quotas.journal")).isEqualTo(quotas);
        assertThat(journal("revisions.journal")).isEqualTo(revisions);
    }

    @ParameterizedTest
    @MethodSource("journals")
    void any_flipped_bit_of_the_last_lines_is_refused_and_nothing_is_cut(String name) throws IOException {
        byte[] whole = journal(name);
        for (int at = beginOfLastLines(whole, 2); at < whole.length; at++) {
            for (int bit = 0; bit < 8; bit++) {
                byte[] flipped = whole.clone();
                flipped[at] ^= (byte) (1 << bit);
                assertRefused(name, flipped, "byte " + at + ", bit " + bit);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("journals")
    void line_ends_of_windows_are_refused_and_named(String name) throws IOException {
        String text = new String(journal(name), StandardCharsets.UTF_8);

        assertRefused(name, text.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8), "CRLF");
        assertThatThrownBy(() -> open(name))
                .hasMessageContaining(data.resolve(name) + " is damaged at line 1, byte ")
                .hasMessageContaining("expected a line feed, got a carriage return before it")
                .hasMessageContaining("docs/stores.md")
                .hasMessageContaining("\"A damaged journal\"");
    }

    @ParameterizedTest
    @MethodSource("journals")
    void other_conversions_are_refused(String name) throws IOException {
        String text = new String(journal(name), StandardCharsets.UTF_8);

        assertRefused(name, text.replace("\n", "\r").getBytes(StandardCharsets.UTF_8), "CR");
        assertRefused(name, ("\ufeff" + text).getBytes(StandardCharsets.UTF_8), "byte order mark");
        assertRefused(name, text.getBytes(StandardCharsets.UTF_16), "UTF-16");
        assertRefused(name, text.replace("\n", "\n\n").getBytes(StandardCharsets.UTF_8), "empty lines");
    }

    @ParameterizedTest
    @MethodSource("journals")
    void garbage_behind_the_last_line_is_refused(String name) throws IOException {
        byte[] whole = journal(name);
        for (byte filler : new byte[] {'\n', '\r', ' ', 'x', '{', (byte) 0xff}) {
            for (int count : new int[] {1, 8, 5_000}) {
                byte[] padded = Arrays.copyOf(whole, whole.length + count);
                Arrays.fill(padded, whole.length, padded.length, filler);
                assertRefused(name, padded, count + " times " + filler);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("journals")
    void an_append_that_was_under_way_is_cut_kept_and_told(String name) throws IOException {
        byte[] whole = journal(name);
        int last = beginOfLastLines(whole, 1);
        var kept = new HashSet<Path>();
        for (int cut = last + 1; cut < whole.length - 1; cut++) {
            Files.write(data.resolve(name), Arrays.copyOf(whole, cut));

            try (var log = new CapturedLog()) {
                open(name);

                assertThat(journal(name)).isEqualTo(Arrays.copyOf(whole, last));
                Path tail = onlyNew(kept, kept(name));
                assertThat(tail).hasBinaryContent(Arrays.copyOfRange(whole, last, cut));
                assertThat(log.text())
                        .contains("WARN  UnfinishedAppend - " + data.resolve(name) + ": cut off " + (cut - last)
                                + " bytes from byte " + last)
                        .contains(tail.toString());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("journals")
    void a_last_line_that_lacks_only_its_line_feed_is_kept_and_told(String name) throws IOException {
        byte[] whole = journal(name);
        Files.write(data.resolve(name), Arrays.copyOf(whole, whole.length - 1));

        try (var log = new CapturedLog()) {
            assertThat(WrittenFolder.open(data)).isEqualTo(WrittenFolder.WHOLE);

            assertThat(log.text())
                    .contains("WARN  Journal - " + data.resolve(name) + ": the last line lacks its line feed");
        }
        assertThat(journal(name)).isEqualTo(whole);
        assertThat(kept(name)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("journals")
    void zeros_that_the_disk_left_are_cut_and_kept(String name) throws IOException {
        byte[] whole = journal(name);
        Files.write(data.resolve(name), Arrays.copyOf(whole, whole.length + 4_096));

        assertThat(WrittenFolder.open(data)).isEqualTo(WrittenFolder.WHOLE);

        assertThat(journal(name)).isEqualTo(whole);
        assertThat(kept(name))
                .singleElement()
                .satisfies(tail -> assertThat(tail).hasBinaryContent(new byte[4_096]));
    }

    @ParameterizedTest
    @MethodSource("journals")
    void zeros_in_the_place_of_what_was_on_disk_are_refused(String name) throws IOException {
        byte[] whole = journal(name);
        int last = beginOfLastLines(whole, 1);

        assertRefused(name, new byte[whole.length], "nothing but zeros");
        assertRefused(name, new byte[65_536], "more of them");
        for (int begin = 1; begin < whole.length; begin++) {
            if (whole[begin - 1] == '\n') continue; // as an append that was under way
            byte[] zeroed = Arrays.copyOf(Arrays.copyOf(whole, begin), whole.length);
            assertRefused(name, zeroed, "zeros from byte " + begin + " on");
            assertRefused(name, Arrays.copyOf(zeroed, 3 * whole.length), "more zeros from byte " + begin + " on");
        }
        Files.write(data.resolve(name), Arrays.copyOf(Arrays.copyOf(whole, last + 12), last + 32));
        assertThatThrownBy(() -> open(name))
                .hasMessageContaining("byte " + (last + 12) + ": expected the rest of the line, got 20 bytes of zeros");
    }

    @ParameterizedTest
    @MethodSource("journals")
    void more_zeros_than_an_append_has_bytes_are_refused(String name) throws IOException {
        long whole = Files.size(data.resolve(name));
        try (var file = new RandomAccessFile(data.resolve(name).toFile(), "rw")) {
            file.setLength(whole + JournalFlaw.MOST_ZEROS + 1);
        }

        assertThatThrownBy(() -> open(name))
                .isInstanceOf(DataFolderException.class)
                .hasMessageContaining(
                        "byte " + whole + ": expected a line, or at most 68157440 bytes of zeros, got 68157441");
    }

    @Test
    void a_line_with_a_checksum_that_fits_and_another_meaning_is_refused_with_its_place() throws IOException {
        byte[] whole = journal("revisions.journal");
        int last = beginOfLastLines(whole, 2);
        Files.write(data.resolve("revisions.journal"), Arrays.copyOfRange(whole, last, whole.length));

        assertThatThrownBy(() -> open("revisions.journal"))
                .isInstanceOf(DataFolderException.class)
                .hasMessageContaining("revisions.journal is damaged at line 1, byte 0: expected revision 1, got 2");
    }

    private void assertRefused(String name, byte[] bytes, String what) throws IOException {
        Files.write(data.resolve(name), bytes);

        assertThatThrownBy(() -> open(name))
                .as(what)
                .isInstanceOf(DataFolderException.class)
                .hasMessageContaining(data.resolve(name) + " is damaged at line ")
                .hasMessageMatching(".* line \\d+, byte \\d+: expected .*, got .*");
        assertThat(journal(name)).as(what).isEqualTo(bytes);
        assertThat(kept(name)).as(what).isEmpty();
    }

    private void open(String name) throws IOException {
        switch (name) {
            case "keys.journal" -> FileKeyStore.open(data, ManualClock.create()).close();
            case "revisions.journal" -> RevisionJournal.open(data).close();
            default ->
                QuotaJournal.open(
                                data,
                                new CounterTable(1_000),
                                ManualClock.create().nanos())
                        .close();
        }
    }

    private byte[] journal(String name) throws IOException {
        return Files.readAllBytes(data.resolve(name));
    }

    private Set<Path> kept(String name) throws IOException {
        try (Stream<Path> files = Files.list(data)) {
            return new HashSet<>(
                    files.filter(file -> String.valueOf(file.getFileName()).startsWith(name + ".cut"))
                            .toList());
        }
    }

    private static Path onlyNew(Set<Path> before, Set<Path> now) {
        var added = new HashSet<>(now);
        added.removeAll(before);
        before.addAll(added);
        assertThat(added).hasSize(1);
        return added.iterator().next();
    }

    private static int beginOfLastLines(byte[] journal, int lines) {
        int begin = journal.length;
        for (int i = 0; i < lines; i++) {
            begin--;
            while (begin > 0 && journal[begin - 1] != '\n') begin--;
        }
        return begin;
    }
}
