package gateway.policy;

import gateway.http.Exchange;
import gateway.service.Charge;
import gateway.service.Permit;
import java.util.Optional;

/// A policy that spends from counters. The pipeline gathers the charges of neighbouring limit policies and has
/// them decided in one call, all or none; so a limit policy says what it would spend and what it makes of the
/// permit.
public non-sealed interface LimitPolicy extends CompiledPolicy {
    /// What this request would spend; empty when the policy does not apply to it.
    Optional<Charge> charge(Exchange exchange);

    /// Granted: proceed, usually with headers on the way back. Denied: stop with 429.
    Verdict settle(Exchange exchange, Permit permit);
}
