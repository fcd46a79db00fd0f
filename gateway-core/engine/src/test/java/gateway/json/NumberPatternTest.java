package gateway.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class NumberPatternTest {
    @Test
    void it_matches_all_numbers_from_least_to_most_and_no_others() {
        for (long min : new long[] {0, 1, 5, 9, 10, 19, 99, 100, 250, 999}) {
            for (long max : new long[] {min, min + 1, min + 7, 99 + min, 999 + min, 1000, 1099, 1234}) {
                var pattern = Pattern.compile(NumberPattern.between(min, max));

                long[] matching = LongStream.range(0, 2000)
                        .filter(number -> pattern.matcher(Long.toString(number)).matches())
                        .toArray();

                assertThat(matching)
                        .as(pattern.pattern())
                        .isEqualTo(LongStream.rangeClosed(min, max).toArray());
            }
        }
    }

    @Test
    void durations_are_held_to_their_bounds_in_every_unit() {
        var pattern = Pattern.compile(NumberPattern.of(Duration.ofMillis(1500), Duration.ofHours(2)));

        for (String sound : List.of("1500ms", "7200000ms", "2s", "7200s", "1m", "120m", "2h", "002h"))
            assertThat(sound).matches(pattern);
        for (String wrong : List.of("1499ms", "7200001ms", "1s", "7201s", "0m", "121m", "3h", "1d", "2", "2H", "-2h"))
            assertThat(wrong).doesNotMatch(pattern);
    }

    @Test
    void sizes_are_held_to_their_bounds_in_every_unit() {
        var pattern = Pattern.compile(NumberPattern.ofSize(1025, 5L << 30));

        for (String sound : List.of("1025B", "2KiB", "1MiB", "5GiB", "5120MiB"))
            assertThat(sound).matches(pattern);
        for (String wrong : List.of("1024B", "1KiB", "0MiB", "6GiB", "5121MiB", "2kib"))
            assertThat(wrong).doesNotMatch(pattern);
    }
}
