package gateway.policy;

import gateway.http.Exchange;

/// A compiled policy: asked once for each request of its route, by many threads at once. May block.
@FunctionalInterface
public non-sealed interface Policy extends CompiledPolicy {
    Verdict apply(Exchange exchange);
}
