package gateway.service;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/// What every [Purges] promises.
public interface PurgesContract {
    CachePurge OF_TAG = new CachePurge("", "", "", "tag-7", true);
    CachePurge OF_PREFIX = new CachePurge("orders", "", "/a/", "", false);

    Purges purges();

    @Test
    default void a_purge_is_heard_of_once_it_is_told() throws Exception {
        List<CachePurge> heard = new ArrayList<>();
        try (AutoCloseable _ = purges().log().watch(heard::add)) {
            purges().tell(OF_TAG);
            purges().tell(OF_PREFIX);

            assertThat(heard).containsExactly(OF_TAG, OF_PREFIX);
        }
        purges().tell(OF_TAG);
        assertThat(heard).hasSize(2);
    }

    @Test
    default void what_was_asked_for_before_a_purge_is_purged_and_what_comes_after_is_not() {
        long before = purges().log().number();
        purges().tell(OF_PREFIX);
        long after = purges().log().number();

        assertThat(purges().log().covers(before, "orders", "/a/b", "/b", Set.of()))
                .isTrue();
        assertThat(purges().log().covers(before, "orders", "/x", "/a/b", Set.of()))
                .isTrue();
        assertThat(purges().log().covers(before, "other", "/a/b", "/b", Set.of()))
                .isFalse();
        assertThat(purges().log().covers(before, "orders", "/ab", "/ab", Set.of()))
                .isFalse();
        assertThat(purges().log().covers(after, "orders", "/a/b", "/b", Set.of()))
                .isFalse();
    }

    @Test
    default void purges_that_are_told_in_time_are_heard_of() throws Exception {
        List<CachePurge> heard = new CopyOnWriteArrayList<>();
        try (AutoCloseable _ = purges().log().watch(heard::add)) {
            purges().tellInTime(List.of(OF_TAG, OF_PREFIX));

            until(() -> heard.size() == 2);
        }
        assertThat(heard).containsExactlyInAnyOrder(OF_TAG, OF_PREFIX);
    }

    @Test
    default void each_has_a_number_of_its_own() {
        long before = purges().log().number();

        for (int i = 0; i < 10; i++) purges().tell(OF_TAG);

        assertThat(purges().log().number()).isEqualTo(before + 10);
    }
}
