package gateway.app.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.app.traffic.TrafficTarget.Fsync;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files with room for one line each, so that every line but the first rotates them.
final class RotatingFileTest {
    private static final int KEEP = 3;

    @TempDir
    private Path work;

    @Test
    void keeps_the_youngest_files_and_drops_the_oldest() throws IOException {
        try (RotatingFile file = open()) {
            for (int i = 0; i < 6; i++) write(file, "line " + i);
        }

        assertThat(contents()).containsExactly("line 5\n", "line 4\n", "line 3\n", "line 2\n");
        assertThat(work.resolve("log")).isDirectoryNotContaining("glob:**.{4,new}");
    }

    @Test
    void begins_a_file_that_was_moved_away_anew_and_touches_no_rotated_one() throws IOException {
        try (RotatingFile file = open()) {
            for (int i = 0; i < 4; i++) write(file, "line " + i);
            Files.move(current(), work.resolve("taken"));

            write(file, "line 4");

            assertThat(contents()).containsExactly("line 4\n", "line 2\n", "line 1\n", "line 0\n");
            Files.delete(current());
            write(file, "line 5");
            write(file, "line 6");
            assertThat(contents()).containsExactly("line 6\n", "line 5\n", "line 2\n", "line 1\n");
        }
        assertThat(work.resolve("taken")).hasContent("line 3");
    }

    @Test
    void leaves_all_as_it_is_when_the_next_file_cannot_be_opened_and_goes_on_when_it_can() throws IOException {
        try (RotatingFile file = open()) {
            for (int i = 0; i < 4; i++) write(file, "line " + i);
            Path inTheWay = Files.createDirectory(current().resolveSibling(".traffic.ndjson.new"));

            for (int i = 0; i < 5; i++)
                assertThatThrownBy(() -> write(file, "lost")).isInstanceOf(IOException.class);

            assertThat(contents()).containsExactly("line 3\n", "line 2\n", "line 1\n", "line 0\n");
            Files.delete(inTheWay);
            write(file, "line 4");
            assertThat(contents()).containsExactly("line 4\n", "line 3\n", "line 2\n", "line 1\n");
        }
    }

    @Test
    void closes_a_gap_before_it_drops_the_oldest() throws IOException {
        try (RotatingFile file = open()) {
            for (int i = 0; i < 4; i++) write(file, "line " + i);
            Files.delete(numbered(2));

            write(file, "line 4");

            assertThat(contents()).containsExactly("line 4\n", "line 3\n", "line 2\n", "line 0\n");
        }
    }

    @Test
    void puts_aside_what_is_no_file_among_the_rotated_ones_and_goes_on() throws Exception {
        try (RotatingFile file = open()) {
            write(file, "line 0");
            pipe(numbered(1));
            Files.createDirectories(numbered(2).resolve("inside"));
            Files.createSymbolicLink(numbered(3), work.resolve("nowhere"));

            for (int i = 1; i < 5; i++) write(file, "line " + i);

            assertThat(contents()).containsExactly("line 4\n", "line 3\n", "line 2\n", "line 1\n");
        }
        assertThat(numbered(2).resolveSibling("traffic.ndjson.2.unreadable")).isDirectory();
        assertThat(Files.readSymbolicLink(numbered(3).resolveSibling("traffic.ndjson.3.unreadable")))
                .isEqualTo(work.resolve("nowhere"));
    }

    @Test
    void does_not_make_a_pipe_or_a_link_the_file() throws Exception {
        Path next = current().resolveSibling(".traffic.ndjson.new");
        Path foreign = Files.writeString(work.resolve("foreign"), "stays");
        try (RotatingFile file = open()) {
            write(file, "line 0");
            pipe(next);
            assertThatThrownBy(() -> write(file, "lost")).hasMessage(next + " is no regular file");
            Files.delete(next);
            Files.createSymbolicLink(next, foreign);
            assertThatThrownBy(() -> write(file, "lost")).hasMessage(next + " is no regular file");
            Files.delete(next);

            write(file, "line 1");
        }
        assertThat(current()).hasContent("line 1");
        assertThat(foreign).hasContent("stays");
    }

    @Test
    void refuses_a_pipe_in_place_of_the_file_or_its_lock() throws Exception {
        Files.createDirectories(work.resolve("log"));
        Path lock = current().resolveSibling(".traffic.ndjson.lock");
        for (Path place : List.of(lock, current())) {
            pipe(place);
            assertThatThrownBy(this::open)
                    .hasMessage("cannot write the traffic log " + current() + ": " + place + " is no regular file");
            Files.delete(place);
        }
        open().close();
    }

    @Test
    void nobody_but_the_owner_may_read_what_it_makes() throws IOException {
        try (RotatingFile file = open()) {
            write(file, "line 0");
            write(file, "line 1");
        }

        assertThat(mode(work.resolve("log"))).isEqualTo("rwx------");
        assertThat(mode(current())).isEqualTo("rw-------");
        assertThat(mode(numbered(1))).isEqualTo("rw-------");
    }

    @Test
    void belongs_to_one_gateway_at_a_time() throws IOException {
        try (RotatingFile file = open()) {
            write(file, "line 0");

            assertThatThrownBy(this::open)
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessage("cannot write the traffic log " + current() + ": another gateway uses it");
        }
        try (RotatingFile file = open()) {
            write(file, "line 1");
        }
        assertThat(current()).hasContent("line 1");
        assertThat(numbered(1)).hasContent("line 0");
    }

    @Test
    void is_not_held_when_it_cannot_be_opened() throws IOException {
        Files.createDirectories(current());
        assertThatThrownBy(this::open).isInstanceOf(UncheckedIOException.class);
        Files.delete(current());

        try (RotatingFile file = open()) {
            write(file, "line 0");
        }

        assertThat(current()).hasContent("line 0");
    }

    private RotatingFile open() {
        return RotatingFile.open(new TrafficTarget.File(current(), 10, KEEP, Fsync.NEVER));
    }

    private static void pipe(Path place) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("mkfifo", place.toString()).start().waitFor())
                .isZero();
    }

    private static void write(RotatingFile file, String line) throws IOException {
        byte[] bytes = (line + "\n").getBytes(StandardCharsets.US_ASCII);
        file.write(bytes, bytes.length, 0);
    }

    /// The current file and the rotated ones, youngest first.
    private List<String> contents() throws IOException {
        var contents = new ArrayList<>(List.of(Files.readString(current())));
        for (int i = 1; i <= KEEP; i++) contents.add(Files.readString(numbered(i)));
        return contents;
    }

    private Path current() {
        return work.resolve("log/traffic.ndjson");
    }

    private Path numbered(int number) {
        return work.resolve("log/traffic.ndjson." + number);
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
