package gateway.app.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Single records that Elasticsearch does not take, over a real socket and with a real spill.
final class RefusedRecordsTest {
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

    @ParameterizedTest
    @ValueSource(ints = {429, 500, 503, 401, 403, 404, 0, 302})
    void one_that_is_refused_for_ever_is_parked_while_others_are_taken(int status) throws IOException {
        rig.server().refuse("a3", status);
        rig.turnUntilShipping();

        rig.ship("a");
        for (int i = 0; rig.tally().rejected() == 0 && i < 500; i++) {
            rig.ship("b" + i + "-");
            rig.turnUntil(() -> rig.sink().underWay() == 0);
        }
        rig.turnUntil(() -> rig.sink().spilled() == 0);

        assertThat(rig.tally().rejected()).isEqualTo(1);
        assertThat(rig.server().requests()).doesNotContain("a3").contains("a2", "a4");
        assertThat(rig.tally().dropped()).isZero();
        assertThat(rig.isBalanced()).isTrue();
        assertThat(Files.readString(folder.resolve("dead-letters.ndjson")))
                .contains("\"status\":" + status + ",", "with a3")
                .hasLineCount(1);
    }

    @Test
    void one_that_is_refused_for_a_while_is_indexed_and_its_neighbours_do_not_wait_for_it() {
        rig.server().refuse("a3", 503);
        rig.turnUntilShipping();

        rig.ship("a", "b");
        rig.turnUntil(() -> rig.tally().indexed() == 2 * SinkRig.BATCH - 1);
        rig.ship("c");
        rig.turnUntil(() -> rig.tally().indexed() == 3 * SinkRig.BATCH - 1);
        rig.server().accept("a3");
        rig.turnUntil(() -> rig.tally().indexed() == 3 * SinkRig.BATCH);

        assertThat(rig.server().requests()).containsExactlyInAnyOrderElementsOf(SinkRig.ids("a", "b", "c"));
        assertThat(rig.tally().rejected()).isZero();
        assertThat(rig.isBalanced()).isTrue();
    }

    /// Nothing new comes that could show that others are taken.
    @Test
    void what_was_spilled_behind_one_that_is_refused_goes_on_by_itself() {
        rig.server().refuse("a3", 503);
        rig.turnUntilShipping();
        rig.ship("a");
        rig.turnUntil(() -> rig.sink().state().condition() == TrafficState.Condition.AWAY);
        rig.stopClock();
        rig.ship("b");
        assertThat(rig.sink().spilled()).isEqualTo(SinkRig.BATCH + 1);

        rig.startClock();
        rig.turnUntil(() -> rig.tally().indexed() == 2 * SinkRig.BATCH - 1);
        rig.server().accept("a3");
        rig.turnUntil(() -> rig.tally().indexed() == 2 * SinkRig.BATCH);

        assertThat(rig.server().requests()).containsExactlyInAnyOrderElementsOf(SinkRig.ids("a", "b"));
        assertThat(rig.sink().spilled()).isZero();
        assertThat(rig.tally().rejected()).isZero();
        assertThat(rig.isBalanced()).isTrue();
    }

    @Test
    void two_that_are_refused_for_ever_in_two_segments_are_parked_and_no_other() {
        rig.server().refuse("a3", 503);
        rig.server().refuse("b7", 503);
        rig.spill("a", "b", "c");

        rig.server().accept();
        for (int i = 0; rig.tally().rejected() < 2 && i < 500; i++) {
            rig.ship("d" + i + "-");
            rig.turnUntil(() -> rig.sink().underWay() == 0);
        }
        rig.turnUntil(() -> rig.sink().spilled() == 0);

        assertThat(rig.server().requests()).containsAll(SinkRig.ids("c")).doesNotContain("a3", "b7");
        assertThat(rig.tally().rejected()).isEqualTo(2);
        assertThat(rig.tally().dropped()).isZero();
        assertThat(rig.isBalanced()).isTrue();
    }

    @Test
    void a_backlog_goes_on_past_one_that_is_refused() {
        rig.server().refuse("b3", 503);
        rig.spill("a", "b", "c");

        rig.server().accept();
        rig.turnUntil(() -> rig.server().requests().containsAll(SinkRig.ids("a")));
        for (int i = 0; rig.tally().rejected() == 0 && i < 500; i++) {
            rig.ship("d" + i + "-");
            rig.turnUntil(() -> rig.sink().underWay() == 0);
        }
        rig.turnUntil(() -> rig.sink().spilled() == 0);

        assertThat(rig.server().requests()).containsAll(SinkRig.ids("c")).doesNotContain("b3");
        assertThat(rig.tally().rejected()).isEqualTo(1);
        assertThat(rig.isBalanced()).isTrue();
    }

    /// As of a stream that takes no writes: there is no telling a bad record from a bad time.
    @Test
    void nothing_is_parked_while_every_record_is_refused() {
        for (String id : SinkRig.ids("a", "b")) rig.server().refuse(id, 429);
        rig.turnUntilShipping();
        rig.ship("a", "b");
        rig.turnUntil(() -> rig.sink().spilled() == 2 * SinkRig.BATCH);

        int bulks = rig.server().bulks();
        rig.turnUntil(() -> rig.server().bulks() > bulks + 100);
        assertThat(rig.tally().rejected()).isZero();
        for (String id : SinkRig.ids("a", "b")) rig.server().accept(id);
        rig.turnUntil(() -> rig.sink().spilled() == 0);

        assertThat(rig.server().requests()).containsExactlyInAnyOrderElementsOf(SinkRig.ids("a", "b"));
        assertThat(rig.isBalanced()).isTrue();
        assertThat(folder.resolve("dead-letters.ndjson")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 503, 302})
    void nothing_is_parked_while_whole_requests_are_refused(int status) {
        rig.turnUntilShipping();
        rig.server().refuse(status, "{}");
        rig.ship("a");

        rig.turnUntil(() -> rig.server().bulks() > 50);
        assertThat(rig.sink().state().condition()).isEqualTo(TrafficState.Condition.AWAY);
        assertThat(rig.sink().state().reason()).contains("HTTP " + status);
        assertThat(rig.tally().rejected()).isZero();
        rig.server().accept();
        rig.turnUntil(() -> rig.tally().indexed() == SinkRig.BATCH);

        assertThat(rig.server().requests()).isEqualTo(SinkRig.ids("a"));
        assertThat(rig.isBalanced()).isTrue();
    }

    @Test
    void rejections_are_told_once_a_minute_with_their_number() {
        for (String id : SinkRig.ids("a", "b", "c"))
            if (!id.endsWith("0")) rig.server().refuse(id, 400);
        rig.turnUntilShipping();
        rig.stopClock();

        rig.shipOneByOne("a", "b");
        assertThat(rig.said("Elasticsearch rejected"))
                .singleElement(InstanceOfAssertFactories.STRING)
                .contains("rejected 9 records");
        rig.pass(61);
        rig.shipOneByOne("c");

        List<String> said = rig.said("Elasticsearch rejected");
        assertThat(said).hasSize(2);
        assertThat(said.getLast()).contains("rejected 18 records");
        assertThat(rig.tally().rejected()).isEqualTo(27);
        assertThat(rig.isBalanced()).isTrue();
    }
}
