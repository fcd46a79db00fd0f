package gateway.policies.standard;

import gateway.json.Durations;
import gateway.service.Rule;
import java.time.Duration;
import java.util.Locale;

/// A rule and the texts about it that do not change from request to request.
///
/// @param policy an item of `RateLimit-Policy`, such as `"rate-limit";q=100;w=1`
/// @param item how an item of `RateLimit` begins: `"rate-limit";r=`
/// @param limit for `X-RateLimit-Limit`
/// @param allowed in words, such as `100 requests in 1s`
record LimitNumbers(Rule rule, String policy, String item, String limit, String allowed) {
    private static final long SECOND = 1_000_000_000L;

    static LimitNumbers of(Rule rule, String step) {
        String name = '"' + step + '"';
        String limit = Long.toString(most(rule));
        return new LimitNumbers(
                rule,
                name + ";q=" + limit + window(rule),
                name + ";r=",
                limit,
                rule.requests() + " requests " + period(rule));
    }

    /// How many may come at once: what `remaining` counts down from.
    private static long most(Rule rule) {
        return switch (rule) {
            case Rule.TokenBucket bucket -> bucket.burst();
            case Rule.SlidingWindow _, Rule.FixedWindow _, Rule.RollingPeriod _, Rule.CalendarPeriod _ ->
                rule.requests();
        };
    }

    /// The `w` parameter counts whole seconds; a window of any other length goes without it.
    private static String window(Rule rule) {
        long nanos = nanos(rule);
        return nanos > 0 && nanos % SECOND == 0 ? ";w=" + nanos / SECOND : "";
    }

    private static String period(Rule rule) {
        return switch (rule) {
            case Rule.CalendarPeriod period -> "each " + period.unit().name().toLowerCase(Locale.ROOT);
            case Rule.TokenBucket _, Rule.SlidingWindow _, Rule.FixedWindow _, Rule.RollingPeriod _ ->
                "in " + Durations.text(Duration.ofNanos(nanos(rule)));
        };
    }

    private static long nanos(Rule rule) {
        return switch (rule) {
            case Rule.TokenBucket bucket -> bucket.perNanos();
            case Rule.SlidingWindow window -> window.perNanos();
            case Rule.FixedWindow window -> window.perNanos();
            case Rule.RollingPeriod period -> period.perNanos();
            case Rule.CalendarPeriod _ -> 0;
        };
    }
}
