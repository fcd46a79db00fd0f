package gateway.json;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.regex.Pattern;

/// Sizes as configuration writes them: a whole number and `B`, `KiB`, `MiB` or `GiB` (IEC 80000-13).
public final class Sizes {
    /// Bytes of each, from the smallest.
    static final SequencedMap<String, Long> UNITS = units();

    private static final Pattern FORM = Pattern.compile("0*(\\d{1,12})(B|KiB|MiB|GiB)");

    private Sizes() {}

    /// The bytes of `text`.
    public static Optional<Long> parse(String text) {
        var match = FORM.matcher(text);
        if (!match.matches()) return Optional.empty();
        long amount = Long.parseLong(match.group(1));
        return Optional.ofNullable(UNITS.get(match.group(2))).map(one -> amount * one);
    }

    private static SequencedMap<String, Long> units() {
        var units = new LinkedHashMap<String, Long>();
        units.put("B", 1L);
        units.put("KiB", 1L << 10);
        units.put("MiB", 1L << 20);
        units.put("GiB", 1L << 30);
        return Collections.unmodifiableSequencedMap(units);
    }
}
