package gateway.policies.standard;

import gateway.http.Exchange;
import gateway.http.Problem;
import gateway.policy.Verdict;

/// The answers by which policies turn a request away.
public final class CredentialRefusal {
    private CredentialRefusal() {}

    /// 401 with a challenge (RFC 9110 §11.6.1).
    public static Verdict unauthenticated(Exchange exchange, String challenge, String detail) {
        return Verdict.stop(Problem.of("unauthenticated", 401, "Authentication required", detail)
                .toResponse(exchange.requestId())
                .with("WWW-Authenticate", challenge));
    }

    /// 403: who calls is known or does not matter; it is not allowed.
    public static Verdict forbidden(Exchange exchange, String detail) {
        return Verdict.stop(Problem.of("forbidden", 403, "Forbidden", detail).toResponse(exchange.requestId()));
    }
}
