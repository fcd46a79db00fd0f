package gateway.policies.identity;

import gateway.http.Exchange;
import gateway.http.Problem;
import gateway.policies.cryptography.TokenFlaw;
import gateway.policies.standard.CredentialRefusal;
import gateway.policy.Verdict;

/// The answers to requests whose token is missing or no good (RFC 6750 §3).
///
/// @param plain without an error
/// @param invalid with the error of a token that is no good
record BearerChallenge(String plain, String invalid) {
    static BearerChallenge of(String realm) {
        String plain = "Bearer realm=\"" + realm + '"';
        return new BearerChallenge(plain, plain + ", error=\"invalid_token\"");
    }

    Verdict missing(Exchange exchange) {
        return CredentialRefusal.unauthenticated(exchange, plain, "The token is missing");
    }

    Verdict refused(Exchange exchange, TokenFlaw flaw) {
        return CredentialRefusal.unauthenticated(exchange, invalid, "The token is " + flaw.told());
    }

    /// A server behind the gateway might take the other one.
    static Verdict ambiguous(Exchange exchange) {
        return Verdict.stop(Problem.of("ambiguous-credentials", 400, "Bad request", "The request has several tokens")
                .toResponse(exchange.requestId()));
    }
}
