package gateway.app.redis;

import gateway.service.Charge;
import gateway.service.Rule;
import gateway.service.Rule.CalendarPeriod;
import gateway.service.Rule.FixedWindow;
import gateway.service.Rule.RollingPeriod;
import gateway.service.Rule.SlidingWindow;
import gateway.service.Rule.TokenBucket;
import java.time.InstantSource;

/// How charges are written for the limit scripts: keys `NAMESPACE:{SUBJECT}:COUNTER:KIND`, rules as four
/// words.
///
/// @param ownTime go by `periods`' clock rather than by Redis', for tests that set the time
record Counters(String namespace, CalendarPeriods periods, InstantSource clock, boolean ownTime) {
    /// All counters of a subject hash to one slot. Braces of the subject's own would end the tag early, so
    /// they are escaped.
    String key(Charge charge) {
        return key(namespace, charge.subject(), charge.counter() + kind(charge.rule()));
    }

    /// Whatever else is counted of a subject lies in the same slot.
    static String key(String namespace, String subject, String counted) {
        return namespace + ":{" + tag(subject) + "}:" + counted;
    }

    /// The time argument of a script: empty for Redis' own clock.
    void addTime(Arguments to) {
        if (ownTime) {
            to.add(CalendarPeriods.micros(clock.instant()));
            return;
        }
        to.add("");
    }

    void addRule(Arguments to, Rule rule) {
        addRule(to, rule, 1);
    }

    /// @param amount stands behind the letter of the kind, unless it is 1
    void addRule(Arguments to, Rule rule, long amount) {
        switch (rule) {
            case TokenBucket bucket ->
                add(to, word("t", amount), bucket.requests(), bucket.perNanos()).add(bucket.burst());
            case SlidingWindow window ->
                add(to, word("s", amount), window.requests(), window.perNanos()).add(0);
            case FixedWindow window ->
                add(to, word("f", amount), window.requests(), window.perNanos()).add(0);
            case RollingPeriod period ->
                add(to, word("r", amount), period.requests(), period.perNanos()).add(0);
            case CalendarPeriod calendar -> {
                var period = periods.now(calendar);
                to.add(word("c", amount))
                        .add(calendar.requests())
                        .add(period.start())
                        .add(period.end());
            }
        }
    }

    /// What a bucket holds or a window admits.
    static long limit(Rule rule) {
        return rule instanceof TokenBucket bucket ? bucket.burst() : rule.requests();
    }

    private static String word(String kind, long amount) {
        return amount == 1 ? kind : kind + amount;
    }

    private static Arguments add(Arguments to, String kind, long requests, long perNanos) {
        to.add(kind).add(requests);
        return perNanos % 1_000 == 0 ? to.add(perNanos / 1_000) : to.add(Double.toString(perNanos / 1_000.0));
    }

    private static String kind(Rule rule) {
        return switch (rule) {
            case TokenBucket bucket -> ":t";
            case SlidingWindow window -> ":s";
            case FixedWindow window -> ":f";
            case RollingPeriod period -> ":r";
            case CalendarPeriod period -> ":c";
        };
    }

    private static String tag(String subject) {
        if (subject.isEmpty()) return "%";
        if (subject.indexOf('}') < 0 && subject.indexOf('%') < 0) return subject;
        return subject.replace("%", "%25").replace("}", "%7D");
    }
}
