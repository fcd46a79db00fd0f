package gateway.policies.cache;

import gateway.http.Body;
import gateway.http.BodyMemory;
import gateway.http.Headers;
import gateway.http.HeldBody;
import gateway.http.Outcome;
import gateway.http.PieceWatch;
import gateway.http.Response;
import gateway.policies.cache.Flights.Flight;
import gateway.policy.Followup;
import gateway.service.CacheResult;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// A request on its way to the upstream, from which may come what is kept.
final class UpstreamFetch implements Followup {
    private final ResponseCache spec;
    private final KeptAnswers kept;
    private final InstantSource clock;
    private final CacheRequest request;
    private final @Nullable FoundAnswer stale;
    private final boolean validates;
    private final Flight flight;
    private final LocalAnswers.Since since; // the upstream was asked
    private final AnswerOrigin origin;
    private final SharedAnswers.Look look;
    private boolean captures;
    private @Nullable AnswerCapture capture;

    /// @param stale what is kept already
    /// @param look at what other nodes have, before
    /// @param validates whether the upstream is asked if that holds
    /// @param flight of those who wait for this one; one that has landed: nobody does
    UpstreamFetch(
            ResponseCache spec,
            KeptAnswers kept,
            InstantSource clock,
            CacheRequest request,
            SharedAnswers.Look look,
            @Nullable FoundAnswer stale,
            boolean validates,
            Flight flight) {
        this.spec = spec;
        this.kept = kept;
        this.clock = clock;
        this.request = request;
        this.stale = stale;
        this.validates = validates;
        this.flight = flight;
        this.since = kept.answers().now();
        this.look = look;
        this.origin = AnswerOrigin.of(request.exchange(), request.upstream(), kept.texts());
    }

    @Override
    public PieceWatch watch(Response answer, BodyMemory memory) {
        if (!request.brings()) return PieceWatch.NONE;
        Instant now = clock.instant();
        ReuseTerms terms = spec.rules().terms(answer.headers(), answer.status(), now);
        if (!keeps(answer, terms)) return PieceWatch.NONE;
        CachedAnswer head = head(answer, terms, now);
        captures = true;
        capture = new AnswerCapture(
                memory,
                kept.copies(),
                answer.body().length().orElse(0),
                spec.rules().most(),
                body -> keep(head, body),
                this::outgrown,
                this::unkept,
                this::land);
        return capture;
    }

    private boolean keeps(Response answer, ReuseTerms terms) {
        return spec.rules().keeps(answer, terms)
                && CacheTags.of(answer.headers(), spec.rules().tags()).isPresent()
                && VaryFields.wentOutAsSeen(
                        answer.headers(), request.seen(), request.exchange().headers());
    }

    private CachedAnswer head(Response answer, ReuseTerms terms, Instant now) {
        return new CachedAnswer(
                answer.status(),
                kept.texts()
                        .lines(CachedAnswer.kept(
                                answer.headers(), now, spec.rules().tags())),
                Body.EMPTY,
                terms,
                AnswerAge.of(answer.headers(), request.asked(), now),
                VaryFields.of(answer.headers(), request.seen()),
                origin.with(tags(answer)),
                new LongAdder());
    }

    private Set<String> tags(Response answer) {
        return CacheTags.of(answer.headers(), spec.rules().tags()).orElse(Set.of());
    }

    private void keep(CachedAnswer head, HeldBody body) {
        kept.put(request.keyOf(head.terms()), head.with(body), since, look);
        kept.flights().learn(request.own(), true);
        kept.flights().learn(request, head.terms().isForAll());
        land();
    }

    @Override
    public Response onResponse(Response answer) {
        Instant now = clock.instant();
        if (stale != null && validates && answer.status() == 304) return renewed(stale, answer, now);
        if (stale != null && isFailure(answer) && mayStandIn(stale.answer(), now)) {
            land();
            return given(CacheResult.STALE, stale.answer(), asked(stale, answer.status()), now);
        }
        kept.counts().add(CacheResult.MISS);
        if (!captures) passed(answer, now);
        String status = stale == null ? CacheStatus.MISS : asked(stale, answer.status());
        if (answer.reason().isEmpty())
            answer.headers().add(CacheStatus.FIELD, captures ? status + CacheStatus.STORED : status);
        return answer;
    }

