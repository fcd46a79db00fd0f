package gateway.wire.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import org.junit.jupiter.api.Test;

class HttpDateTest {
    @Test
    void is_the_present_second_as_rfc_9110_writes_it() {
        Instant before = Instant.now();
        String date = HttpDate.now();
        Instant told =
                ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();

        assertThat(date).matches("[A-Z][a-z]{2}, \\d{2} [A-Z][a-z]{2} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT");
        assertThat(told).isBetween(before.minus(Duration.ofSeconds(1)), Instant.now());
    }
}
