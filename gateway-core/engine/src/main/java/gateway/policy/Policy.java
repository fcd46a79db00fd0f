package gateway.policy;

import gateway.http.Exchange;

/// A compiled policy: asked once for each request of its route, by many threads at once. May block.
@FunctionalInterface
public non-sealed interface Policy extends CompiledPolicy {
    /// A [supposed][Exchange#isSupposed] request is judged as any other, but not counted, and nothing of it is
    /// remembered.
    Verdict apply(Exchange exchange);
}
