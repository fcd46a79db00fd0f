package gateway.app.redis;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.service.DependencyException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class EntryRoomTest {
    private static String info(long used, long bound, long machine) {
        return "used_memory:%d\r\ntotal_system_memory:%d\r\nmaxmemory:%d\r\n".formatted(used, machine, bound);
    }

    @Test
    void what_is_forgotten_takes_room_from_what_is_kept_until_the_next_look() {
        var room = new EntryRoom(() -> List.of(info(100, 1_000, 10_000), info(0, 1_000, 10_000)));
        assertThat(room.take(1)).isFalse(); // nobody has looked
        room.look();

        room.spend(300);

        assertThat(room.take(101)).isFalse();
        room.look();
        assertThat(room.take(400)).isTrue();
        room.spend(1);
        assertThat(room.take(1)).isFalse();
    }

    @Test
    void what_is_remembered_of_what_is_forgotten_takes_three_quarters_at_most() {
        var room = new EntryRoom(() -> List.of(info(500_000_000, 1_000_000_000, 1), info(0, 1_000_000_000, 1)));
        room.look();

        assertThat(room.spend(250_000_000)).isTrue();
        assertThat(room.spend(1)).isFalse();

        room.look();
        assertThat(room.spend(1)).isTrue();
    }

    @Test
    void a_little_is_remembered_where_a_server_is_full_or_does_not_say() {
        var silent = new EntryRoom(() -> {
            throw new DependencyException("redis", "away");
        });
        for (EntryRoom room : List.of(silent, new EntryRoom(() -> List.of(info(900, 1_000, 10_000))))) {
            for (int i = 0; i < 2; i++) {
                assertThat(room.spend(256 << 10)).isTrue();
                assertThat(room.spend(1)).isFalse();
                room.look();
            }
        }
    }

    @Test
    void there_is_no_room_where_a_server_does_not_say() {
        var servers = new AtomicReference<>(List.of(info(0, 1_000, 0)));
        var room = new EntryRoom(() -> {
            if (servers.get().isEmpty()) throw new DependencyException("redis", "away");
            return servers.get();
        });
        room.look();
        assertThat(room.take(1)).isTrue();

        servers.set(List.of());
        room.look();

        assertThat(room.take(1)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"100, 1000, 10000, 400", "600, 1000, 10000, 0", "100, 0, 10000, 4900", "100, 0, 0, 0"})
    void entries_come_into_half_of_the_bound_or_of_the_machines_memory(long used, long bound, long machine, long left) {
        assertThat(EntryRoom.left(info(used, bound, machine))).isEqualTo(left);
    }
}
