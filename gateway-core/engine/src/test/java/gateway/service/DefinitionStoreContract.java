package gateway.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/// What every [DefinitionStore] does.
public interface DefinitionStoreContract {
    /// The store under test, empty at first and the same throughout one test.
    DefinitionStore store();

    @Test
    default void an_empty_store_stands_at_revision_0() {
        assertThat(store().load()).isEqualTo(DefinitionSet.EMPTY);
        assertThat(store().revisions(Long.MAX_VALUE, 10)).isEmpty();
        assertThat(store().revision(1)).isEmpty();
    }

    @Test
    default void what_was_committed_is_loaded() {
        store().commit(revision(1, added("orders", "1"), added("catalogue", "1")));

        assertThat(store().load())
                .isEqualTo(DefinitionSet.ofApis(
                        1, Map.of("orders", json("orders", "1"), "catalogue", json("catalogue", "1"))));
    }

    @Test
    default void a_revision_adds_changes_and_removes_at_once() {
        store().commit(revision(1, added("a", "1"), added("b", "1")));

        store().commit(revision(2, changed("a", "1", "2"), removed("b", "1"), added("c", "1")));

        assertThat(store().load()).isEqualTo(DefinitionSet.ofApis(2, Map.of("a", json("a", "2"), "c", json("c", "1"))));
    }

    @Test
    default void texts_are_kept_to_the_letter() {
        String text = "{\n  \"name\" : \"ä€😀 \\n\",\r\n\t\"id\":\"odd\"  }\n\n";
        store().commit(revision(1, new DefinitionChange(DocumentId.api("odd"), Optional.empty(), Optional.of(text))));

        assertThat(store().load().text(DocumentId.api("odd"))).contains(text);
    }

    @Test
    default void documents_of_every_kind_stand_side_by_side_and_share_revisions() {
        var set = new DocumentId(DocumentKind.POLICY_SETS, "orders");
        var both = revision(
                1,
                added("orders", "1"),
                new DefinitionChange(set, Optional.empty(), Optional.of(json("orders", "set"))));
        store().commit(both);
        var changed =
                new DefinitionChange(set, Optional.of(json("orders", "set")), Optional.of(json("orders", "another")));
        store().commit(revision(2, changed));

        assertThat(store().load())
                .isEqualTo(new DefinitionSet(
                        2, Map.of(DocumentId.api("orders"), json("orders", "1"), set, json("orders", "another"))));
        assertThat(store().revisions(Long.MAX_VALUE, 10)).containsExactly(revision(2, changed), both);

        store().commit(revision(
                3, new DefinitionChange(set, Optional.of(json("orders", "another")), Optional.empty())));

        assertThat(store().load()).isEqualTo(DefinitionSet.ofApis(3, Map.of("orders", json("orders", "1"))));
    }

    @Test
    default void a_resource_stands_beside_and_its_content_is_found_by_its_digest_once_for_all() {
        byte[] content = new byte[3 << 20]; // of all octets, none of which is changed
        for (int i = 0; i < content.length; i++) content[i] = (byte) (i * 31 + (i >> 8));
        store().contents().keep(content);
        store().contents().keep(content);
        var schema = new DocumentId(DocumentKind.RESOURCES, "orders.xsd");
        String text = ResourceDocument.of("orders.xsd", "", content).json();
        var stored = revision(1, new DefinitionChange(schema, Optional.empty(), Optional.of(text)));
        store().commit(stored);

        assertThat(store().load()).isEqualTo(new DefinitionSet(1, Map.of(schema, text)));
        assertThat(store().revision(1)).contains(stored);
        assertThat(store().contents().find(ResourceDocument.digest(content)).orElseThrow())
                .isEqualTo(content);
        assertThat(store().contents().find("0".repeat(64))).isEmpty();

        store().commit(revision(2, new DefinitionChange(schema, Optional.of(text), Optional.empty())));

        assertThat(store().load().documents()).isEmpty();
        assertThat(store().contents().find(ResourceDocument.digest(content))).isPresent(); // revision 1 names it
    }