    private String asked(FoundAnswer found, int status) {
        return CacheStatus.asked(found.answer().freshFor(request.asked()).isPositive(), status);
    }

    private Response given(CacheResult result, CachedAnswer answer, String said, Instant now) {
        kept.counts().given(result, answer);
        return GivenAnswer.of(answer, request.wish(), now, said);
    }

    private Response renewed(FoundAnswer found, Response said, Instant now) {
        CachedAnswer renewed = renew(found, said, now);
        land();
        return given(CacheResult.REVALIDATED, renewed, asked(found, 304), now);
    }

    /// Keeps `found` with what the upstream has said of it, unless others may not have it any more.
    private CachedAnswer renew(FoundAnswer found, Response said, Instant now) {
        Optional<Set<String>> tags = CacheTags.of(said.headers(), spec.rules().tags());
        CachedAnswer renewed =
                found.answer().renewed(said.headers(), request.asked(), now, spec.rules(), tags.orElse(Set.of()));
        CacheKey key = request.keyOf(renewed.terms());
        boolean keeps = renewed.terms().mayBeKept() && tags.isPresent() && holdsForOthers(found.answer(), said);
        if (!keeps || !key.equals(found.key())) kept.answers().remove(found.key(), found.answer());
        if (keeps) kept.put(key, renewed, since, look);
        kept.flights().learn(request, keeps && renewed.terms().isForAll());
        return renewed;
    }

    private void heard(FoundAnswer found, Response head, Instant now) {
        switch (HeadWord.of(head, found.answer())) {
            case SAME -> {
                var _ = renew(found, head, now);
            }
            case OTHER -> kept.outdate(found, now, since);
            case NOTHING -> {}
        }
    }

    /// Whether the fields that an answer has now may be given to others, who were chosen by the same fields.
    private boolean holdsForOthers(CachedAnswer answer, Response said) {
        Headers fields = said.headers();
        if (fields.contains("Set-Cookie")) return false;
        if (!fields.contains("Vary")) return true;
        if (!VaryFields.canBeChosen(fields)) return false;
        return VaryFields.wentOutAsSeen(
                        fields, request.seen(), request.exchange().headers())
                && VaryFields.of(fields, request.seen()).equals(answer.vary());
    }

    private static boolean isFailure(Response answer) {
        return switch (answer.status()) {
            case 500, 502, 503, 504 -> true;
            default -> false;
        };
    }

    private boolean mayStandIn(CachedAnswer answer, Instant now) {
        return answer.isWithin(Directive.STALE_IF_ERROR, spec.staleIfError(), now);
    }

    /// No content came that could be kept.
    private void passed(Response answer, Instant now) {
        ReuseTerms terms = spec.rules().terms(answer.headers(), answer.status(), now);
        boolean empty = request.brings() && answer.status() == 204 && keeps(answer, terms);
        if (empty) {
            captures = true;
            keep(head(answer, terms, now), Body.EMPTY);
            return;
        }
        if (stale != null && request.isHead()) heard(stale, answer, now);
        if (stale != null && request.brings() && KeepRules.supersedes(answer, isOwn(stale)))
            kept.answers().remove(stale.key(), stale.answer());
        if (request.brings() && answer.status() < 500 && answer.status() != 304 && answer.status() != 206)
            kept.flights().learnVain(request);
        land();
    }

    private boolean isOwn(FoundAnswer found) {
        return found.key().equals(request.own());
    }

    @Override
    public void onEnd(Outcome outcome) {
        land();
        if (capture != null) capture.giveBack();
    }

    private void outgrown() {
        if (stale != null) kept.outgrown(request, stale);
        unkept();
    }

    /// Those who come next are not to wait for such a one.
    private void unkept() {
        kept.flights().learnVain(request);
        land();
    }

    private void land() {
        kept.flights().land(flight);
    }
}
