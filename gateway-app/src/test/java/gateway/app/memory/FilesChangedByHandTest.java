package gateway.app.memory;

import static gateway.app.memory.HandledFolder.ORDERS;
import static gateway.app.memory.HandledFolder.change;
import static gateway.app.memory.HandledFolder.revision;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.json.ConfigProblem;
import gateway.json.InvalidConfigException;
import gateway.service.ConflictException;
import gateway.service.DefinitionSet;
import gateway.service.DocumentKind;
import gateway.service.Revision;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Definitions in a folder whose files somebody else writes, too.
final class FilesChangedByHandTest {
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

    @Test
    void files_added_changed_removed_and_renamed_by_hand_gain_a_revision() throws IOException {
        folder.write("a.json", "{\"id\":\"a\"}");
        folder.write("b.json", "{}");
        assertThat(folder.store().load().revision()).isEqualTo(1);
        folder.write("a.json", "{\"id\":\"a\",\"name\":\"A\"}");
        Files.move(folder.apis("b.json"), folder.apis("c.json"));

        var loaded = folder.store().load();

        assertThat(loaded.revision()).isEqualTo(2);
        assertThat(loaded.ids(DocumentKind.APIS)).containsExactly("a", "c");
        var expected = new Revision(
                2,
                folder.clock.instant(),
                "folder",
                "3 files changed",
                List.of(
                        change("a", "{\"id\":\"a\"}", "{\"id\":\"a\",\"name\":\"A\"}"),
                        change("b", "{\n  \"id\" : \"b\"\n}", ""),
                        change("c", "", "{\n  \"id\" : \"c\"\n}")));
        assertThat(folder.store().revision(2)).contains(expected);
        assertThat(folder.store().load()).isEqualTo(loaded);
    }

    @Test
    void changes_by_hand_while_the_gateway_was_down_gain_a_revision() throws IOException {
        folder.store().commit(revision(1, change("orders", "", ORDERS)));
        folder.close();
        folder.write("orders.json", "{\"id\":\"orders\",\"name\":\"By hand\"}");
        folder.open();

        assertThat(folder.store().load())
                .isEqualTo(DefinitionSet.ofApis(2, Map.of("orders", "{\"id\":\"orders\",\"name\":\"By hand\"}")));
    }

    @Test
    void a_change_that_keeps_size_and_time_is_seen_while_the_file_is_young() throws IOException {
        folder.clock.set(Instant.parse("2026-06-01T00:00:00Z"));
        var written = FileTime.from(folder.clock.instant());
        folder.write("a.json", "{\"id\":\"a\",\"name\":\"1\"}");
        Files.setLastModifiedTime(folder.apis("a.json"), written);
        folder.store().load();
        folder.write("a.json", "{\"id\":\"a\",\"name\":\"2\"}");
        Files.setLastModifiedTime(folder.apis("a.json"), written);
        folder.clock.advance(Duration.ofMinutes(1));

        assertThat(folder.store().load().revision()).isEqualTo(2);
    }

    @Test
    void a_definition_that_became_a_folder_is_told_and_nothing_is_taken_over() throws IOException {
        folder.store().commit(revision(1, change("orders", "", ORDERS)));
        Files.delete(folder.apis("orders.json"));
        Files.createDirectory(folder.apis("orders.json"));

        assertThatThrownBy(folder.store()::load)
                .isInstanceOfSatisfying(
                        InvalidConfigException.class,
                        e -> assertThat(e.problems())
                                .containsExactly(new ConfigProblem(
                                        "/apis/orders.json", "expected a file, got a folder or something else")));
        assertThat(folder.store().revisions(10, 10)).hasSize(1);
    }

    @Test
    void a_resource_that_became_a_folder_is_told_and_other_folders_are_let_be() throws IOException {
        Path resources = Files.createDirectory(data.resolve("resources"));
        Files.createDirectory(resources.resolve("more"));
        Files.writeString(resources.resolve("a.txt"), "a");
        folder.store().load();
        Files.delete(resources.resolve("a.txt"));
        Files.createDirectory(resources.resolve("a.txt"));

        assertThatThrownBy(folder.store()::load)
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("/resources/a.txt")
                .hasMessageNotContaining("more");
    }

