package gateway.app.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpillTest {
    private static final long PLENTY = 1L << 30;

    @TempDir
    Path folder;

    @Test
    void gives_back_what_was_appended_in_order_and_removes_what_is_settled() throws IOException {
        try (Spill spill = Spill.open(folder, PLENTY, 30, 100)) {
            spill.append(batch("a", "b"), record -> true);
            spill.append(batch("c", "skipped", "d"), record -> record != 1);

            assertThat(drained(spill)).containsExactly("a", "b", "c", "d");
            assertThat(spill.records()).isZero();
            assertThat(spill.bytes()).isZero();
        }
        assertThat(segments()).isEmpty();
    }

    @Test
    void finds_after_a_restart_what_was_left() throws IOException {
        try (Spill spill = Spill.open(folder, PLENTY, 1 << 20, 2)) {
            spill.append(batch("a", "b", "c"), record -> true);
            spill.append(batch("d"), record -> true);
        }

        try (Spill spill = Spill.open(folder, PLENTY, 1 << 20, 2)) {
            assertThat(spill.recover()).isEqualTo(2);
            assertThat(spill.isEmpty()).isFalse();
            assertThat(spill.countNext()).isTrue();
            assertThat(spill.recovered()).isEqualTo(spill.records()).isEqualTo(3);
            spill.append(batch("e"), record -> true);
            assertThat(drained(spill)).containsExactly("a", "b", "c", "d", "e");
        }
    }

    @Test
    void drops_the_oldest_segment_over_its_bound_but_not_one_being_replayed() throws IOException {
        try (Spill spill = Spill.open(folder, 64, 1, 100)) {
            spill.append(batch("a"), record -> true);
            spill.append(batch("b"), record -> true);
            spill.append(batch("c"), record -> true);
            assertThat(spill.lease()).isPresent();

            spill.append(batch("d"), record -> true);
            long dropped = spill.evict();

            assertThat(dropped).isEqualTo(1);
            spill.settled();
            assertThat(drained(spill)).containsExactly("c", "d");
        }
    }

    @Test
    void a_bit_that_flips_anywhere_costs_one_record_which_is_counted_and_the_file_stays_for_people()
            throws IOException {
        try (Spill spill = Spill.open(folder, PLENTY, 1 << 20, 100)) {
            spill.append(batch("first", "second", "third"), record -> true);
        }
        Path segment = segments().getFirst();
        byte[] whole = Files.readAllBytes(segment);
        int last = whole.length - Segment.framed("third".length());

        for (int bit = 8 * Segment.HEADER; bit < 8 * last; bit++) {
            byte[] flipped = whole.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            Files.write(segment, flipped);

            try (Spill spill = Spill.open(folder, PLENTY, 1 << 20, 100)) {
                spill.recover();
                List<String> found = drained(spill, false);

                assertThat(found).hasSize(2).endsWith("third");
                assertThat(spill.recovered()).isEqualTo(3);
                assertThat(spill.damaged()).isOne();
            }
            Path aside = segment.resolveSibling(segment.getFileName() + Quarantine.ENDING);
            assertThat(aside).hasBinaryContent(flipped);
            Files.delete(aside);
        }
    }

    @Test
    void damage_anywhere_costs_no_sound_record_and_is_counted_and_the_file_stays_for_people() throws IOException {
        byte[] whole = written("first", "second", "third");
        for (int from = 0; from < whole.length; from++) {
            for (int bit = 0; bit < 8; bit++) {
                byte[] flipped = whole.clone();
                flipped[from] ^= (byte) (1 << bit);
                assertNothingSoundIsLost(whole, flipped);
            }
            for (int to = from + 1; to <= whole.length; to++) {
                byte[] zeroed = whole.clone();
                Arrays.fill(zeroed, from, to, (byte) 0);
                assertNothingSoundIsLost(whole, zeroed);
            }
        }
    }

    private void assertNothingSoundIsLost(byte[] whole, byte[] damaged) throws IOException {
        if (Arrays.equals(whole, damaged)) return;
        var sound = new ArrayList<String>();
        int at = Segment.HEADER;
        for (String record : List.of("first", "second", "third")) {
            int end = at + Segment.framed(record.length());
            if (Arrays.equals(whole, at, end, damaged, at, end)) sound.add(record);
            at = end;
        }
        Path segment = Files.write(folder.resolve("0000000000000001.segment"), damaged);

        try (Spill spill = Spill.open(folder, PLENTY, 1 << 20, 100)) {
            spill.recover();
            List<String> found = replayed(spill);

            String what = HexFormat.of().formatHex(damaged);
            assertThat(found).as(what).isEqualTo(sound);
            assertThat(spill.damaged()).as(what).isBetween(1L, 3L);
            assertThat(spill.recovered()).as(what).isEqualTo(found.size() + spill.damaged());
        }
        Path aside = segment.resolveSibling(segment.getFileName() + Quarantine.ENDING);
        assertThat(aside).hasBinaryContent(damaged);
        Files.delete(aside);
    }

    @Test
    void a_head_damaged_while_the_segment_waits_costs_no_record_and_the_file_stays_for_people() throws IOException {
        try (Spill spill = Spill.open(folder, PLENTY, 1 << 20, 100)) {
            spill.append(batch("first", "second", "third"), record -> true);
            Path segment = segments().getFirst();
            byte[] bytes = Files.readAllBytes(segment);
            bytes[0] ^= 1;
            Files.write(segment, bytes);

            assertThat(replayed(spill)).containsExactly("first", "second", "third");

            assertThat(names()).contains(segment.getFileName() + Quarantine.ENDING);
        }
    }

    @Test
    void damaged_records_in_a_row_are_counted_one_by_one_as_far_as_their_lengths_are_there() throws IOException {
        byte[] whole = written("first", "second", "third");
        for (int i = Segment.HEADER + 4; i < Segment.HEADER + Segment.framed(5); i++) whole[i] = 0;
        for (int i = whole.length - 5 - 4 - 4 - 6; i < whole.length - 5 - 4 - 4; i++) whole[i] = 0;
        Files.write(folder.resolve("0000000000000001.segment"), whole);

        try (Spill spill = Spill.open(folder, PLENTY, 1 << 20, 100)) {
            spill.recover();

            assertThat(replayed(spill)).containsExactly("third");
            assertThat(spill.damaged()).isEqualTo(2);
        }
    }

    @Test
    void what_an_ended_process_was_writing_is_neither_counted_nor_kept() throws IOException {
        byte[] whole = written("first", "second", "third");
        int third = whole.length - Segment.framed(5);
        for (int length = 0; length < whole.length; length++) {
            Files.write(folder.resolve("0000000000000001.segment"), Arrays.copyOf(whole, length));

            try (Spill spill = Spill.open(folder, PLENTY, 1 << 20, 100)) {
                spill.recover();
                List<String> found = replayed(spill);

                if (length >= third) assertThat(found).containsExactly("first", "second");
                assertThat(spill.damaged()).isZero();
                assertThat(spill.recovered()).isEqualTo(found.size());
            }
            assertThat(names()).containsExactly("lock");
        }
    }

    @Test
    void a_segment_torn_at_any_byte_gives_the_whole_records_before_the_tear() throws IOException {
        try (Spill spill = Spill.open(folder, PLENTY, 1 << 20, 100)) {
            spill.append(batch("first", "second", "third"), record -> true);
        }
        byte[] whole = Files.readAllBytes(segments().getFirst());
        int frame = Segment.framed("first".length());

        for (int length = 0; length < whole.length; length++) {
            Path torn = folder.resolve("torn");
            Files.write(torn, Arrays.copyOf(whole, length));
            var read = new Batch(10, 100);
            boolean sound = Segment.read(torn, read, 0).isSound();

            int expected = length < Segment.HEADER + frame
                    ? 0
                    : length < Segment.HEADER + frame + Segment.framed("second".length()) ? 1 : 2;
            assertThat(texts(read))
                    .isEqualTo(List.of("first", "second", "third").subList(0, expected));
            assertThat(Segment.count(torn).records()).isEqualTo(expected);
            int start = expected == 0
                    ? Segment.HEADER
                    : expected == 1
                            ? Segment.HEADER + frame
                            : Segment.HEADER + frame + Segment.framed("second".length());
            assertThat(sound).isEqualTo(length == start);
            assertThat(Segment.count(torn).damaged()).isZero();
        }
    }

    @Test
    void a_flipped_bit_anywhere_never_gives_a_wrong_record() throws IOException {
        try (Spill spill = Spill.open(folder, PLENTY, 1 << 20, 100)) {
            spill.append(batch("first", "second", "third"), record -> true);
        }
        byte[] whole = Files.readAllBytes(segments().getFirst());

        for (int bit = 0; bit < whole.length * 8; bit++) {
            byte[] broken = whole.clone();
            broken[bit / 8] ^= (byte) (1 << bit % 8);
            Path file = Files.write(folder.resolve("broken"), broken);
            var read = new Batch(10, 100);
            var _ = Segment.read(file, read, 0);

            assertThat(List.of("first", "second", "third")).containsAll(texts(read));
            assertThat(read.count()).isEqualTo(bit / 8 < Segment.HEADER ? 3 : 2);
        }
    }

    @Test
    void belongs_to_one_process_at_a_time() throws IOException {
        try (Spill spill = Spill.open(folder, PLENTY, 1, 1)) {
            assertThat(spill.isEmpty()).isTrue();
            assertThatThrownBy(() -> Spill.open(folder, PLENTY, 1, 1))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("another gateway uses it");
        }
    }

    @Test
    void puts_aside_what_has_a_segments_name_and_cannot_be_read() throws IOException {
        Files.createDirectory(folder.resolve("0000000000000009.segment"));
        Files.writeString(folder.resolve("0000000000000010.segment"), "something else entirely");

        try (Spill spill = Spill.open(folder, PLENTY, 30, 100)) {
            assertThat(spill.recover()).isEqualTo(2);
            spill.append(batch("a"), record -> true);
            assertThat(drained(spill)).containsExactly("a");

            assertThat(spill.recovered()).isEqualTo(spill.damaged()).isOne();
            assertThat(spill.bytes()).isZero();
        }
        assertThat(names())
                .containsExactly("0000000000000009.segment.unreadable", "0000000000000010.segment.unreadable", "lock");
    }

    @Test
    void numbers_no_segment_as_one_that_was_put_aside() throws IOException {
        Files.createDirectory(folder.resolve("0000000000000009.segment.unreadable"));

        try (Spill spill = Spill.open(folder, PLENTY, 30, 100)) {
            spill.recover();
            spill.append(batch("a"), record -> true);
        }

        assertThat(names()).contains("0000000000000010.segment");
    }

    @Test
    void drops_what_an_earlier_run_left_over_the_bound_and_counts_it_both_ways() throws IOException {
        try (Spill spill = Spill.open(folder, PLENTY, 1, 100)) {
            for (String record : List.of("a", "b", "c")) spill.append(batch(record), each -> true);
        }

        try (Spill spill = Spill.open(folder, 40, 1, 100)) {
            spill.recover();

            assertThat(spill.evict()).isEqualTo(1);
            assertThat(spill.recovered()).isEqualTo(1);
            assertThat(drained(spill)).containsExactly("b", "c");
            assertThat(spill.recovered()).isEqualTo(3);
        }
    }

    @Test
    void a_segment_given_back_is_the_oldest_again() throws IOException {
        try (Spill spill = Spill.open(folder, PLENTY, 1, 100)) {
            spill.append(batch("a"), record -> true);
            spill.append(batch("b"), record -> true);
            spill.lease();

            spill.giveBack();

            assertThat(spill.records()).isEqualTo(2);
            assertThat(drained(spill)).containsExactly("a", "b");
            assertThat(spill.bytes()).isZero();
        }
    }

    @Test
    void makes_files_that_only_their_owner_reads() throws IOException {
        Path made = folder.resolve("spill");
        try (Spill spill = Spill.open(made, PLENTY, 1, 100)) {
            spill.append(batch("a"), record -> true);
        }

        assertThat(mode(made)).isEqualTo("rwx------");
        try (var files = Files.list(made)) {
            assertThat(files.toList()).hasSize(2).allMatch(file -> mode(file).equals("rw-------"));
        }
    }

    /// The bytes of a segment with these records, which is gone again.
    private byte[] written(String... records) throws IOException {
        try (Spill spill = Spill.open(folder, PLENTY, 1 << 20, 100)) {
            spill.append(batch(records), record -> true);
        }
        Path segment = segments().getFirst();
        byte[] bytes = Files.readAllBytes(segment);
        Files.delete(segment);
        return bytes;
    }

    /// Drains it as the replay does.
    private static List<String> replayed(Spill spill) throws IOException {
        var found = new ArrayList<String>();
        for (var segment = spill.lease(); segment.isPresent(); segment = spill.lease()) {
            var batch = new Batch(10, 100);
            assertThat(spill.found(Segment.read(segment.get().file(), batch, 0)))
                    .isZero();
            found.addAll(texts(batch));
            spill.settled();
        }
        return found;
    }

    private static String mode(Path path) {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> names() throws IOException {
        try (var files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private List<Path> segments() throws IOException {
        try (var files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".segment")).toList();
        }
    }

    private static List<String> drained(Spill spill) throws IOException {
        return drained(spill, true);
    }

    private static List<String> drained(Spill spill, boolean sound) throws IOException {
        var found = new ArrayList<String>();
        for (var segment = spill.lease(); segment.isPresent(); segment = spill.lease()) {
            var batch = new Batch(10, 100);
            assertThat(Segment.read(segment.get().file(), batch, 0).isSound()).isEqualTo(sound);
            found.addAll(texts(batch));
            spill.settled();
        }
        return found;
    }

    private static Batch batch(String... records) {
        var batch = new Batch(10, 100);
        for (String record : records) {
            batch.json().raw(record.getBytes(StandardCharsets.UTF_8));
            batch.close(0);
        }
        return batch;
    }

    private static List<String> texts(Batch batch) {
        return IntStream.range(0, batch.count())
                .mapToObj(i -> new String(
                        batch.array(), batch.start(i), batch.end(i) - batch.start(i), StandardCharsets.UTF_8))
                .toList();
    }
}
