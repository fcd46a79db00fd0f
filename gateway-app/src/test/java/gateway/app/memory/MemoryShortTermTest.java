package gateway.app.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.service.DependencyException;
import gateway.service.ManualClock;
import gateway.service.ShortTerm;
import gateway.service.ShortTermContract;
import gateway.service.ShortTermName;
import gateway.service.ShortTermUse;
import gateway.service.ShortTermValue;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

final class MemoryShortTermTest implements ShortTermContract {
    private static final long ROOM_OF_A_USE = 10L * ShortTermTable.ENTRY_BYTES;

    private final ManualClock clock = ManualClock.create();
    private final MemoryShortTerm store = MemoryShortTerm.of(clock, 3 << 20);
    private final MemoryShortTerm small = MemoryShortTerm.of(clock, 3 * ROOM_OF_A_USE);

    @Override
    public ShortTerm store() {
        return store;
    }

    @Override
    public void letPass(Duration time) {
        clock.advance(time);
    }

    @Test
    void a_full_replay_guard_takes_no_new_id_and_forgets_none() {
        for (int i = 0; i < 10; i++) small.putIfAbsent(name(ShortTermUse.REPLAY, i), seconds(60 + i));

        assertThatThrownBy(() -> small.putIfAbsent(name(ShortTermUse.REPLAY, 10), seconds(600)))
                .isInstanceOf(DependencyException.class)
                .hasMessage("short-term: no room for one more value of use replay");

        for (int i = 0; i < 10; i++) {
            assertThat(small.putIfAbsent(name(ShortTermUse.REPLAY, i), seconds(60)))
                    .isFalse();
        }
    }

    @Test
    void a_full_replay_guard_takes_ids_again_once_some_have_ended() {
        for (int i = 0; i < 10; i++) small.putIfAbsent(name(ShortTermUse.REPLAY, i), seconds(60 + i));

        clock.advance(Duration.ofSeconds(60));

        assertThat(small.putIfAbsent(name(ShortTermUse.REPLAY, 10), seconds(60)))
                .isTrue();
    }

    @Test
    void of_sessions_the_one_closest_to_its_end_makes_room() {
        for (int i = 0; i < 10; i++) small.put(name(ShortTermUse.SESSION, i), seconds(60 + (i + 3) % 10));

        small.put(name(ShortTermUse.SESSION, 10), seconds(60));

        assertThat(small.get(name(ShortTermUse.SESSION, 7))).isEmpty();
        assertThat(small.get(name(ShortTermUse.SESSION, 10))).isPresent();
        for (int i = 0; i < 7; i++)
            assertThat(small.get(name(ShortTermUse.SESSION, i))).isPresent();
    }

    @Test
    void a_flood_of_one_use_takes_nothing_from_another() {
        small.put(name(ShortTermUse.SESSION, 1), seconds(1));

        for (int i = 0; i < 100; i++) small.put(name(ShortTermUse.BAN, i), seconds(600));

        assertThat(small.get(name(ShortTermUse.SESSION, 1))).isPresent();
        assertThat(small.bytes()).isEqualTo(11L * ShortTermTable.ENTRY_BYTES);
    }

    @Test
    void a_value_that_does_not_fit_in_the_place_of_a_smaller_one_leaves_it() {
        for (int i = 0; i < 10; i++) small.put(name(ShortTermUse.REPLAY, i), seconds(60));

        assertThatThrownBy(() -> small.put(
                        name(ShortTermUse.REPLAY, 3), new ShortTermValue("x".repeat(500), Duration.ofSeconds(60))))
                .isInstanceOf(DependencyException.class);

        assertThat(small.get(name(ShortTermUse.REPLAY, 3))).contains("");
    }

    @Property(tries = 200)
    void it_holds_what_a_map_with_ends_holds_and_counts_its_bytes(
            @ForAll @Size(max = 60) List<@IntRange(max = 999) Integer> moves) {
        Map<Integer, Long> ends = new HashMap<>();
        for (int move : moves) {
            int id = move % 8;
            long now = clock.nanos();
            boolean stands = ends.getOrDefault(id, 0L) > now;
            switch (move / 250) {
                case 0 -> {
                    assertThat(store.putIfAbsent(name(ShortTermUse.REPLAY, id), seconds(move)))
                            .isEqualTo(!stands);
                    if (!stands) ends.put(id, now + seconds(move).keep().toNanos());
                }
                case 1 -> {
                    store.put(name(ShortTermUse.REPLAY, id), seconds(move));
                    ends.put(id, now + seconds(move).keep().toNanos());
                }
                case 2 -> {
                    assertThat(store.remove(name(ShortTermUse.REPLAY, id))).isEqualTo(stands);
                    ends.remove(id);
                }
                default -> clock.advance(Duration.ofSeconds(move));
            }
        }

        for (int id = 0; id < 8; id++) {
            assertThat(store.get(name(ShortTermUse.REPLAY, id)).isPresent())
                    .isEqualTo(ends.getOrDefault(id, 0L) > clock.nanos());
            store.remove(name(ShortTermUse.REPLAY, id));
        }
        assertThat(store.bytes()).isZero();
    }

    private static ShortTermName name(ShortTermUse use, int number) {
        return ShortTermName.of(use, "orders/test", "" + number);
    }

    private static ShortTermValue seconds(int seconds) {
        return new ShortTermValue("", Duration.ofSeconds(seconds));
    }
}
