package gateway.policy;

import gateway.http.Exchange;

/// Decides whether a policy applies to a request: the compiled form of `when`.
@FunctionalInterface
public interface Condition {
    Condition ALWAYS = exchange -> true;

    /// What the pipeline holds for one that reads bodies: JSON, with its coding undone.
    BodyAccess.Held BODY = BodyAccess.plain(1 << 20).only(BodyFilter.JSON);

    /// @throws gateway.http.BodyRefusedException when it asks about a body that is not what it says it is
    boolean holds(Exchange exchange);

    /// Whether it asks about the path: then its API refuses `;` parameters there, unless its definition says otherwise.
    default boolean decidesByPath() {
        return false;
    }

    /// Whether it asks about the bodies of some requests, which the pipeline then has to hold before ([#BODY]).
    default boolean readsBody() {
        return false;
    }

    /// Whether it needs the body of this request: nothing else decides already that it does not hold.
    default boolean needsBody(Exchange exchange) {
        return readsBody();
    }
}
