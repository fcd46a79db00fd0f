package gateway.app.traffic;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Answers that are none, and a client that dies: no record is lost and none stays under way.
final class ElasticsearchTroubleTest {
    @TempDir
    private Path folder;

    private SinkRig rig;

    @BeforeEach
    void start() throws IOException {
        rig = SinkRig.start(folder);
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    @Test
    void shipping_goes_on_after_an_answer_too_large_to_hold() {
        rig.turnUntilShipping();
        rig.server().refuse(503, " ".repeat(ClusterClient.MOST_BYTES + 1));
        rig.ship("a");
        rig.turnUntil(() -> rig.sink().spilled() == SinkRig.BATCH);
        assertThat(rig.sink().state().condition()).isEqualTo(TrafficState.Condition.AWAY);
        assertThat(rig.sink().state().reason()).contains("ContentTooLong");

        rig.server().accept();
        rig.turnUntil(() -> rig.tally().indexed() == SinkRig.BATCH);

        assertThat(rig.sink().spilled()).isZero();
        assertThat(rig.isBalanced()).isTrue();
    }

    @Test
    void shipping_goes_on_after_the_clients_thread_has_died_with_batches_under_way() {
        rig.turnUntilShipping();
        var hold = rig.server().holdNext();
        rig.ship("a");
        until(() -> rig.server().bulks() == 1, rig.server()::bulks);
        var died = new AtomicBoolean();
        rig.cluster().call("GET", "/", Map.of(), new byte[0], reply -> {
            if (died.compareAndSet(false, true)) throw new OutOfMemoryError("a test's");
        });

        rig.turnUntil(() -> rig.sink().underWay() == 0);
        rig.turnUntil(() -> rig.tally().indexed() == SinkRig.BATCH);
        rig.ship("b");
        rig.turnUntil(() -> rig.tally().indexed() == 2 * SinkRig.BATCH);

        hold.complete(new BulkServer.Answer(200, "{}"));
        assertThat(rig.server().requests()).isEqualTo(SinkRig.ids("a", "b"));
        assertThat(rig.isBalanced()).isTrue();
    }

    @Test
    void a_batch_whose_answer_does_not_end_goes_to_disk_at_the_deadline() {
        rig.turnUntilShipping();
        var hold = rig.server().holdNext();
        rig.deadlinesByTheTestsClock();
        rig.ship("a");

        rig.turnUntil(() -> rig.sink().underWay() == 0);

        assertThat(rig.isBalanced()).isTrue();
        rig.server().accept();
        rig.turnUntil(() -> rig.sink().spilled() == 0);
        hold.complete(new BulkServer.Answer(503, "{}"));
        assertThat(rig.tally().indexed()).isEqualTo(SinkRig.BATCH);
        assertThat(rig.isBalanced()).isTrue();
    }
}
