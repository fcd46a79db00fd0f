package gateway.app.redis;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.service.DefinitionChange;
import gateway.service.DefinitionStore;
import gateway.service.DefinitionStoreContract;
import gateway.service.Revision;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class RedisDefinitionStoreTest extends RedisFixture implements DefinitionStoreContract {
    @Override
    public DefinitionStore store() {
        return stores().definitions();
    }

    @Test
    void a_commit_on_one_node_is_told_to_the_others() throws Exception {
        var heard = new LinkedBlockingQueue<Long>();
        try (var other = RedisStores.open(settings(), InstantSource.system());
                var watch = other.definitions().watch(heard::add)) {
            store().commit(revision(1));

            assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo(1);
            assertThat(watch).isNotNull();
        }
    }

    @Test
    void the_last_thousand_revisions_are_kept() {
        for (int number = 1; number <= 1_003; number++) store().commit(revision(number));

        assertThat(store().revision(3)).isEmpty();
        assertThat(store().revision(4)).contains(revision(4));
        assertThat(store().revisions(6, 10)).containsExactly(revision(5), revision(4));
    }

    private static Revision revision(long number) {
        var change = new DefinitionChange("orders", Optional.empty(), Optional.of("{\"id\":\"orders\"}"));
        return new Revision(number, Instant.EPOCH, "token:ab12", "PUT apis/orders", List.of(change));
    }
}
