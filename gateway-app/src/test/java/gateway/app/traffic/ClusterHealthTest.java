package gateway.app.traffic;

import static gateway.app.traffic.TrafficState.Condition.SHIPPING;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a cluster says of its health, beside records that it takes.
final class ClusterHealthTest {
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
    void a_red_cluster_is_told_once_and_records_are_shipped_until_it_is_red_no_more() {
        rig.server().health(BulkServer.healthy("red", 2));

        rig.turnUntilShipping();
        rig.turnUntil(() -> !rig.sink().state().reason().isEmpty());

        var red = new TrafficState(SHIPPING, "Elasticsearch is red: 2 shards are not assigned");
        assertThat(rig.sink().state()).isEqualTo(red);
        assertThat(red.isTroubled()).isTrue();
        int healths = rig.server().healths();
        rig.ship("a");
        rig.turnUntil(() -> rig.server().healths() > healths + 1);
        rig.turnUntil(() -> rig.tally().indexed() == SinkRig.BATCH);
        assertThat(rig.sink().state()).isEqualTo(red);
        assertThat(rig.said("Elasticsearch is red")).hasSize(1);

        rig.server().health(BulkServer.healthy("yellow", 1));
        rig.turnUntil(() -> rig.sink().state().reason().isEmpty());
        assertThat(rig.sink().state().isTroubled()).isFalse();
    }

    @Test
    void a_cluster_that_is_well_is_asked_once_a_minute() {
        rig.stopClock();
        rig.turnUntil(() -> rig.server().healths() == 1);
        rig.pass(59);
        rig.shipOneByOne("a", "b");
        assertThat(rig.server().healths()).isOne();

        rig.pass(2);
        rig.turnUntil(() -> rig.server().healths() == 2);
    }

    @Test
    void one_that_may_not_be_asked_or_says_nothing_that_can_be_read_is_as_one_that_is_well() {
        rig.server().health(new BulkServer.Answer(403, "{\"error\": \"monitor\"}"));
        rig.turnUntil(() -> rig.server().healths() == 1);
        rig.server().health(new BulkServer.Answer(200, "{\"status\": \"red\"}"));
        rig.turnUntil(() -> rig.server().healths() == 3);

        rig.shipOneByOne("a");

        assertThat(rig.tally().indexed()).isEqualTo(SinkRig.BATCH);
        assertThat(rig.sink().state()).isEqualTo(new TrafficState(SHIPPING, ""));
    }
}
