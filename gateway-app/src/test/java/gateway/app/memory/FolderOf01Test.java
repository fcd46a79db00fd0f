package gateway.app.memory;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.DataOf01;
import gateway.app.Gateway;
import gateway.app.Settings;
import gateway.service.DefinitionChange;
import gateway.service.DocumentId;
import gateway.service.DocumentKind;
import gateway.service.ManualClock;
import gateway.service.Revision;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A data folder that version 0.1 has written opens as it is.
final class FolderOf01Test {
    @TempDir
    private Path data;

    @BeforeEach
    void copy() throws IOException {
        Path written = DataOf01.FOLDER.resolve("folder");
        try (Stream<Path> files = Files.walk(written)) {
            for (Path file : files.toList()) {
                Path copy = data.resolve(written.relativize(file).toString());
                if (!Files.isDirectory(file)) Files.copy(file, copy);
                else if (!Files.exists(copy)) Files.createDirectory(copy);
            }
        }
    }

    @Test
    void a_gateway_starts_on_it_counts_on_and_rolls_back() throws Exception {
        var settings = Map.of(
                "GATEWAY_LISTEN", "127.0.0.1:0", "GATEWAY_ADMIN_LISTEN", "127.0.0.1:0", "GATEWAY_DATA", "" + data);
        try (var gateway = Gateway.start(Settings.read(Optional.empty(), settings))) {
            DataOf01.check(gateway, "folder.secret");
        }
    }

    @Test
    void nothing_but_apis_is_written_as_0_1_writes_it_until_there_is_another_kind() throws IOException {
        try (var stores = EmbeddedStores.open(data, ManualClock.create(), 1_000)) {
            stores.definitions().load();
            stores.definitions().commit(revision(4, DocumentId.api("new"), "{\"id\":\"new\"}"));
            assertThat(data.resolve("policy-sets")).doesNotExist();
            assertThat(journal()).doesNotContain("\"kind\"");

            var gold = new DocumentId(DocumentKind.POLICY_SETS, "gold");
            stores.definitions().commit(revision(5, gold, "{\"id\":\"gold\"}"));
        }

        assertThat(data.resolve("policy-sets/gold.json")).hasContent("{\"id\":\"gold\"}");
        assertThat(journal()).contains("\"kind\":\"policy-sets\"");
        try (var stores = EmbeddedStores.open(data, ManualClock.create(), 1_000)) {
            assertThat(stores.definitions().load().ids(DocumentKind.APIS))
                    .containsExactly("catalogue", "new", "orders");
            assertThat(stores.definitions().load().ids(DocumentKind.POLICY_SETS))
                    .containsExactly("gold");
        }
    }

    private String journal() throws IOException {
        return Files.readString(data.resolve("revisions.journal"));
    }

    private static Revision revision(long number, DocumentId id, String text) {
        var change = new DefinitionChange(id, Optional.empty(), Optional.of(text));
        return new Revision(number, Instant.EPOCH, "token:ab12", "PUT " + id, List.of(change));
    }
}
