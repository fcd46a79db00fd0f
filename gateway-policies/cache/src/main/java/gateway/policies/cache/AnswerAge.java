package gateway.policies.cache;

import gateway.http.Headers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// How old an answer is (RFC 9111 §4.2.3). Kept as numbers: an answer is kept for long, and each object of it costs.
///
/// @param thenNanos its age when it came
/// @param receivedNanos when that was, since 1970
record AnswerAge(long thenNanos, long receivedNanos) {
    private static final int MOST_DIGITS = 10;
    private static final long NANOS = 1_000_000_000;

    /// Old enough never to be fresh: what a clock says that was set back.
    private static final Duration UNKNOWN = Duration.ofSeconds(Integer.MAX_VALUE);

    /// @param then its age when it came
    /// @param received when that was
    AnswerAge(Duration then, Instant received) {
        this(
                then.compareTo(UNKNOWN) < 0 ? then.toNanos() : UNKNOWN.toNanos(),
                received.getEpochSecond() * NANOS + received.getNano());
    }

    static AnswerAge of(Headers answer, Instant asked, Instant received) {
        Duration apparent = Duration.ZERO;
        Optional<Instant> date = answer.first("Date").flatMap(text -> FieldDate.read(text, received));
        if (date.isPresent() && date.get().isBefore(received)) apparent = Duration.between(date.get(), received);
        Duration delay = Duration.between(asked, received);
        Duration corrected = told(answer).plus(delay.isNegative() ? Duration.ZERO : delay);
        return new AnswerAge(corrected.compareTo(apparent) > 0 ? corrected : apparent, received);
    }

    /// An age that cannot be read makes nothing fresh: some cache on the way has had the answer for a while.
    private static Duration told(Headers answer) {
        List<String> lines = answer.all("Age");
        if (lines.isEmpty()) return Duration.ZERO;
        String age = lines.getFirst().strip();
        if (lines.size() > 1 || age.isEmpty() || age.length() > MOST_DIGITS) return UNKNOWN;
        for (int i = 0; i < age.length(); i++) {
            if (age.charAt(i) < '0' || age.charAt(i) > '9') return UNKNOWN;
        }
        return Duration.ofSeconds(Math.min(Integer.MAX_VALUE, Long.parseLong(age)));
    }

    Duration then() {
        return Duration.ofNanos(thenNanos);
    }

    Instant received() {
        return Instant.ofEpochSecond(0, receivedNanos);
    }

    boolean isLaterThan(AnswerAge other) {
        return receivedNanos > other.receivedNanos;
    }

    Duration at(Instant now) {
        Duration since = Duration.between(received(), now);
        return since.isNegative() ? UNKNOWN : then().plus(since);
    }
}
