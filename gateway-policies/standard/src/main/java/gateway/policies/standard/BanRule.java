package gateway.policies.standard;

import gateway.json.ConfigNode;
import gateway.json.Durations;
import java.time.Duration;

/// How many refusals are too many, and how long is kept out who has had them.
///
/// @param failures that count within `per`; with `percent` the least number of requests
/// @param percent of the requests from the first refusal on that must be refused; 100 where refusals alone are counted
/// @param share whether all requests are counted, for `percent`
/// @param first length of the first ban
/// @param longest to which it doubles with each further one
record BanRule(int failures, int percent, boolean share, Duration per, Duration first, Duration longest) {
    private static final int MOST = 1_000_000;
    private static final Duration LONGEST = Duration.ofDays(30);

    static BanRule read(ConfigNode node) {
        ConfigNode failures = node.field("failures", "so many are too many; this or `percent`");
        ConfigNode percent = node.field("percent", "such a share of all requests is too much; this or `failures`");
        ConfigNode least = node.field("minRequests", "with `percent`: among fewer nobody is kept out");
        node.one("failures", "percent").beside("percent", "minRequests");
        if (failures.isPresent() == percent.isPresent())
            node.problem(
                    "expected either \"failures\" or \"percent\", got " + (percent.isPresent() ? "both" : "neither"));
        boolean share = percent.isPresent();
        if (least.isPresent() && !share) least.problem("expected only with \"percent\"");
        int most = (int) (share ? least.integer(1, MOST, 20) : failures.integer(1, MOST, 20));
        int part = (int) percent.integer(1, 100, 100);
        Duration per = node.field("per", "in how much time, from the first refusal on")
                .duration(Duration.ofSeconds(1), Duration.ofDays(1));
        Duration first = node.field("for", "how long who is kept out").duration(Duration.ofSeconds(1), LONGEST);
        ConfigNode max = node.field("maxFor", "to which `for` doubles when it happens again")
                .unlessGiven("`for`: it stays as it is");
        Duration longest = max.duration(Duration.ofSeconds(1), LONGEST, first);
        if (longest.compareTo(first) < 0)
            max.problem("expected at least \"for\", " + Durations.text(first) + ", got " + Durations.text(longest));
        return new BanRule(most, part, share, per, first, longest);
    }

    /// Whether that is too much.
    boolean isMet(int refused, int requests) {
        if (!share) return refused >= failures;
        return requests >= failures && refused * 100L >= (long) percent * requests;
    }

    /// @param times how often it has happened in a row, this time included
    Duration length(int times) {
        Duration doubled = first.multipliedBy(1L << Math.min(times - 1, 22)); // a second to a month and more
        return doubled.compareTo(longest) < 0 ? doubled : longest;
    }
}
