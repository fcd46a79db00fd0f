package gateway.policies.cache;

import gateway.http.Exchange;
import gateway.http.Headers;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// One request as the cache sees it.
///
/// @param upstream the first target of where it goes
/// @param seen the fields as they came to the cache, whatever later policies make of them
/// @param common key of answers for everybody
/// @param own key of answers for this caller; the same for one who shows no credential
/// @param said by the client in `Cache-Control`
/// @param wish of the client, whatever becomes of its fields
/// @param asked when it came here
record CacheRequest(
        Exchange exchange,
        String upstream,
        Headers seen,
        CacheKey common,
        CacheKey own,
        CacheControl said,
        ClientWish wish,
        Instant asked) {
    /// @param content what of its content tells it from others; empty text for one without any
    static CacheRequest of(
            Exchange exchange,
            SeenFields seen,
            ResponseCache spec,
            String space,
            String upstream,
            CacheControl said,
            String content,
            Instant now) {
        String target = spec.key().target(space, exchange);
        String part = content + spec.key().part(exchange, seen);
        String mark = spec.sharedBetweenCallers()
                ? ""
                : CallerMark.of(exchange, seen, spec.key().cookies());
        var common = new CacheKey(target, part);
        CacheKey own = mark.isEmpty() ? common : new CacheKey(target, part + mark);
        ClientWish sent = content.isEmpty() ? ClientWish.of(seen) : ClientWish.ALL;
        ClientWish wish = exchange.outgoing().method().equals("HEAD") ? sent.ofAll() : sent;
        return new CacheRequest(exchange, upstream, seen.fields(), common, own, said, wish, now);
    }

    /// The same without a client: nobody wants anything of it but that it is kept.
    ///
    /// @param other its own exchange
    CacheRequest behind(Exchange other) {
        return new CacheRequest(other, upstream, seen, common, own, said, ClientWish.ALL, asked);
    }

    /// Whether its answer may be kept.
    boolean brings() {
        return !isHead();
    }

    boolean isHead() {
        return exchange.outgoing().method().equals("HEAD");
    }

    boolean isGet() {
        return exchange.outgoing().method().equals("GET");
    }

    /// Null when nothing is kept that this caller may get: no object on the way of every request.
    @Nullable
    FoundAnswer find(LocalAnswers answers) {
        CachedAnswer mine = answers.find(own, upstream, seen);
        if (mine != null) return new FoundAnswer(own, mine);
        if (own.equals(common)) return null;
        CachedAnswer others = answers.find(common, upstream, seen);
        return others == null || !others.terms().isForAll() ? null : new FoundAnswer(common, others);
    }

    /// The key that an answer to this request is kept by.
    CacheKey keyOf(ReuseTerms terms) {
        return terms.isForAll() ? common : own;
    }

    /// Whether `answer` is fresh, or as stale as the client takes it (RFC 9111 §5.2.1).
    boolean takes(CachedAnswer answer, Instant now) {
        ReuseTerms terms = answer.terms();
        if (terms.alwaysAsked() || said.has(Directive.NO_CACHE)) return false;
        Duration age = answer.age(now);
        Duration left = answer.freshFor(now);
        if (age.compareTo(seconds(Directive.MAX_AGE, age)) > 0) return false;
        if (left.compareTo(seconds(Directive.MIN_FRESH, left)) < 0) return false;
        if (left.isPositive()) return true;
        if (!said.has(Directive.MAX_STALE)) return false;
        Duration most = said.isBare(Directive.MAX_STALE) ? left.negated() : seconds(Directive.MAX_STALE, Duration.ZERO);
        Duration allowed = terms.stale(Directive.MAX_STALE, most); // which no answer names
        return left.negated().compareTo(allowed) <= 0;
    }

    private Duration seconds(Directive directive, Duration otherwise) {
        OptionalLong seconds = said.seconds(directive);
        return seconds.isEmpty() ? otherwise : Duration.ofSeconds(seconds.getAsLong());
    }
}
