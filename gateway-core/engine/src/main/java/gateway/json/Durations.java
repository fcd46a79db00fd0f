package gateway.json;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.regex.Pattern;

/// Durations as configuration writes them: a whole number and `ms`, `s`, `m`, `h` or `d`.
public final class Durations {
    /// From the shortest.
    static final SequencedMap<String, Duration> UNITS = units();

    private static final Pattern FORM = Pattern.compile("0*(\\d{1,12})(ms|s|m|h|d)");

    private Durations() {}

    public static Optional<Duration> parse(String text) {
        var match = FORM.matcher(text);
        if (!match.matches()) return Optional.empty();
        long amount = Long.parseLong(match.group(1));
        return Optional.ofNullable(UNITS.get(match.group(2))).map(one -> one.multipliedBy(amount));
    }

    private static SequencedMap<String, Duration> units() {
        var units = new LinkedHashMap<String, Duration>();
        units.put("ms", Duration.ofMillis(1));
        units.put("s", Duration.ofSeconds(1));
        units.put("m", Duration.ofMinutes(1));
        units.put("h", Duration.ofHours(1));
        units.put("d", Duration.ofDays(1));
        return Collections.unmodifiableSequencedMap(units);
    }

    /// `duration` in the largest unit that holds it whole.
    public static String text(Duration duration) {
        long millis = duration.toMillis();
        if (millis != 0 && millis % 86_400_000 == 0) return millis / 86_400_000 + "d";
        if (millis != 0 && millis % 3_600_000 == 0) return millis / 3_600_000 + "h";
        if (millis != 0 && millis % 60_000 == 0) return millis / 60_000 + "m";
        return millis % 1_000 == 0 ? millis / 1_000 + "s" : millis + "ms";
    }
}
