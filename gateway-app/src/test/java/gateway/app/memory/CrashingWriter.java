package gateway.app.memory;

import gateway.key.ApiKey;
import gateway.service.Charge;
import gateway.service.Counting;
import gateway.service.DefinitionChange;
import gateway.service.DocumentId;
import gateway.service.Permit;
import gateway.service.Revision;
import gateway.service.Rule;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A process that writes to a data folder until it is killed, and prints each write once it was answered.
final class CrashingWriter {
    static final Charge QUOTA = new Charge(
            "quota:crash:key_1",
            "key_1",
            new Rule.RollingPeriod(1_000_000_000, Duration.ofDays(1).toNanos()),
            Counting.EXACT,
            true);

    private CrashingWriter() {}

    /// @param arguments the folder
    public static void main(String[] arguments) {
        var stores = EmbeddedStores.open(Path.of(arguments[0]), InstantSource.system(), 1_000_000);
        long revision = stores.definitions().load().revision();
        while (true) {
            var issued = stores.keys().issue(key());
            say("key " + issued.stored().key().id() + " " + issued.secret().reveal());
            revision++;
            stores.definitions().commit(revision(revision));
            say("revision " + revision);
            for (int i = 0; i < 10; i++) {
                if (stores.limits().acquire(List.of(QUOTA)).getFirst() instanceof Permit.Granted) {
                    say("quota " + System.nanoTime() / 1_000_000);
                }
            }
        }
    }

    static Revision revision(long number) {
        var change = new DefinitionChange(DocumentId.api("api" + number), Optional.empty(), Optional.of(text(number)));
        return new Revision(number, Instant.EPOCH, "crash", "", List.of(change));
    }

    static String text(long number) {
        return "{\"id\":\"api" + number + "\",\"name\":\"" + "x".repeat((int) (number * 37 % 5_000)) + "\"}";
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    private static ApiKey key() {
        return new ApiKey(
                "", "crash", true, Optional.empty(), Map.of(), Optional.empty(), Optional.empty(), List.of(), Map.of());
    }
}
