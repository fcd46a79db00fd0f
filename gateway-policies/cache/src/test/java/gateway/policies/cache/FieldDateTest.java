package gateway.policies.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class FieldDateTest {
    private static final Instant NOW = Instant.parse("2026-06-01T00:00:00Z");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Sun, 06 Nov 1994 08:49:37 GMT|1994-11-06T08:49:37Z",
                "Thu, 29 Feb 2024 23:59:59 GMT|2024-02-29T23:59:59Z",
                "Thu, 31 Dec 2026 00:00:00 GMT|2026-12-31T00:00:00Z",
                "Sunday, 06-Nov-94 08:49:37 GMT|1994-11-06T08:49:37Z",
                "Sun Nov  6 08:49:37 1994|1994-11-06T08:49:37Z",
                "Wed Nov 16 08:49:37 1994|1994-11-16T08:49:37Z",
                "Mon, 06 Nov 1994 08:49:37 GMT|1994-11-06T08:49:37Z",
                "Monday, 01-Jun-26 00:00:01 GMT|2026-06-01T00:00:01Z",
                "Friday, 01-Jun-76 00:00:01 GMT|2076-06-01T00:00:01Z",
                "Wednesday, 01-Jun-77 00:00:01 GMT|1977-06-01T00:00:01Z",
            })
    void a_time_is_read_in_all_three_forms(String text, Instant time) {
        assertThat(FieldDate.read(text, NOW)).contains(time);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0",
                "-1",
                "1994-11-06T08:49:37Z",
                "Sun, 06 Nov 1994 08:49:37 UTC",
                "Sun, 06 Nov 1994 08:49:37",
                "Sun, 6 Nov 1994 08:49:37 GMT",
                "Sun, 06 Nov 1994 25:49:37 GMT",
                "Sun, 06 Nov 94 08:49:37 GMT",
                "Sun, 00 Nov 1994 08:49:37 GMT",
                "Sun, 06 ovD 1994 08:49:37 GMT",
                "Sun, 06 nov 1994 08:49:37 GMT",
                "Sun, 06 Nov 0000 08:49:37 GMT",
                "Sun, 06 Nov 1994 08:60:37 GMT",
                "Sun, 06 Nov 1994 08:49:60 GMT",
                "Sun, 06 Nov 1994 08.49.37 GMT",
            })
    void anything_else_is_no_time(String text) {
        assertThat(FieldDate.read(text, NOW)).isEmpty();
    }

    @Test
    void what_is_written_is_read_again() {
        assertThat(FieldDate.write(NOW)).isEqualTo("Mon, 01 Jun 2026 00:00:00 GMT");
        assertThat(FieldDate.read(FieldDate.write(NOW), NOW)).contains(NOW);
    }
}
