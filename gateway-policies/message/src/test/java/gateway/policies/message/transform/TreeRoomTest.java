package gateway.policies.message.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.UpstreamException;
import gateway.json.Json;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

final class TreeRoomTest {
    private static final JsonNode WIDE = Json.parse("[" + "[],".repeat(999) + "[]]");

    @Test
    void what_is_copied_takes_of_the_memory_for_bodies() {
        var held = new AtomicLong();

        new TreeRoom(10, held::addAndGet).own(WIDE);

        assertThat(held.get()).isBetween(72_000L, 80_000L);
    }

    @Test
    void memory_that_is_not_there_ends_the_copy() {
        var room = new TreeRoom(1 << 20, bytes -> {
            throw new IllegalStateException("full");
        });

        assertThatThrownBy(() -> room.copy(WIDE, 0)).hasMessage("full");
    }

    @Test
    void what_jolt_works_on_takes_of_the_memory_and_no_room_is_told_as_what_it_is() {
        for (String operation : new String[] {"{'operation': 'sort'}", "{'operation': 'shift', 'spec': {'9': 'x'}}"}) {
            var chain = JoltChain.of(new JoltSpec(Json.parse(("[" + operation + "]").replace('\'', '"'))), "");
            var held = new AtomicLong();
            chain.of(WIDE, new TreeRoom(1 << 20, held::addAndGet));
            assertThat(held.get()).as(operation).isGreaterThan(72_000);

            var full = new UpstreamException(UpstreamException.Kind.OVERLOADED, "full");
            var room = new TreeRoom(1 << 20, _ -> {
                throw full;
            });
            assertThatThrownBy(() -> chain.of(WIDE, room)).as(operation).isSameAs(full);
        }
    }

    /// As many maps as members: each takes some 200 bytes.
    @Test
    void the_maps_that_jolt_makes_take_of_the_memory() {
        String shift = "[{\"operation\": \"shift\", \"spec\": {\"*\": \"a.&.b.c\"}}]";
        var chain = JoltChain.of(new JoltSpec(Json.parse(shift)), "");
        var held = new AtomicLong();
        String members =
                IntStream.range(0, 1_000).mapToObj(i -> "\"m" + i + "\": 1").collect(Collectors.joining(","));

        chain.of(Json.parse("{" + members + "}"), new TreeRoom(1 << 20, held::addAndGet));

        assertThat(held.get()).isGreaterThan(1_000 * (2 * 200 + 3 * 72));
    }

    @Test
    void additions_count_together_and_what_was_there_does_not() {
        var room = new TreeRoom(3_000, _ -> {});

        room.own(WIDE);
        room.copy(WIDE, 1);

        assertThatThrownBy(() -> room.copy(WIDE, 1)).hasMessage("at most 3000 bytes to be added");
    }

    @Test
    void what_one_of_several_has_added_stays_when_the_next_is_made_anew() {
        var room = new TreeRoom(3_000, _ -> {});
        room.copy(WIDE, 1);

        room.at(1);
        room.anew();

        assertThatThrownBy(() -> room.copy(WIDE, 1)).hasMessage("at most 3000 bytes to be added");
    }

    @Test
    void nothing_gets_deeper_than_what_is_read() {
        var room = new TreeRoom(1_000, _ -> {});

        assertThat(room.copy(Json.parse("[[1]]"), 62)).isEqualTo(Json.parse("[[1]]"));
        assertThatThrownBy(() -> room.copy(Json.parse("[[1]]"), 63)).hasMessage("64 levels");
        assertThatThrownBy(() -> room.moved(Json.parse("[[1]]"), 63)).hasMessage("64 levels");
    }
}