    @Test
    default void an_api_may_be_called_as_a_kind() {
        for (String name : List.of("global", "plans")) {
            store().commit(revision(store().load().revision() + 1, added(name, "1")));
        }
        store().commit(revision(
                3, new DefinitionChange(DocumentId.GLOBAL, Optional.empty(), Optional.of(json("global", "all")))));

        assertThat(store().load())
                .isEqualTo(new DefinitionSet(
                        3,
                        Map.of(
                                DocumentId.api("global"),
                                json("global", "1"),
                                DocumentId.api("plans"),
                                json("plans", "1"),
                                DocumentId.GLOBAL,
                                json("global", "all"))));
    }

    @Test
    default void only_the_next_revision_is_taken() {
        var first = revision(1, added("a", "1"));
        store().commit(first);

        assertThatThrownBy(() -> store().commit(first)).isInstanceOf(ConflictException.class);
        assertThatThrownBy(() -> store().commit(revision(3, added("b", "1")))).isInstanceOf(ConflictException.class);
        assertThat(store().load()).isEqualTo(DefinitionSet.ofApis(1, Map.of("a", json("a", "1"))));
        assertThat(store().revisions(Long.MAX_VALUE, 10)).containsExactly(first);
    }

    @Test
    default void revisions_are_listed_newest_first_page_after_page() {
        var all = new ArrayList<Revision>();
        for (int number = 1; number <= 5; number++) {
            all.addFirst(revision(number, added("api" + number, "1")));
            store().commit(all.getFirst());
        }

        assertThat(store().revisions(Long.MAX_VALUE, 2)).isEqualTo(all.subList(0, 2));
        assertThat(store().revisions(4, 2)).isEqualTo(all.subList(2, 4));
        assertThat(store().revisions(2, 2)).isEqualTo(all.subList(4, 5));
        assertThat(store().revisions(1, 2)).isEmpty();
    }

    @Test
    default void a_revision_is_found_by_its_number() {
        var first = revision(1, added("a", "1"));
        store().commit(first);
        store().commit(revision(2, removed("a", "1")));

        assertThat(store().revision(1)).contains(first);
        assertThat(store().revision(3)).isEmpty();
    }

    @Test
    default void of_writers_at_once_exactly_one_wins() throws Exception {
        int writers = 8;
        var start = new CountDownLatch(1);
        try (var pool = Executors.newFixedThreadPool(writers)) {
            var results = new ArrayList<Future<Boolean>>();
            for (int i = 0; i < writers; i++) {
                var mine = revision(1, added("writer" + i, "1"));
                results.add(pool.submit(() -> {
                    start.await();
                    try {
                        store().commit(mine);
                        return true;
                    } catch (ConflictException e) {
                        return false;
                    }
                }));
            }
            start.countDown();
            int won = 0;
            for (var result : results) won += result.get() ? 1 : 0;

            assertThat(won).isEqualTo(1);
        }
        assertThat(store().load().documents()).hasSize(1);
    }

    private static Revision revision(long number, DefinitionChange... changes) {
        var at = Instant.parse("2026-01-01T00:00:00Z").plusSeconds(number);
        return new Revision(number, at, "token:ab12", "PUT " + changes[0].id(), Arrays.asList(changes));
    }

    private static DefinitionChange added(String id, String name) {
        return new DefinitionChange(DocumentId.api(id), Optional.empty(), Optional.of(json(id, name)));
    }

    private static DefinitionChange changed(String id, String before, String after) {
        return new DefinitionChange(DocumentId.api(id), Optional.of(json(id, before)), Optional.of(json(id, after)));
    }

    private static DefinitionChange removed(String id, String before) {
        return new DefinitionChange(DocumentId.api(id), Optional.of(json(id, before)), Optional.empty());
    }

    private static String json(String id, String name) {
        return "{\"id\": \"" + id + "\", \"name\": \"" + name + "\"}";
    }
}
