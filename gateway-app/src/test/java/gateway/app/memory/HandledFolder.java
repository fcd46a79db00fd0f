package gateway.app.memory;

import gateway.service.DefinitionChange;
import gateway.service.DocumentId;
import gateway.service.ManualClock;
import gateway.service.Revision;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;

/// A folder of definitions, its store, and the hand that changes files in it.
final class HandledFolder implements AutoCloseable {
    static final String ORDERS = "{\"id\": \"orders\"}";

    final ManualClock clock = ManualClock.create();
    final Path data;
    private FolderDefinitionStore store;

    HandledFolder(Path data) {
        this.data = data;
        this.store = FolderDefinitionStore.open(data, clock, FoundDocument.AS_IT_STANDS);
    }

    FolderDefinitionStore store() {
        return store;
    }

    /// After [#close].
    void open() {
        store = FolderDefinitionStore.open(data, clock, FoundDocument.AS_IT_STANDS);
    }

    void reopen() throws IOException {
        close();
        open();
    }

    /// The file of that name beside the definitions.
    Path apis(String name) {
        return data.resolve("apis").resolve(name);
    }

    /// By hand.
    void write(String name, String text) throws IOException {
        Files.writeString(apis(name), text);
    }

    static Revision revision(long number, DefinitionChange... changes) {
        return new Revision(
                number, Instant.parse("2026-01-01T00:00:00Z"), "token:ab12", "PUT apis", Arrays.asList(changes));
    }

    static DefinitionChange change(String id, String before, String after) {
        return new DefinitionChange(DocumentId.api(id), text(before), text(after));
    }

    private static Optional<String> text(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }

    @Override
    public void close() throws IOException {
        store.close();
    }
}