    @Test
    void every_file_that_is_no_definition_is_named_and_nothing_is_taken_over() throws IOException {
        folder.store().commit(revision(1, change("orders", "", ORDERS)));
        folder.write("broken.json", "{");
        folder.write("list.json", "[]");
        folder.write("other.json", "{\"id\": \"orders\"}");
        folder.write("a b.json", "{}");
        Files.write(folder.apis("latin.json"), new byte[] {'"', (byte) 0xe4, '"'});
        folder.write("good.json", "{\"id\": \"good\"}");

        assertThatThrownBy(folder.store()::load)
                .isInstanceOfSatisfying(
                        InvalidConfigException.class,
                        e -> assertThat(e.problems())
                                .extracting(ConfigProblem::pointer)
                                .containsExactly(
                                        "/apis/a b.json",
                                        "/apis/broken.json",
                                        "/apis/latin.json",
                                        "/apis/list.json",
                                        "/apis/other.json"));
        assertThatThrownBy(folder.store()::load)
                .hasMessageContaining(
                        "/apis/other.json: expected \"id\": \"other\" as the file is named, got \"orders\"; rename the file"
                                + " or change the id");
        assertThat(folder.store().revisions(Long.MAX_VALUE, 10)).hasSize(1);
    }

    @Test
    void foreign_files_are_let_be() throws IOException {
        folder.write("README.md", "hello");
        folder.write(".hidden.json", "{");
        folder.write("orders.json~", "{");
        Files.createDirectory(folder.apis("folder.json"));

        assertThat(folder.store().load()).isEqualTo(DefinitionSet.EMPTY);
    }

    @Test
    void links_as_kubernetes_mounts_a_config_map_are_followed() throws IOException {
        Path version = Files.createDirectory(folder.apis("..2026_01_01"));
        Files.writeString(version.resolve("orders.json"), ORDERS);
        Files.createSymbolicLink(folder.apis("..data"), Path.of("..2026_01_01"));
        Files.createSymbolicLink(folder.apis("orders.json"), Path.of("..data", "orders.json"));
        assertThat(folder.store().load().ids(DocumentKind.APIS)).containsExactly("orders");
        Path next = Files.createDirectory(folder.apis("..2026_01_02"));
        Files.writeString(next.resolve("orders.json"), "{\"id\": \"orders\", \"name\": \"New\"}");
        Files.delete(folder.apis("..data"));
        Files.createSymbolicLink(folder.apis("..data"), Path.of("..2026_01_02"));

        assertThat(folder.store().load())
                .isEqualTo(DefinitionSet.ofApis(2, Map.of("orders", "{\"id\": \"orders\", \"name\": \"New\"}")));
    }

    @Test
    void a_link_to_nowhere_is_named() throws IOException {
        Files.createSymbolicLink(folder.apis("orders.json"), Path.of("nowhere"));

        assertThatThrownBy(folder.store()::load).hasMessageContaining("/apis/orders.json: cannot be read");
    }

    @Test
    void a_commit_does_not_overwrite_what_somebody_changed_by_hand() throws IOException {
        folder.store().commit(revision(1, change("orders", "", ORDERS)));
        folder.write("orders.json", "{\"id\": \"orders\", \"name\": \"By hand\"}");

        assertThatThrownBy(() ->
                        folder.store().commit(revision(2, change("orders", ORDERS, "{\"id\": \"orders\", \"x\": 1}"))))
                .isInstanceOf(ConflictException.class)
                .hasMessage("apis/orders.json was changed by hand; reload first");
        assertThat(folder.apis("orders.json")).hasContent("{\"id\": \"orders\", \"name\": \"By hand\"}");
    }

    @Test
    void what_was_put_back_by_hand_stays_so() throws IOException {
        String next = "{\"id\": \"orders\", \"n\": 2}";
        folder.store().commit(revision(1, change("orders", "", ORDERS)));
        folder.store().commit(revision(2, change("orders", ORDERS, next)));
        folder.close();
        folder.write("orders.json", ORDERS);
        folder.open();

        assertThat(folder.store().load()).isEqualTo(DefinitionSet.ofApis(3, Map.of("orders", ORDERS)));
    }
}
