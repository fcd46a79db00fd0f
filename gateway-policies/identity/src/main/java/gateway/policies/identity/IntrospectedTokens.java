package gateway.policies.identity;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import gateway.json.Json;
import gateway.policies.cryptography.TokenFlaw;
import gateway.policies.standard.SingleFlight;
import gateway.service.DependencyException;
import java.time.InstantSource;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/// What servers have said of tokens a short while ago, good and bad in tables of their own: whoever makes tokens up
/// pushes no good one out. A token that is being asked about is not asked about again: the others wait.
final class IntrospectedTokens {
    /// Of policies that ask the same they are shared.
    ///
    /// @param asked all that a token was judged by
    record Id(Record asked) {}

    private static final long MOST_BYTES = 16 << 20;
    private static final int OVERHEAD = 2_048; // of an entry, whatever is said of it
    private static final int EXPANSION = 6; // of the text of claims to their tree
    private static final int MOST_REFUSED = 10_000;

    private final Cache<TokenDigest, ActiveToken> active;
    private final Cache<TokenDigest, TokenFlaw> refused;
    private final SingleFlight<TokenDigest, Answer> underWay = new SingleFlight<>();
    private final Semaphore places;
    private final IntrospectionTimes times;
    private final InstantSource clock;

    /// What was found out about a token.
    sealed interface Answer {
        record Active(ActiveToken token) implements Answer {}

        record Refused(TokenFlaw flaw) implements Answer {}
    }

    private IntrospectedTokens(
            Cache<TokenDigest, ActiveToken> active,
            Cache<TokenDigest, TokenFlaw> refused,
            int concurrency,
            IntrospectionTimes times,
            InstantSource clock) {
        this.active = active;
        this.refused = refused;
        this.places = new Semaphore(concurrency);
        this.times = times;
        this.clock = clock;
    }

    /// @param concurrency questions at once
    static IntrospectedTokens create(IntrospectionTimes times, int concurrency, InstantSource clock) {
        Cache<TokenDigest, ActiveToken> active = Caffeine.newBuilder()
                .maximumWeight(MOST_BYTES)
                .weigher((TokenDigest _, ActiveToken token) -> token.bytes())
                .expireAfterWrite(times.longest())
                .executor(Runnable::run)
                .ticker(() -> TimeUnit.MILLISECONDS.toNanos(clock.millis()))
                .build();
        Cache<TokenDigest, TokenFlaw> refused = Caffeine.newBuilder()
                .maximumSize(MOST_REFUSED)
                .expireAfterWrite(times.negativeCacheFor())
                .executor(Runnable::run)
                .ticker(() -> TimeUnit.MILLISECONDS.toNanos(clock.millis()))
                .build();
        return new IntrospectedTokens(active, refused, concurrency, times, clock);
    }

    /// One that was called active so short a while ago that nobody is asked; else null: no object on the way of every
    /// request.
    @Nullable
    ActiveToken fresh(TokenDigest digest) {
        ActiveToken known = active.getIfPresent(digest);
        return known != null && clock.millis() < known.fresh() ? known : null;
    }

    /// What of one that is not fresh holds: that it was refused a short while ago, what is answered now, or, while
    /// there is no answer, what was answered before and is not too old for that.
    ///
    /// @param server that is asked, by its name
    /// @param question put at a time in milliseconds
    /// @throws DependencyException when there is no answer in time, nor an earlier one
    Answer answer(String server, TokenDigest digest, LongFunction<Answer> question) {
        ActiveToken known = active.getIfPresent(digest);
        TokenFlaw flaw = known != null || times.negativeCacheFor().isZero() ? null : refused.getIfPresent(digest);
        if (flaw != null) return new Answer.Refused(flaw);
        try {
            return ask(server, digest, question);
        } catch (DependencyException e) {
            if (known != null && clock.millis() < known.end()) return new Answer.Active(known);
            throw e;
        }
    }

    /// Active for as long as `times` say, and not past the token's own end.
    ///
    /// @param asked when the question was put, in milliseconds: whatever has come of the token since was not known
    /// @param expires the token's end, in milliseconds
    /// @param length of its text
    Answer active(TokenSubject subject, long asked, long expires, int length) {
        long fresh = Math.min(expires, asked + times.cacheFor().toMillis());
        long end = Math.min(expires, asked + times.longest().toMillis());
        int claims = Json.compact(subject.claims()).length(); // the server's to say, a megabyte at most
        return new Answer.Active(new ActiveToken(subject, fresh, end, OVERHEAD + length + EXPANSION * claims));
    }

    /// Asks, or waits for the answer to whoever asks already, and remembers it. Where nothing may be remembered,
    /// an answer to a question that was put before this request came is too old: the next one is asked then, by
    /// one for all who have waited.
    private Answer ask(String server, TokenDigest digest, LongFunction<Answer> question) {
        var own = new AtomicBoolean();
        Answer answer = ask(server, digest, question, own);
        return own.get() || !times.cacheFor().isZero() ? answer : ask(server, digest, question, own);
    }

    /// @param own whether it was asked now, and not before
    private Answer ask(String server, TokenDigest digest, LongFunction<Answer> question, AtomicBoolean own) {
        return underWay.ask(server, digest, 2 * times.timeout().toNanos(), () -> {
            own.set(true);
            @Nullable ActiveToken meanwhile = fresh(digest); // since one who was quicker has asked
            if (meanwhile != null) return new Answer.Active(meanwhile);
            Answer answer = placed(server, question);
            remember(digest, answer);
            return answer;
        });
    }

    private void remember(TokenDigest digest, Answer answer) {
        switch (answer) {
            case Answer.Active(ActiveToken token) -> {
                active.put(digest, token);
                refused.invalidate(digest);
            }
            case Answer.Refused(TokenFlaw flaw) -> {
                active.invalidate(digest);
                if (!flaw.mayPass() && !times.negativeCacheFor().isZero()) refused.put(digest, flaw);
            }
        }
    }

    private Answer placed(String server, LongFunction<Answer> question) {
        try {
            if (!places.tryAcquire(times.timeout().toNanos(), TimeUnit.NANOSECONDS)) throw busy(server);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw busy(server);
        }
        try {
            return question.apply(clock.millis());
        } finally {
            places.release();
        }
    }

    private static DependencyException busy(String server) {
        return new DependencyException(server, "busy", "too many tokens are asked about", null);
    }
}
