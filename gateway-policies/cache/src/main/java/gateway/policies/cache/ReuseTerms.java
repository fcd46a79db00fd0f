package gateway.policies.cache;

import gateway.http.Headers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// What an answer, or this policy where the answer says nothing, allows to be done with it (RFC 9111 §4.2, RFC 5861).
///
/// @param lifetime how long it is fresh
/// @param stated whether the answer itself says how long
record ReuseTerms(CacheControl control, Duration lifetime, boolean stated) {
    /// @param respects whether the answer's own word counts
    /// @param otherwise how long it is fresh where that says nothing
    static ReuseTerms of(Headers answer, Instant received, boolean respects, Duration otherwise) {
        CacheControl control = CacheControl.ofAnswer(answer);
        Optional<Duration> stated = respects ? stated(control, answer, received) : Optional.empty();
        return new ReuseTerms(control, stated.orElse(otherwise), stated.isPresent());
    }

    private static Optional<Duration> stated(CacheControl control, Headers answer, Instant received) {
        OptionalLong seconds = control.seconds(Directive.S_MAXAGE);
        if (seconds.isEmpty()) seconds = control.seconds(Directive.MAX_AGE);
        if (seconds.isPresent()) return Optional.of(Duration.ofSeconds(seconds.getAsLong()));
        boolean targeted = answer.contains("CDN-Cache-Control"); // which stands for Expires too (RFC 9213 §2.2)
        List<String> expires = targeted ? List.of() : answer.all("Expires");
        if (expires.isEmpty()) return Optional.empty();
        Optional<Instant> end = FieldDate.read(expires.getFirst(), received);
        if (end.isEmpty() || expires.size() > 1) return Optional.of(Duration.ZERO);
        Instant date = answer.first("Date")
                .flatMap(text -> FieldDate.read(text, received))
                .orElse(received);
        return Optional.of(end.get().isAfter(date) ? Duration.between(date, end.get()) : Duration.ZERO);
    }

    /// The same for an answer that is not fresh any more at this age.
    ReuseTerms endedAt(Duration age) {
        return lifetime.compareTo(age) <= 0 ? this : new ReuseTerms(control, age, stated);
    }

    /// Whether it may be kept at all.
    boolean mayBeKept() {
        return !control.has(Directive.NO_STORE) && !control.has(Directive.PRIVATE);
    }

    /// Whether only who knows what its status means may keep it (RFC 9111 §5.2.2.3).
    boolean mustBeUnderstood() {
        return control.has(Directive.MUST_UNDERSTAND);
    }

    /// Whether it may be given to others than the caller who got it with a credential (RFC 9111 §3.5).
    boolean isForAll() {
        return control.has(Directive.PUBLIC)
                || control.has(Directive.S_MAXAGE)
                || control.has(Directive.MUST_REVALIDATE);
    }

    /// Whether each request has the upstream asked.
    boolean alwaysAsked() {
        return control.has(Directive.NO_CACHE);
    }

    /// How long it may be given once it is not fresh any more: as the answer says, or else `otherwise`, which no word
    /// of the answer may forbid (RFC 9111 §4.2.4).
    Duration stale(Directive window, Duration otherwise) {
        if (alwaysAsked() || control.has(Directive.MUST_REVALIDATE) || control.has(Directive.PROXY_REVALIDATE))
            return Duration.ZERO;
        OptionalLong stated = control.seconds(window);
        if (stated.isPresent()) return Duration.ofSeconds(stated.getAsLong());
        return control.has(Directive.S_MAXAGE) ? Duration.ZERO : otherwise;
    }
}
