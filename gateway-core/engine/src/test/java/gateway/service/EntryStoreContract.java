package gateway.service;

import static gateway.Eventually.until;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// What every [EntryStore] promises that shares.
public interface EntryStoreContract {
    EntryName NAME = new EntryName("group", "name");
    Duration HOUR = Duration.ofHours(1);

    EntryStore store();

    /// That of another node.
    EntryStore other();

    /// From now on the other node hears nothing.
    void cutOff();

    /// Waits until other nodes can be told that `group`, the last one, was forgotten.
    void letArrive(String group);

    /// The other node hears again.
    void join();

    /// Of so many groups the other node is told afterwards.
    int remembered();

    /// Has so much time pass for what is kept.
    void letPass(Duration time);

    @Test
    default void what_is_kept_is_found_under_its_name_alone() {
        keep(NAME, "text");

        assertThat(found(new EntryName("group", "other"))).isEmpty();
        assertThat(found(new EntryName("other", "name"))).isEmpty();
        assertThat(found(new EntryName("groupn", "ame"))).isEmpty();
    }

    @Test
    default void bytes_come_back_as_they_were() {
        byte[] all = new byte[EntryStore.MOST_BYTES];
        for (int i = 0; i < all.length; i++) all[i] = (byte) (i * 31);

        until(() -> {
            store().keep(NAME, store().find(NAME).state(), all, HOUR);
            return store().find(NAME).entry().isPresent();
        });

        assertThat(store().find(NAME).entry().orElseThrow()).isEqualTo(all);
    }

    @Test
    default void several_entries_may_be_kept_in_one_state() {
        var groups = new AtomicInteger();

        until(() -> {
            String group = "several-" + groups.incrementAndGet();
            var one = new EntryName(group, "one");
            var other = new EntryName(group, "other");
            String state = store().find(one).state();
            store().keep(one, state, "a".getBytes(UTF_8), HOUR);
            store().keep(other, state, "b".getBytes(UTF_8), HOUR);
            return found(one).isPresent() && found(other).isPresent();
        });
    }

    @Test
    default void a_later_entry_takes_the_place_of_an_earlier_one() {
        keep(NAME, "one");
        keep(NAME, "two");
    }

    @Test
    default void a_group_is_forgotten_together() {
        var other = new EntryName("group", "other");
        var elsewhere = new EntryName("elsewhere", "name");
        keep(NAME, "a");
        keep(other, "b");
        keep(elsewhere, "c");

        store().forget("group");

        until(() -> found(NAME).isEmpty() && found(other).isEmpty());
        assertThat(found(elsewhere)).contains("c");
    }

    @Test
    default void what_was_asked_for_before_its_group_was_forgotten_is_not_kept() {
        String before = store().find(NAME).state();
        store().forget("group");
        until(() -> !store().find(NAME).state().equals(before));

        store().keep(NAME, before, "old".getBytes(UTF_8), HOUR);
        keep(new EntryName("group", "behind"), "it"); // comes after it

        assertThat(found(NAME)).isEmpty();
    }

    @Test
    default void an_entry_ends() {
        keep(NAME, "text");

        letPass(Duration.ofMinutes(59));
        assertThat(found(NAME)).contains("text");
        letPass(Duration.ofMinutes(2));

        assertThat(found(NAME)).isEmpty();
    }

    @Test
    default void what_is_too_large_is_not_kept() {
        String state = store().find(NAME).state();
        store().keep(NAME, state, new byte[EntryStore.MOST_BYTES + 1], HOUR);
        keep(new EntryName("group", "behind"), "it");

        assertThat(found(NAME)).isEmpty();
    }

    @Test
    default void other_nodes_are_told_of_what_is_forgotten() throws Exception {
        var told = new CopyOnWriteArrayList<String>();
        try (AutoCloseable _ = other().watch(told::add, () -> told.add("missed"))) {
            store().forget("group");

            until(() -> told.contains("group"));
        }
        assertThat(told).containsOnly("group");
    }

    @Test
    default void what_is_forgotten_while_a_node_is_cut_off_it_is_told_of_afterwards() throws Exception {
        var told = new CopyOnWriteArrayList<String>();
        try (AutoCloseable _ = other().watch(told::add, () -> told.add("missed"))) {
            cutOff();
            store().forget("group");
            store().forget("another");
            letArrive("another");

            join();

            until(() -> told.containsAll(List.of("group", "another")));
        }
        assertThat(told).containsOnly("group", "another");
    }

    @Test
    default void a_node_that_has_missed_more_than_is_remembered_is_told_so() throws Exception {
        var told = new CopyOnWriteArrayList<String>();
        var missed = new AtomicInteger();
        try (AutoCloseable _ = other().watch(told::add, missed::incrementAndGet)) {
            cutOff();
            for (int i = 0; i <= remembered(); i++) store().forget("group " + i);
            letArrive("group " + remembered());

            join();

            until(() -> missed.get() > 0);
            store().forget("later");
            until(() -> told.contains("later"));
        }
    }

    /// A store may keep nothing for a while: until it knows how much room there is, or when it is busy.
    private void keep(EntryName name, String text) {
        until(() -> {
            store().keep(name, store().find(name).state(), text.getBytes(UTF_8), HOUR);
            return found(name).equals(Optional.of(text));
        });
    }

    private Optional<String> found(EntryName name) {
        return store().find(name).entry().map(bytes -> new String(Arrays.copyOf(bytes, bytes.length), UTF_8));
    }
}
