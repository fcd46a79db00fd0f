package gateway.policies.standard;

import gateway.http.Allowance;
import gateway.http.Consumer;
import gateway.http.Exchange;
import gateway.policy.LimitPolicy;
import gateway.policy.PolicyPlace;
import gateway.policy.Verdict;
import gateway.service.Charge;
import gateway.service.Counting;
import gateway.service.Permit;
import gateway.service.Rule;
import java.time.InstantSource;
import java.util.Optional;

/// A compiled `rate-limit` or `quota`.
///
/// Counters are `<kind>:<api>/<step>:<subject>`, `<kind>:<step>:<subject>` for all APIs together; a caller with numbers
/// of its own has one for all APIs ([OwnNumbers]). `variant` keeps rules apart whose state has another shape, so that a
/// definition may change from one to the other.
final class CountedLimit implements LimitPolicy {
    private final LimitKind kind;
    private final CountedBy by;
    private final Counting counting;
    private final LimitNumbers numbers;
    private final String counter;
    private final OwnNumbers owned;

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
        numbers = LimitNumbers.of(rule, at.step());
        counter = kind.counter + ':' + at.counter() + variant + ':';
        owned = new OwnNumbers(kind, at.step(), clock);
    }

    @Override
    public Optional<Charge> charge(Exchange exchange) {
        Optional<Consumer> caller = exchange.consumer();
        if (by instanceof CountedBy.Key && caller.isEmpty() && exchange.authenticationWaived()) return Optional.empty();
        Optional<Allowance> own = own(caller);
        if (own.isPresent()) return Optional.of(owned.charge(caller.orElseThrow(), own.get(), counting));
        String subject = by.subject(exchange);
        return Optional.of(new Charge(counter.concat(subject), subject, numbers.rule(), counting, kind.durable));
    }

    @Override
    public Verdict settle(Exchange exchange, Permit permit) {
        Optional<Allowance> own = own(exchange.consumer());
        return owned.settle(exchange, permit, own.isPresent() ? owned.texts(own.get()) : numbers);
    }

    private Optional<Allowance> own(Optional<Consumer> caller) {
        return by instanceof CountedBy.Key && caller.isPresent() ? owned.of(caller.get()) : Optional.empty();
    }
}
