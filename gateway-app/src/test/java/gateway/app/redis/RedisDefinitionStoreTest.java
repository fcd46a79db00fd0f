package gateway.app.redis;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import gateway.service.DefinitionChange;
import gateway.service.DefinitionStore;
import gateway.service.DefinitionStoreContract;
import gateway.service.DocumentId;
import gateway.service.Revision;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

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

    @Test
    void the_log_says_that_definitions_went_back() throws Exception {
        var heard = new LinkedBlockingQueue<Long>();
        var lines = new ListAppender<ILoggingEvent>();
        lines.list = new CopyOnWriteArrayList<>();
        lines.start();
        var log = (Logger) LoggerFactory.getLogger(RedisDefinitionStore.class);
        log.addAppender(lines);
        try (var watch = store().watch(heard::add)) {
            store().commit(revision(1));
            redis().cli("FLUSHALL");

            until(() -> Long.valueOf(0).equals(heard.poll())); // its own commit may be told before

            assertThat(watch).isNotNull();
            assertThat(lines.list)
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .containsExactly(
                            "definitions in Redis went back from revision 1 to 0, this node goes on with what it serves");
        } finally {
            log.detachAppender(lines);
        }
    }

    private static Revision revision(long number) {
        var change =
                new DefinitionChange(DocumentId.api("orders"), Optional.empty(), Optional.of("{\"id\":\"orders\"}"));
        return new Revision(number, Instant.EPOCH, "token:ab12", "PUT apis/orders", List.of(change));
    }
}
