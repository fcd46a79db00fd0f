package gateway.policies.standard;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// What is known of one that is or was kept out. Of two about the same subject the one decided later holds, on
/// whichever
/// node.
///
/// @param decidedAt milliseconds since the Unix epoch, as all of these
/// @param until when the ban ends
/// @param times how often in a row; 0 when an operator has lifted it
record BanEntry(String subject, long decidedAt, long until, int times) {
    private static final int BASE = 36;

    boolean holds(long now) {
        return times > 0 && now < until;
    }

    boolean isLifted() {
        return times == 0;
    }

    /// Until then it matters: a ban doubles when another one follows within the longest of its rule, and what was
    /// lifted stays lifted for nodes that have not heard of it.
    long matters(Duration longest) {
        return isLifted() ? until : until + longest.toMillis();
    }

    Duration left(long now) {
        return Duration.ofMillis(until - now);
    }

    Instant since() {
        return Instant.ofEpochMilli(decidedAt);
    }

    BanEntry lifted(long now) {
        return new BanEntry(subject, Math.max(now, decidedAt + 1), until, 0);
    }

    /// A line of the list that nodes share: subjects hold no space.
    String line() {
        return subject
                + ' '
                + Long.toString(decidedAt, BASE)
                + ' '
                + Long.toString(until, BASE)
                + ' '
                + Integer.toString(times, BASE);
    }

    /// Empty for what no gateway has written.
    static Optional<BanEntry> parse(String line) {
        String[] parts = line.split(" ", -1);
        if (parts.length != 4 || parts[0].isEmpty() || parts[0].length() > 128) return Optional.empty();
        try {
            var entry = new BanEntry(
                    parts[0],
                    Long.parseLong(parts[1], BASE),
                    Long.parseLong(parts[2], BASE),
                    Integer.parseInt(parts[3], BASE));
            boolean sane = entry.decidedAt >= 0 && entry.until >= 0 && entry.times >= 0;
            return sane ? Optional.of(entry) : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
