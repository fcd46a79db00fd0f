package gateway.json;

import java.util.Optional;
import java.util.regex.Pattern;

/// Sizes as configuration writes them: a whole number and `B`, `KiB`, `MiB` or `GiB` (IEC 80000-13).
public final class Sizes {
    private static final Pattern FORM = Pattern.compile("0*(\\d{1,12})(B|KiB|MiB|GiB)");

    private Sizes() {}

    /// The bytes of `text`.
    public static Optional<Long> parse(String text) {
        var match = FORM.matcher(text);
        if (!match.matches()) return Optional.empty();
        long amount = Long.parseLong(match.group(1));
        return Optional.of(
                switch (match.group(2)) {
                    case "B" -> amount;
                    case "KiB" -> amount << 10;
                    case "MiB" -> amount << 20;
                    case "GiB" -> amount << 30;
                    default -> throw new IllegalStateException(text);
                });
    }
}
