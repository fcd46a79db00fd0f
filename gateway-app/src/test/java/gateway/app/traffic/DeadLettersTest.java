package gateway.app.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeadLettersTest {
    @TempDir
    Path folder;

    @Test
    void puts_a_pipe_and_a_folder_with_their_names_aside() throws Exception {
        Path current = folder.resolve("dead-letters.ndjson");
        Path previous = folder.resolve("dead-letters.1.ndjson");
        assertThat(new ProcessBuilder("mkfifo", current.toString()).start().waitFor())
                .isZero();
        Files.createDirectories(previous.resolve("inside"));
        var letters = new DeadLetters(folder, 10, InstantSource.system());

        assertTimeoutPreemptively(Duration.ofMinutes(1), () -> {
            park(letters, "first");
            park(letters, "second");
        });

        assertThat(Files.readString(current)).contains("second");
        assertThat(Files.readString(previous)).contains("first");
        assertThat(folder.resolve("dead-letters.1.ndjson.unreadable")).isDirectory();
        assertThat(folder.resolve("dead-letters.ndjson.unreadable")).exists();
    }

    private static void park(DeadLetters letters, String record) throws IOException {
        var batch = new Batch(1, 100);
        batch.json().raw(("{}\n\"" + record + "\"\n").getBytes(StandardCharsets.US_ASCII));
        batch.close(0);
        letters.add(batch, 0, new BulkAnswer.Item(400, "type", "reason"));
        letters.park();
    }
}
