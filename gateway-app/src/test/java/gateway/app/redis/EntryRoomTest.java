package gateway.app.redis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class EntryRoomTest {
    @ParameterizedTest
    @CsvSource({"100, 1000, 10000, 400", "600, 1000, 10000, 0", "100, 0, 10000, 4900", "100, 0, 0, 0"})
    void entries_come_into_half_of_the_bound_or_of_the_machines_memory(long used, long bound, long machine, long left) {
        String memory = "used_memory:%d\r\ntotal_system_memory:%d\r\nmaxmemory:%d\r\n".formatted(used, machine, bound);

        assertThat(EntryRoom.left(memory)).isEqualTo(left);
    }
}
