package gateway.app.traffic;

import gateway.app.file.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.Set;

/// Records that Elasticsearch refuses for good, with its reason, one JSON object a line, for people to read and mend.
/// Two files at most: past its size the current one takes the place of the previous one.
final class DeadLetters {
    private static final String CURRENT = "dead-letters.ndjson";
    private static final String PREVIOUS = "dead-letters.1.ndjson";

    private final Path folder;
    private final long maxBytes;
    private final InstantSource clock;
    private final JsonBytes line = new JsonBytes(4096);

    DeadLetters(Path folder, long maxBytes, InstantSource clock) {
        this.folder = folder;
        this.maxBytes = maxBytes;
        this.clock = clock;
    }

    /// Adds record number `record` of `batch` to what [#park] writes.
    void add(Batch batch, int record, BulkAnswer.Item why) {
        int start = batch.start(record);
        while (batch.array()[start] != '\n') start++; // the action line says nothing that the record does not
        int end = batch.end(record) - 1;
        line.raw("{\"at\":".getBytes(StandardCharsets.US_ASCII))
                .text(clock.instant().toString());
        line.raw(",\"status\":".getBytes(StandardCharsets.US_ASCII)).number(why.status());
        line.raw(",\"type\":".getBytes(StandardCharsets.US_ASCII)).text(why.type());
        line.raw(",\"reason\":".getBytes(StandardCharsets.US_ASCII)).text(why.reason());
        line.raw(",\"record\":".getBytes(StandardCharsets.US_ASCII));
        line.raw(batch.array(), start + 1, end - start - 1).raw('}').raw('\n');
    }

    /// Writes what was added, durably.
    void park() throws IOException {
        if (line.length() == 0) return;
        try {
            write(ByteBuffer.wrap(line.array(), 0, line.length()));
        } finally {
            line.truncate(0);
        }
    }

    @Override
    public String toString() {
        return folder.resolve(CURRENT).toString();
    }

    private void write(ByteBuffer lines) throws IOException {
        Path current = folder.resolve(CURRENT);
        Quarantine.makeRoom(current);
        if (Files.exists(current) && Files.size(current) + lines.remaining() > maxBytes) {
            Path previous = folder.resolve(PREVIOUS);
            Quarantine.makeRoom(previous);
            Files.move(current, previous, StandardCopyOption.REPLACE_EXISTING);
        }
        try (var channel = OwnerOnly.open(current, Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND))) {
            while (lines.hasRemaining()) channel.write(lines);
            channel.force(false);
        }
    }
}
