package gateway.app.memory;

import static gateway.app.memory.HandledFolder.ORDERS;
import static gateway.app.memory.HandledFolder.change;
import static gateway.app.memory.HandledFolder.revision;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.json.InvalidConfigException;
import gateway.service.DefinitionSet;
import gateway.service.DefinitionStore;
import gateway.service.DefinitionStoreContract;
import gateway.service.DependencyException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Definitions in a folder: commits, restarts and crashes.
final class FolderDefinitionStoreTest implements DefinitionStoreContract {
    @TempDir
    private Path data;

    private HandledFolder folder;

    @BeforeEach
    void open() {
        folder = new HandledFolder(data);
    }

    @AfterEach
    void close() throws IOException {
        folder.close();
    }

    @Override
    public DefinitionStore store() {
        return folder.store();
    }

    @Test
    void a_commit_writes_one_file_for_each_definition_and_only_their_owner_reads_them() throws IOException {
        folder.store().commit(revision(1, change("orders", "", ORDERS)));

        assertThat(folder.apis("orders.json")).hasContent(ORDERS);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.apis("orders.json"))))
                .isEqualTo("rw-------");
        try (var files = Files.list(folder.data.resolve("apis"))) {
            assertThat(files).containsExactly(folder.apis("orders.json"));
        }
    }

    @Test
    void definitions_and_history_survive_a_restart() throws IOException {
        var first = revision(1, change("orders", "", ORDERS));
        folder.store().commit(first);

        folder.reopen();

        assertThat(folder.store().load()).isEqualTo(DefinitionSet.ofApis(1, Map.of("orders", ORDERS)));
        assertThat(folder.store().revisions(Long.MAX_VALUE, 10)).containsExactly(first);
    }

    @Test
    void ids_that_are_no_file_names_are_refused() {
        for (String id : List.of("../x", "a/b", "", ".", "..", ".x", "a\u0000", "x".repeat(129))) {
            assertThatThrownBy(() -> folder.store().commit(revision(1, change(id, "", "{}"))))
                    .isInstanceOf(InvalidConfigException.class);
        }
        assertThat(folder.store().load()).isEqualTo(DefinitionSet.EMPTY);
    }

    @Test
    void a_crash_before_the_files_followed_is_finished_by_the_next_load() throws IOException {
        String a1 = "{\"id\":\"a\",\"n\":1}";
        String a2 = "{\"id\":\"a\",\"n\":2}";
        String b = "{\"id\":\"b\"}";
        String c = "{\"id\":\"c\"}";
        folder.store().commit(revision(1, change("a", "", a1), change("b", "", b)));
        folder.store().commit(revision(2, change("a", a1, a2), change("b", b, ""), change("c", "", c)));
        folder.close();
        cutLastLine("revisions.journal");
        folder.write("a.json", a1);
        folder.write("b.json", b);
        Files.delete(folder.apis("c.json"));
        folder.write(".c.json.tmp", "{\"id\"");
        folder.open();

        assertThat(folder.store().load()).isEqualTo(DefinitionSet.ofApis(2, Map.of("a", a2, "c", c)));
        assertThat(folder.apis("a.json")).hasContent(a2);
        assertThat(folder.apis("b.json")).doesNotExist();
        assertThat(folder.apis(".c.json.tmp")).doesNotExist();
        folder.reopen();
        assertThat(folder.store().load()).isEqualTo(DefinitionSet.ofApis(2, Map.of("a", a2, "c", c)));
    }

    @Test
    void a_history_cut_at_any_byte_of_its_last_revision_loads_what_the_files_say() throws IOException {
        folder.store().commit(revision(1, change("orders", "", ORDERS)));
        long first = Files.size(folder.data.resolve("revisions.journal"));
        folder.store().commit(revision(2, change("orders", ORDERS, "{\"id\": \"orders\", \"n\": 2}")));
        byte[] whole = Files.readAllBytes(folder.data.resolve("revisions.journal"));

        for (int cut = (int) first; cut <= whole.length; cut += 3) {
            folder.close();
            Files.write(folder.data.resolve("revisions.journal"), Arrays.copyOf(whole, cut));
            folder.open();

            assertThat(folder.store().load())
                    .isEqualTo(DefinitionSet.ofApis(2, Map.of("orders", "{\"id\": \"orders\", \"n\": 2}")));
        }
    }

    @Test
    void what_cannot_be_written_changes_nothing() throws IOException {
        folder.store().commit(revision(1, change("orders", "", ORDERS)));
        Files.createDirectories(folder.apis(".b.json.tmp").resolve("in the way"));

        assertThatThrownBy(() -> folder.store()
                        .commit(revision(2, change("a", "", "{\"id\":\"a\"}"), change("b", "", "{\"id\":\"b\"}"))))
                .isInstanceOf(DependencyException.class)
                .hasMessageContaining("cannot write the definitions");
        assertThat(folder.store().load()).isEqualTo(DefinitionSet.ofApis(1, Map.of("orders", ORDERS)));
        assertThat(folder.apis(".a.json.tmp")).doesNotExist();
    }

    private void cutLastLine(String name) throws IOException {
        String text = Files.readString(folder.data.resolve(name));
        Files.writeString(folder.data.resolve(name), text.substring(0, text.lastIndexOf('\n', text.length() - 2) + 1));
    }
}
