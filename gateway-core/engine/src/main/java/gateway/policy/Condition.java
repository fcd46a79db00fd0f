package gateway.policy;

import gateway.http.Exchange;

/// Decides whether a policy applies to a request: the compiled form of `when`.
@FunctionalInterface
public interface Condition {
    Condition ALWAYS = exchange -> true;

    boolean holds(Exchange exchange);
}
