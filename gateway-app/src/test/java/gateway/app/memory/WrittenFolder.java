package gateway.app.memory;

import gateway.service.Charge;
import gateway.service.Counting;
import gateway.service.DefinitionSet;
import gateway.service.ManualClock;
import gateway.service.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The data folder that a gateway of version 0.1 wrote (before journals began with a line of their own), and what it
/// holds.
final class WrittenFolder {
    static final List<String> JOURNALS = List.of("revisions.journal", "keys.journal", "quotas.journal");

    private static final Charge ROLLING = new Charge(
            "quota:orders",
            "key_a",
            new Rule.RollingPeriod(100, Duration.ofDays(30).toNanos()),
            Counting.EXACT,
            true);
    private static final Charge CALENDAR = new Charge(
            "quota:items",
            "key_a",
            new Rule.CalendarPeriod(100, Rule.CalendarUnit.MONTH, ZoneId.of("Europe/Berlin")),
            Counting.EXACT,
            true);

    /// What callers see of it: secrets that open a key, definitions, what is left of the quotas.
    record Content(List<String> keys, DefinitionSet definitions, List<Long> left) {}

    static final Content WHOLE = new Content(
            List.of("alice", "bobby"),
            DefinitionSet.ofApis(2, Map.of("orders", "{\"id\":\"orders\",\"n\":2}", "items", "{\"id\":\"items\"}")),
            List.of(97L, 99L));

    private WrittenFolder() {}

    static void copyTo(Path data) throws IOException {
        Path written = Path.of("src/test/resources/gateway/app/memory/folder-0.1");
        try (Stream<Path> files = Files.walk(written)) {
            for (Path file : files.toList()) {
                Path copy = data.resolve(written.relativize(file).toString());
                if (Files.isDirectory(file)) Files.createDirectories(copy);
                else Files.copy(file, copy);
            }
        }
    }

    /// What a start finds in the folder.
    static Content open(Path data) {
        try (var stores = EmbeddedStores.open(data, ManualClock.create(), 1_000)) {
            var definitions = stores.definitions().load();
            List<String> keys = Stream.of("secret-a", "secret-b", "secret-c")
                    .flatMap(secret -> stores.keys().authenticate(secret).stream())
                    .map(key -> key.name())
                    .toList();
            List<Long> left = stores.limits().peek(List.of(ROLLING, CALENDAR)).stream()
                    .map(permit -> permit.remaining())
                    .toList();
            return new Content(keys, definitions, left);
        }
    }
}
