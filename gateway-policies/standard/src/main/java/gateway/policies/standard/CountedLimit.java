package gateway.policies.standard;

import gateway.http.Allowance;
import gateway.http.Consumer;
import gateway.http.Exchange;
import gateway.http.Problem;
import gateway.http.Response;
import gateway.policy.LimitPolicy;
import gateway.policy.PolicyPlace;
import gateway.policy.Verdict;
import gateway.service.Charge;
import gateway.service.Counting;
import gateway.service.Permit;
import gateway.service.Rule;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// A compiled `rate-limit` or `quota`.
///
/// Counters are `<kind>:<api>/<step>:<subject>`, `<kind>:<step>:<subject>` for all APIs together; a caller with numbers
/// of its own has one for all APIs,
/// `<kind>:key:<id>`. `variant` keeps rules apart whose state has another shape, so that a definition may change
/// from one to the other.
final class CountedLimit implements LimitPolicy {
    /// Different allowances of keys whose texts are kept; beyond that they are made anew for each request.
    private static final int MOST_KEPT = 1_000;

    private final LimitKind kind;
    private final CountedBy by;
    private final Counting counting;
    private final LimitNumbers numbers;
    private final InstantSource clock;
    private final String step;
    private final String counter;
    private final String keyCounter;
    private final Map<Allowance, LimitNumbers> owned = new ConcurrentHashMap<>();

    CountedLimit(
            LimitKind kind,
            String variant,
            Rule rule,
            CountedBy by,
            Counting counting,
            PolicyPlace at,
            InstantSource clock) {
        this.kind = kind;
        this.by = by;
        this.counting = counting;
        this.clock = clock;
        step = at.step();
        numbers = LimitNumbers.of(rule, step);
        counter = kind.counter + ':' + at.counter() + variant + ':';
        keyCounter = kind.counter + ":key:";
    }

    @Override
    public Optional<Charge> charge(Exchange exchange) {
        Optional<Consumer> caller = exchange.consumer();
        if (by instanceof CountedBy.Key && caller.isEmpty() && exchange.authenticationWaived()) return Optional.empty();
        Optional<Allowance> own = own(caller);
        if (own.isPresent()) {
            String id = caller.orElseThrow().id();
            return Optional.of(charge(keyCounter, id, owned(own.get()).rule()));
        }
        return Optional.of(charge(counter, by.subject(exchange), numbers.rule()));
    }

    private Charge charge(String prefix, String subject, Rule rule) {
        return new Charge(prefix.concat(subject), subject, rule, counting, kind.durable);
    }

    @Override
    public Verdict settle(Exchange exchange, Permit permit) {
        Optional<Allowance> own = own(exchange.consumer());
        LimitNumbers against = own.isPresent() ? owned(own.get()) : numbers;
        var headers = new LimitHeaders(against, permit, clock);
        return switch (permit) {
            case Permit.Granted _ -> Verdict.proceed(headers);
            case Permit.Denied denied -> Verdict.stop(spent(exchange, against, denied, headers));
        };
    }

    private Response spent(Exchange exchange, LimitNumbers against, Permit.Denied denied, LimitHeaders headers) {
        long seconds = Math.max(1, LimitHeaders.seconds(denied.retryNanos()));
        var problem = Problem.of(
                kind.problem,
                429,
                kind.title,
                against.allowed() + " are allowed; try again in " + seconds + (seconds == 1 ? " second" : " seconds"));
        Response response = problem.toResponse(exchange.requestId()).with("Retry-After", Long.toString(seconds));
        headers.write(response.headers());
        return response;
    }

    private Optional<Allowance> own(Optional<Consumer> caller) {
        return by instanceof CountedBy.Key && caller.isPresent() ? kind.own(caller.get()) : Optional.empty();
    }

    private LimitNumbers owned(Allowance own) {
        LimitNumbers known = owned.get(own);
        if (known != null) return known;
        var made = LimitNumbers.of(kind.rule(own), step);
        if (owned.size() < MOST_KEPT) owned.put(own, made);
        return made;
    }
}
