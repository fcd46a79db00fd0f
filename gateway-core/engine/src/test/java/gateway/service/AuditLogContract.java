package gateway.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/// What every [AuditLog] does.
public interface AuditLogContract {
    /// The log under test, empty at first and the same throughout one test.
    AuditLog log();

    @Test
    default void an_empty_log_has_no_entries() {
        assertThat(log().latest(0, 10)).isEmpty();
    }

    @Test
    default void the_newest_entry_comes_first() {
        var all = new ArrayList<AuditEntry>();
        for (int i = 0; i < 5; i++) {
            all.addFirst(entry(i));
            log().append(all.getFirst());
        }

        assertThat(log().latest(0, 10)).isEqualTo(all);
    }

    @Test
    default void entries_are_paged() {
        var all = new ArrayList<AuditEntry>();
        for (int i = 0; i < 5; i++) {
            all.addFirst(entry(i));
            log().append(all.getFirst());
        }

        assertThat(log().latest(0, 2)).isEqualTo(all.subList(0, 2));
        assertThat(log().latest(2, 2)).isEqualTo(all.subList(2, 4));
        assertThat(log().latest(4, 2)).isEqualTo(all.subList(4, 5));
        assertThat(log().latest(5, 2)).isEmpty();
    }

    @Test
    default void an_entry_never_breaks_out_of_its_line() {
        var odd = new AuditEntry(Instant.parse("2026-01-01T00:00:00Z"), "token:\"ä\n", "PUT apis/a\nPUT apis/b", 0, 1);

        log().append(odd);
        log().append(entry(1));

        assertThat(log().latest(0, 10)).containsExactly(entry(1), odd);
    }

    private static AuditEntry entry(int number) {
        var at = Instant.parse("2026-01-01T00:00:00.123456789Z").plusSeconds(number);
        return new AuditEntry(at, "token:ab12", "PUT apis/orders" + number, number, number + 1L);
    }
}
