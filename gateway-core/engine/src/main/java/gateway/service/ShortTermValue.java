package gateway.service;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/// A text to be kept for a while.
///
/// @param text at most [#MOST_BYTES] of UTF-8
/// @param keep how long; less than a millisecond counts as one
public record ShortTermValue(String text, Duration keep) {
    /// Bytes of the longest text.
    public static final int MOST_BYTES = 16 << 10;

    public static final Duration LONGEST = Duration.ofDays(366);

    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final int WIDEST = 3; // bytes of UTF-8 that a char takes; a surrogate pair takes 4

    private static final Duration WAIT = Duration.ofMinutes(1); // more than lies between a look at the clock and here

    /// That something which may come once has come; empty for what would have to be remembered for too long. It is
    /// remembered for longer than any node takes it: clocks differ, and requests wait behind their look at them.
    ///
    /// @param left until it is refused for its time, by the clock of who has taken it
    /// @param clockSkew by how much clocks may differ
    public static Optional<ShortTermValue> ofOnce(Duration left, Duration clockSkew) {
        Duration keep = left.plus(clockSkew).plus(WAIT);
        return keep.compareTo(LONGEST) > 0 ? Optional.empty() : Optional.of(new ShortTermValue("", keep));
    }

    public ShortTermValue {
        if (!fits(text)) throw new IllegalArgumentException("expected at most " + MOST_BYTES + " bytes");
        if (keep.compareTo(LONGEST) > 0)
            throw new IllegalArgumentException("expected at most " + LONGEST + ", got " + keep);
        if (keep.compareTo(SHORTEST) < 0) keep = SHORTEST;
    }

    /// Whether `text` is short enough to be kept: to be asked before, of texts that callers choose.
    public static boolean fits(String text) {
        if (text.length() > MOST_BYTES) return false;
        return text.length() <= MOST_BYTES / WIDEST || text.getBytes(StandardCharsets.UTF_8).length <= MOST_BYTES;
    }

    /// Without the text, which may be a secret.
    @Override
    public String toString() {
        return "ShortTermValue[" + keep + "]";
    }
}
