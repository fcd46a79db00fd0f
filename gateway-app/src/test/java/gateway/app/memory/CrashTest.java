package gateway.app.memory;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.service.DocumentId;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What [CrashingWriter] was answered must be there after it was killed with SIGKILL, again and again.
final class CrashTest {
    private static final int ROUNDS = 4;

    @TempDir
    private Path data;

    private final Map<String, String> keys = new HashMap<>(); // secrets by id
    private long revision;
    private long granted;

    @Test
    void a_killed_gateway_loses_no_key_no_definition_and_at_most_a_second_of_counts() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            List<Long> times = writeUntilKilled(1_200 + 170 * round);

            try (var stores = EmbeddedStores.open(data, InstantSource.system(), 1_000_000)) {
                var definitions = stores.definitions().load();
                for (long number = 1; number <= revision; number++) {
                    assertThat(definitions.text(DocumentId.api("api" + number))).contains(CrashingWriter.text(number));
                    assertThat(stores.definitions().revision(number)).contains(CrashingWriter.revision(number));
                }
                keys.forEach((id, secret) -> assertThat(
                                stores.keys().authenticate(secret).map(key -> key.id()))
                        .contains(id));
                long counted = 1_000_000_000
                        - stores.limits()
                                .peek(List.of(CrashingWriter.QUOTA))
                                .getFirst()
                                .remaining();
                long safe = times.stream()
                        .filter(at -> at <= times.getLast() - 1_000)
                        .count();
                assertThat(safe).isPositive();
                assertThat(counted).isBetween(granted + safe, granted + times.size() + 1L);
                granted = counted;
            }
        }
    }

    /// @return when each request was counted, in milliseconds
    private List<Long> writeUntilKilled(long millis) throws IOException, InterruptedException {
        var process = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CrashingWriter.class.getName(),
                        data.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (var lines = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            var times = new ArrayList<Long>();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                note(line, times);
                if (!times.isEmpty() && times.getLast() - times.getFirst() >= millis)
                    process.toHandle().destroyForcibly();
            }
            return times;
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private void note(String line, List<Long> times) {
        String[] words = line.split(" ", -1);
        switch (words[0]) {
            case "key" -> {
                if (words.length == 3 && words[2].length() == 31) keys.put(words[1], words[2]);
            }
            case "revision" -> revision = Long.parseLong(words[1]);
            case "quota" -> times.add(Long.parseLong(words[1]));
            default -> {} // cut off by the kill
        }
    }
}
