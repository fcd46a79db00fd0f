package gateway.policies.cache;

import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.http.HeldBody;
import gateway.http.Problem;
import gateway.http.Response;
import gateway.policies.cache.Flights.Flight;
import gateway.policy.Followup;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.Verdict;
import gateway.service.CacheResult;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Answers from what is kept, or has the upstream asked.
///
/// @param place before an upstream, whose answers are given alone
/// @param space of its keys
record CachingPolicy(ResponseCache spec, PolicyPlace place, String space, KeptAnswers kept, InstantSource clock)
        implements Policy {
    @Override
    public Verdict apply(Exchange exchange) {
        return switch (exchange.outgoing().method()) {
            case "GET" -> got(exchange);
            case "HEAD" -> spec.answersHead() ? got(exchange) : passedBy(exchange);
            case "OPTIONS", "TRACE" -> Verdict.proceed(new PassingBy());
            case "POST" -> spec.postKey().isUsed() ? posted(exchange) : changed(exchange);
            default -> changed(exchange);
        };
    }

    private Verdict got(Exchange exchange) {
        if (spec.bypass().holds(exchange)) return leftAlone();
        return isFat(exchange) ? passedBy(exchange) : asked(exchange, "");
    }

    private static boolean isFat(Exchange exchange) {
        return exchange.outgoing().body().length().orElse(1) != 0;
    }

    private Verdict posted(Exchange exchange) {
        if (spec.bypass().holds(exchange)) return leftAlone();
        Optional<String> content = spec.postKey().part(exchange);
        return content.isEmpty() ? passedBy(exchange) : asked(exchange, content.get());
    }

    private Verdict changed(Exchange exchange) {
        String target = spec.key().target(space, exchange);
        return Verdict.proceed(
                new Invalidation(kept, spec, space, target, exchange.outgoing().path(), exchange));
    }

    /// The cache has nothing to do with it; what the upstream sees is the same all the same.
    private Verdict passedBy(Exchange exchange) {
        spec.key().narrow(exchange);
        return leftAlone();
    }

    /// The upstream sees all of it, as operators want it.
    private Verdict leftAlone() {
        kept.counts().add(CacheResult.BYPASS);
        return Verdict.proceed(new PassingBy());
    }

    private Verdict asked(Exchange exchange, String content) {
        SeenFields seen = SeenFields.of(exchange.headers());
        boolean isHeard = !spec.ignoreClient() && seen.has(SeenFields.Kind.CONTROL);
        CacheControl said = isHeard ? CacheControl.ofRequest(seen.fields()) : CacheControl.NONE;
        if (exchange.opensWebSocket() || isApart(seen, said)) return passedBy(exchange);
        spec.key().narrow(exchange);
        String upstream = place.firstTarget(exchange.outgoing().branch());
        return decided(CacheRequest.of(exchange, seen, spec, space, upstream, said, content, clock.instant()));
    }

    /// Whether it has an answer of its own: by what the client says, or under conditions that the upstream alone can
    /// judge.
    private static boolean isApart(SeenFields seen, CacheControl said) {
        return said.has(Directive.NO_STORE) || seen.has(SeenFields.Kind.CONDITION);
    }

    private Verdict decided(CacheRequest request) {
        FoundAnswer found = request.find(kept.answers());
        if (found != null && request.takes(found.answer(), request.asked()))
            return hit(request, found, request.asked(), CacheResult.HIT);
        if (request.said().has(Directive.NO_CACHE) && !request.said().has(Directive.ONLY_IF_CACHED))
            return fetch(request, found, SharedAnswers.Look.NOWHERE, Flight.LANDED);
        boolean isAlone = spec.lockFor().isZero() && !isGivenMeanwhile(request, found);
        if (request.said().has(Directive.ONLY_IF_CACHED) || isAlone) return sought(request, found, Flight.LANDED);
        if (found != null && !request.brings() && isGivenMeanwhile(request, found))
            return hit(request, found, request.asked(), CacheResult.STALE);
        boolean isOfUse = request.wish().isForAll()
                || isGivenMeanwhile(request, found)
                || (found != null && found.answer().hasValidator());
        boolean leads = request.brings() && isOfUse;
        CacheKey key = kept.flights().keyOf(request);
        return leads
                ? led(request, found, new Flight(key))
                : followed(request, found, kept.flights().of(key));
    }

    private Verdict led(CacheRequest request, @Nullable FoundAnswer found, Flight mine) {
        Flight flight = kept.flights().join(mine);
        if (!flight.equals(mine)) return followed(request, found, flight);
        try {
            if (found != null && isGivenMeanwhile(request, found) && isHere(request.exchange()))
                return renewedBehind(request, found, mine);
            return sought(request, request.find(kept.answers()), mine); // one has landed since, maybe
        } catch (Throwable e) { // an Error too: nobody shall wait for what does not come
            kept.flights().land(mine);
            throw e;
        }
    }

    private static boolean isHere(Exchange exchange) {
        return exchange.outgoing().body() instanceof HeldBody;
    }

    /// Given as it is, and asked for behind it.
    private Verdict renewedBehind(CacheRequest request, FoundAnswer found, Flight mine) {
        var behind = new CachingPolicy(spec, place, space, kept.uncounted(), clock);
        return Verdict.answer(
                given(request, found, request.asked(), CacheResult.STALE),
                new BehindAnswer(behind, request, found, mine));
    }

    /// Who is shown what comes for `request`, which has no client; empty when another node has it already.
    Optional<Followup> renewed(CacheRequest request, Flight mine) {
        try {
            return switch (sought(request, request.find(kept.answers()), mine)) {
                case Verdict.Proceed(var followup) -> Optional.of(followup);
                case Verdict.Answer _, Verdict.Stop _ -> Optional.empty();
            };
        } catch (Throwable e) { // as in [#led]
            kept.flights().land(mine);
            throw e;
        }
    }

    /// From other nodes, where this one has nothing; else from the upstream.
    private Verdict sought(CacheRequest request, @Nullable FoundAnswer found, Flight mine) {
        Instant now = clock.instant();
        boolean isHere = found != null && request.takes(found.answer(), now);
        boolean isVain = isHere || kept.flights().isFruitless(request.own());
        SharedAnswers.Look look = isVain ? SharedAnswers.Look.NOWHERE : kept.look(request);
        FoundAnswer brought = look.later(found);
        boolean isAnswer = brought != null && request.takes(brought.answer(), now);
        if (isAnswer && brought != null) {
            kept.flights().land(mine);
            return hit(request, brought, now, CacheResult.HIT);
        }
        if (request.said().has(Directive.ONLY_IF_CACHED)) return absent(request.exchange());
        return fetch(request, brought, look, mine);
    }

    private Verdict followed(CacheRequest request, @Nullable FoundAnswer found, Flight flight) {
        if (flight.hasLanded()) return sought(request, found, Flight.LANDED);
        if (found != null && isGivenMeanwhile(request, found))
            return hit(request, found, request.asked(), CacheResult.STALE);
        flight.await(spec.lockFor());
        FoundAnswer brought = request.find(kept.answers());
        Instant now = clock.instant();
        boolean isAnswer = brought != null && request.takes(brought.answer(), now);
        return isAnswer && brought != null
                ? hit(request, brought, now, CacheResult.HIT)
                : fetch(request, brought, SharedAnswers.Look.NOWHERE, Flight.LANDED);
    }

    /// Whether what was found is given although it is stale, while it is renewed.
    private boolean isGivenMeanwhile(CacheRequest request, @Nullable FoundAnswer found) {
        if (found == null) return false;
        if (request.said().has(Directive.MAX_AGE) || request.said().has(Directive.MIN_FRESH)) return false;
        return found.answer().isWithin(Directive.STALE_WHILE_REVALIDATE, spec.staleWhileRevalidate(), request.asked());
    }

    private Verdict hit(CacheRequest request, FoundAnswer found, Instant now, CacheResult result) {
        return Verdict.answer(given(request, found, now, result));
    }

    private Response given(CacheRequest request, FoundAnswer found, Instant now, CacheResult result) {
        request.exchange().label("cache", "hit");
        kept.counts().given(result, found.answer());
        return GivenAnswer.of(found.answer(), request.wish(), now, CacheStatus.hit(found.answer(), now));
    }

    private static Verdict absent(Exchange exchange) {
        return Verdict.stop(Problem.of("not-kept", 504, "Not kept", "There is no answer that is fresh enough")
                .toResponse(exchange.requestId()));
    }

    private Verdict fetch(CacheRequest request, @Nullable FoundAnswer found, SharedAnswers.Look look, Flight flight) {
        boolean validates = found != null && request.isGet() && found.answer().hasValidator();
        if (found != null && validates) validate(request.exchange().headers(), found.answer());
        return Verdict.proceed(new UpstreamFetch(spec, kept, clock, request, look, found, validates, flight));
    }

    /// Asks whether `answer` holds, in place of what the client asks.
    private static void validate(Headers fields, CachedAnswer answer) {
        ClientWish.remove(fields);
        Optional<String> tag = answer.field("ETag");
        if (tag.isPresent()) fields.set("If-None-Match", tag.get());
        Optional<String> changed = answer.field("Last-Modified");
        if (changed.isPresent()) fields.set("If-Modified-Since", changed.get());
    }
}
