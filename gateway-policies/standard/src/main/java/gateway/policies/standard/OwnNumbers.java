package gateway.policies.standard;

import gateway.http.Allowance;
import gateway.http.Consumer;
import gateway.http.Exchange;
import gateway.http.Problem;
import gateway.http.Response;
import gateway.policy.Verdict;
import gateway.service.Charge;
import gateway.service.Counting;
import gateway.service.Permit;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// What a limit counts of callers with numbers of their own, one counter for all APIs: `<kind>:key:<id>`.
final class OwnNumbers {
    /// Different allowances of keys whose texts are kept; beyond that they are made anew for each request.
    private static final int MOST_KEPT = 1_000;

    private final LimitKind kind;
    private final String step;
    private final InstantSource clock;
    private final String counter;
    private final Map<Allowance, LimitNumbers> known = new ConcurrentHashMap<>();

    OwnNumbers(LimitKind kind, String step, InstantSource clock) {
        this.kind = kind;
        this.step = step;
        this.clock = clock;
        this.counter = kind.counter + ":key:";
    }

    Optional<Allowance> of(Consumer caller) {
        return kind.own(caller);
    }

    Charge charge(Consumer caller, Allowance own, Counting counting) {
        String id = caller.id();
        return new Charge(counter.concat(id), id, texts(own).rule(), counting, kind.durable);
    }

    LimitNumbers texts(Allowance own) {
        LimitNumbers found = known.get(own);
        if (found != null) return found;
        var made = LimitNumbers.of(kind.rule(own), step);
        if (known.size() < MOST_KEPT) known.put(own, made);
        return made;
    }

    /// Lets pass what was granted, and answers 429 otherwise; either way the client is told what is left.
    Verdict settle(Exchange exchange, Permit permit, LimitNumbers against) {
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
}
