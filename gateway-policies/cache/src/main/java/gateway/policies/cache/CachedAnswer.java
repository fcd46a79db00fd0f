package gateway.policies.cache;

import gateway.http.Body;
import gateway.http.Headers;
import gateway.http.HeldBody;
import gateway.service.CacheEntries;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/// A whole answer of the upstream as it is kept. Immutable; its bytes are sent from where they lie.
///
/// @param lines names and values by turns, but for fields of one connection
/// @param hits how often it was given
record CachedAnswer(
        int status,
        List<String> lines,
        HeldBody body,
        ReuseTerms terms,
        AnswerAge age,
        VaryFields vary,
        AnswerOrigin origin,
        LongAdder hits) {
    private static final int OVERHEAD = 512; // of an entry, whatever it holds
    private static final int LINE = 64; // of two texts
    private static final int LINES = 32; // that most answers have fewer of, names and values
    private static final List<String> NEVER_KEPT = List.of(
            "age",
            "cache-status",
            "connection",
            "content-length",
            "keep-alive",
            "proxy-authenticate",
            "proxy-authentication-info",
            "proxy-authorization",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");

    /// What the kept bytes are is not changed by a later head (RFC 9111 §3.2).
    private static final Set<String> OF_CONTENT =
            Set.of("content-encoding", "content-md5", "content-range", "digest", "etag", "last-modified");

    CachedAnswer {
        lines = List.copyOf(lines);
    }

    /// Whether `request` may be answered by it.
    ///
    /// @param upstream where the request would go
    boolean isFor(String upstream, Headers request) {
        return vary.match(request) && origin.upstream().equals(upstream);
    }

    /// The lines of `fields` that are kept.
    ///
    /// @param tags the field that no client sees
    static List<String> kept(Headers fields, Instant received, String tags) {
        List<String> named = ListElements.of(fields.all("Connection"));
        var lines = new ArrayList<String>(LINES);
        fields.forEach((name, value) -> {
            if (ListedFields.isAmong(NEVER_KEPT, name) || ListedFields.isAmong(named, name)) return;
            if (name.equalsIgnoreCase(tags)) return;
            lines.add(name);
            lines.add(value);
        });
        if (!fields.contains("Date")) {
            lines.add("Date");
            lines.add(FieldDate.write(received));
        }
        return lines;
    }

    CachedAnswer with(HeldBody content) {
        return new CachedAnswer(status, lines, content, terms, age, vary, origin, hits);
    }

    /// The same, not fresh any more.
    CachedAnswer stale(Instant now) {
        return new CachedAnswer(status, lines, body, terms.endedAt(age.at(now)), age, vary, origin, hits);
    }

    /// The same once the upstream has said that it still holds.
    ///
    /// @param said the fields of its 304
    /// @param limits what this policy makes of the fields of the two together
    /// @param tags that the 304 has given it; its own where that has none
    CachedAnswer renewed(Headers said, Instant asked, Instant now, KeepRules limits, Set<String> tags) {
        var lower = new ArrayList<String>();
        said.forEach((name, _) -> lower.add(name.toLowerCase(Locale.ROOT)));
        Headers joined = Headers.create();
        for (int i = 0; i < lines.size(); i += 2) {
            String name = lines.get(i).toLowerCase(Locale.ROOT);
            if (OF_CONTENT.contains(name) || !lower.contains(name)) joined.add(lines.get(i), lines.get(i + 1));
        }
        said.forEach((name, value) -> {
            if (!OF_CONTENT.contains(name.toLowerCase(Locale.ROOT))) joined.add(name, value);
        });
        if (!said.contains("Date")) joined.set("Date", FieldDate.write(now));
        AnswerAge renewed = AnswerAge.of(joined, asked, now);
        return new CachedAnswer(
                status,
                kept(joined, now, limits.tags()),
                body,
                limits.terms(joined, status, now),
                renewed,
                vary,
                tags.isEmpty() ? origin : origin.with(tags),
                hits);
    }

    /// Whether it came after `other`, which was chosen by the same fields.
    boolean isLaterThan(CachedAnswer other) {
        return vary.equals(other.vary) && age.isLaterThan(other.age);
    }

    Duration age(Instant now) {
        return age.at(now);
    }

    /// How long it is fresh still; negative when it is stale.
    Duration freshFor(Instant now) {
        return terms.lifetime().minus(age.at(now));
    }

    /// Whether it may be given although it is not fresh.
    ///
    /// @param window as the answer names it
    /// @param otherwise how long where it does not
    boolean isWithin(Directive window, Duration otherwise, Instant now) {
        Duration allowed = terms.stale(window, otherwise);
        return allowed.isPositive() && freshFor(now).negated().compareTo(allowed) < 0;
    }

    Optional<String> field(String name) {
        for (int i = 0; i < lines.size(); i += 2) {
            if (lines.get(i).equalsIgnoreCase(name)) return Optional.of(lines.get(i + 1));
        }
        return Optional.empty();
    }

    boolean hasValidator() {
        return field("ETag").isPresent() || field("Last-Modified").isPresent();
    }

    /// Its fields, to be changed by whoever gets them.
    Headers fields() {
        return Headers.ofLines(lines);
    }

    /// As operators see it.
    CacheEntries.Entry entry(Instant now) {
        return new CacheEntries.Entry(
                origin.api(),
                origin.host(),
                origin.shown(),
                status,
                weight(),
                hits.sum(),
                age.received(),
                freshFor(now),
                origin.tags());
    }

    /// What it takes of the memory for kept answers.
    int weight() {
        long weight = OVERHEAD + body.length().orElse(0);
        for (String each : lines) weight += LINE / 2 + each.length();
        for (String each : vary.values()) weight += LINE + each.length();
        weight += origin.weight();
        return (int) Math.min(Integer.MAX_VALUE, weight);
    }

    @Override
    public String toString() {
        return status + ", " + (body.equals(Body.EMPTY) ? "no content" : body.toString());
    }
}
