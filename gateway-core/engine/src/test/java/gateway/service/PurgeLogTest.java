package gateway.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class PurgeLogTest {
    private static final CachePurge OF_ORDERS = new CachePurge("orders", "", "", "", false);

    private final PurgeLog log = new PurgeLog(41);

    @Test
    void what_is_older_than_all_that_is_remembered_is_taken_for_purged() {
        for (int i = 0; i < PurgeLog.MOST + 1; i++) log.add(OF_ORDERS);

        assertThat(log.number()).isEqualTo(42 + PurgeLog.MOST);
        assertThat(covers(41)).isTrue();
        assertThat(covers(42)).isFalse();
    }

    @Test
    void what_is_said_to_be_asked_for_after_a_purge_that_nobody_has_heard_of_is_taken_for_purged() {
        assertThat(covers(42)).isTrue();
        assertThat(covers(41)).isFalse();
    }

    @Test
    void when_purges_are_lost_everything_is_purged() {
        List<CachePurge> heard = new ArrayList<>();
        log.watch(heard::add);

        log.lost(7);

        assertThat(heard).containsExactly(CachePurge.ALL);
        assertThat(covers(41)).isTrue();
        assertThat(covers(7)).isFalse();
    }

    private boolean covers(long since) {
        return log.covers(since, "other", "/", "/", Set.of());
    }
}
