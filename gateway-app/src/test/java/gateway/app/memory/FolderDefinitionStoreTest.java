package gateway.app.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.json.ConfigProblem;
import gateway.json.InvalidConfigException;
import gateway.service.ConflictException;
import gateway.service.DefinitionChange;
import gateway.service.DefinitionSet;
import gateway.service.DefinitionStore;
import gateway.service.DefinitionStoreContract;
import gateway.service.DependencyException;
import gateway.service.ManualClock;
import gateway.service.Revision;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FolderDefinitionStoreTest implements DefinitionStoreContract {
    private static final String ORDERS = "{\"id\": \"orders\"}";

    @TempDir
    private Path data;

    private final ManualClock clock = ManualClock.create();
    private FolderDefinitionStore store;

    @BeforeEach
    void open() {
        store = FolderDefinitionStore.open(data, clock);
    }

    @AfterEach
    void close() throws IOException {
        store.close();
    }

    private void reopen() throws IOException {
        store.close();
        open();
    }

    @Override
    public DefinitionStore store() {
        return store;
    }

    @Test
    void a_commit_writes_one_file_for_each_definition_and_only_their_owner_reads_them() throws IOException {
        store.commit(revision(1, change("orders", "", ORDERS)));

        assertThat(apis("orders.json")).hasContent(ORDERS);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(apis("orders.json"))))
                .isEqualTo("rw-------");
        try (var files = Files.list(data.resolve("apis"))) {
            assertThat(files).containsExactly(apis("orders.json"));
        }
    }

    @Test
    void definitions_and_history_survive_a_restart() throws IOException {
        var first = revision(1, change("orders", "", ORDERS));
        store.commit(first);

        reopen();

        assertThat(store.load()).isEqualTo(new DefinitionSet(1, Map.of("orders", ORDERS)));
        assertThat(store.revisions(Long.MAX_VALUE, 10)).containsExactly(first);
    }

    @Test
    void files_added_changed_removed_and_renamed_by_hand_gain_a_revision() throws IOException {
        write("a.json", "{\"id\":\"a\"}");
        write("b.json", "{}");
        assertThat(store.load().revision()).isEqualTo(1);
        write("a.json", "{\"id\":\"a\",\"name\":\"A\"}");
        Files.move(apis("b.json"), apis("c.json"));

        var loaded = store.load();

        assertThat(loaded.revision()).isEqualTo(2);
        assertThat(loaded.documents()).containsOnlyKeys("a", "c");
        var expected = new Revision(
                2,
                clock.instant(),
                "folder",
                "3 files changed",
                List.of(
                        change("a", "{\"id\":\"a\"}", "{\"id\":\"a\",\"name\":\"A\"}"),
                        change("b", "{\n  \"id\" : \"b\"\n}", ""),
                        change("c", "", "{\n  \"id\" : \"c\"\n}")));
        assertThat(store.revision(2)).contains(expected);
        assertThat(store.load()).isEqualTo(loaded);
    }

    @Test
    void changes_by_hand_while_the_gateway_was_down_gain_a_revision() throws IOException {
        store.commit(revision(1, change("orders", "", ORDERS)));
        store.close();
        write("orders.json", "{\"id\":\"orders\",\"name\":\"By hand\"}");
        open();

        assertThat(store.load())
                .isEqualTo(new DefinitionSet(2, Map.of("orders", "{\"id\":\"orders\",\"name\":\"By hand\"}")));
    }

    @Test
    void a_change_that_keeps_size_and_time_is_seen_while_the_file_is_young() throws IOException {
        clock.set(Instant.parse("2026-06-01T00:00:00Z"));
        var written = FileTime.from(clock.instant());
        write("a.json", "{\"id\":\"a\",\"name\":\"1\"}");
        Files.setLastModifiedTime(apis("a.json"), written);
        store.load();
        write("a.json", "{\"id\":\"a\",\"name\":\"2\"}");
        Files.setLastModifiedTime(apis("a.json"), written);
        clock.advance(Duration.ofMinutes(1));

        assertThat(store.load().revision()).isEqualTo(2);
    }

    @Test
    void every_file_that_is_no_definition_is_named_and_nothing_is_taken_over() throws IOException {
        store.commit(revision(1, change("orders", "", ORDERS)));
        write("broken.json", "{");
        write("list.json", "[]");
        write("other.json", "{\"id\": \"orders\"}");
        write("a b.json", "{}");
        Files.write(apis("latin.json"), new byte[] {'"', (byte) 0xe4, '"'});
        write("good.json", "{\"id\": \"good\"}");

        assertThatThrownBy(store::load)
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
        assertThatThrownBy(store::load)
                .hasMessageContaining(
                        "/apis/other.json: expected \"id\": \"other\" as the file is named, got \"orders\"; rename the file"
                                + " or change the id");
        assertThat(store.revisions(Long.MAX_VALUE, 10)).hasSize(1);
    }

    @Test
    void foreign_files_are_let_be() throws IOException {
        write("README.md", "hello");
        write(".hidden.json", "{");
        write("orders.json~", "{");
        Files.createDirectory(apis("folder.json"));

        assertThat(store.load()).isEqualTo(DefinitionSet.EMPTY);
    }

    @Test
    void links_as_kubernetes_mounts_a_config_map_are_followed() throws IOException {
        Path version = Files.createDirectory(apis("..2026_01_01"));
        Files.writeString(version.resolve("orders.json"), ORDERS);
        Files.createSymbolicLink(apis("..data"), Path.of("..2026_01_01"));
        Files.createSymbolicLink(apis("orders.json"), Path.of("..data", "orders.json"));
        assertThat(store.load().documents()).containsOnlyKeys("orders");
        Path next = Files.createDirectory(apis("..2026_01_02"));
        Files.writeString(next.resolve("orders.json"), "{\"id\": \"orders\", \"name\": \"New\"}");
        Files.delete(apis("..data"));
        Files.createSymbolicLink(apis("..data"), Path.of("..2026_01_02"));

        assertThat(store.load())
                .isEqualTo(new DefinitionSet(2, Map.of("orders", "{\"id\": \"orders\", \"name\": \"New\"}")));
    }

    @Test
    void a_link_to_nowhere_is_named() throws IOException {
        Files.createSymbolicLink(apis("orders.json"), Path.of("nowhere"));

        assertThatThrownBy(store::load).hasMessageContaining("/apis/orders.json: cannot be read");
    }

    @Test
    void a_commit_does_not_overwrite_what_somebody_changed_by_hand() throws IOException {
        store.commit(revision(1, change("orders", "", ORDERS)));
        write("orders.json", "{\"id\": \"orders\", \"name\": \"By hand\"}");

        assertThatThrownBy(() -> store.commit(revision(2, change("orders", ORDERS, "{\"id\": \"orders\", \"x\": 1}"))))
                .isInstanceOf(ConflictException.class)
                .hasMessage("apis/orders.json was changed by hand; reload first");
        assertThat(apis("orders.json")).hasContent("{\"id\": \"orders\", \"name\": \"By hand\"}");
    }

    @Test
    void ids_that_are_no_file_names_are_refused() {
        for (String id : List.of("../x", "a/b", "", ".", "..", ".x", "a\u0000", "x".repeat(129))) {
            assertThatThrownBy(() -> store.commit(revision(1, change(id, "", "{}"))))
                    .isInstanceOf(InvalidConfigException.class);
        }
        assertThat(store.load()).isEqualTo(DefinitionSet.EMPTY);
    }

    @Test
    void a_crash_before_the_files_followed_is_finished_by_the_next_load() throws IOException {
        String a1 = "{\"id\":\"a\",\"n\":1}";
        String a2 = "{\"id\":\"a\",\"n\":2}";
        String b = "{\"id\":\"b\"}";
        String c = "{\"id\":\"c\"}";
        store.commit(revision(1, change("a", "", a1), change("b", "", b)));
        store.commit(revision(2, change("a", a1, a2), change("b", b, ""), change("c", "", c)));
        store.close();
        cutLastLine("revisions.journal");
        write("a.json", a1);
        write("b.json", b);
        Files.delete(apis("c.json"));
        write(".c.json.tmp", "{\"id\"");
        open();

        assertThat(store.load()).isEqualTo(new DefinitionSet(2, Map.of("a", a2, "c", c)));
        assertThat(apis("a.json")).hasContent(a2);
        assertThat(apis("b.json")).doesNotExist();
        assertThat(apis(".c.json.tmp")).doesNotExist();
        reopen();
        assertThat(store.load()).isEqualTo(new DefinitionSet(2, Map.of("a", a2, "c", c)));
    }

    @Test
    void a_history_cut_at_any_byte_of_its_last_revision_loads_what_the_files_say() throws IOException {
        store.commit(revision(1, change("orders", "", ORDERS)));
        long first = Files.size(data.resolve("revisions.journal"));
        store.commit(revision(2, change("orders", ORDERS, "{\"id\": \"orders\", \"n\": 2}")));
        byte[] whole = Files.readAllBytes(data.resolve("revisions.journal"));

        for (int cut = (int) first; cut <= whole.length; cut += 3) {
            store.close();
            Files.write(data.resolve("revisions.journal"), Arrays.copyOf(whole, cut));
            open();

            assertThat(store.load())
                    .isEqualTo(new DefinitionSet(2, Map.of("orders", "{\"id\": \"orders\", \"n\": 2}")));
        }
    }

    @Test
    void what_was_put_back_by_hand_stays_so() throws IOException {
        String next = "{\"id\": \"orders\", \"n\": 2}";
        store.commit(revision(1, change("orders", "", ORDERS)));
        store.commit(revision(2, change("orders", ORDERS, next)));
        store.close();
        write("orders.json", ORDERS);
        open();

        assertThat(store.load()).isEqualTo(new DefinitionSet(3, Map.of("orders", ORDERS)));
    }

    @Test
    void what_cannot_be_written_changes_nothing() throws IOException {
        store.commit(revision(1, change("orders", "", ORDERS)));
        Files.createDirectories(apis(".b.json.tmp").resolve("in the way"));

        assertThatThrownBy(() ->
                        store.commit(revision(2, change("a", "", "{\"id\":\"a\"}"), change("b", "", "{\"id\":\"b\"}"))))
                .isInstanceOf(DependencyException.class)
                .hasMessageContaining("cannot write the definitions");
        assertThat(store.load()).isEqualTo(new DefinitionSet(1, Map.of("orders", ORDERS)));
        assertThat(apis(".a.json.tmp")).doesNotExist();
    }

    private Path apis(String name) {
        return data.resolve("apis").resolve(name);
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(apis(name), text);
    }

    private void cutLastLine(String name) throws IOException {
        String text = Files.readString(data.resolve(name));
        Files.writeString(data.resolve(name), text.substring(0, text.lastIndexOf('\n', text.length() - 2) + 1));
    }

    private static Revision revision(long number, DefinitionChange... changes) {
        return new Revision(
                number, Instant.parse("2026-01-01T00:00:00Z"), "token:ab12", "PUT apis", Arrays.asList(changes));
    }

    private static DefinitionChange change(String id, String before, String after) {
        return new DefinitionChange(id, text(before), text(after));
    }

    private static Optional<String> text(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }
}
