package gateway.pipeline;

import gateway.http.BodyRefusedException;
import gateway.http.BodyTooLargeException;
import gateway.http.Exchange;
import gateway.http.Problem;
import gateway.http.RefusalException;
import gateway.http.Response;
import gateway.http.UpstreamException;
import gateway.service.WorkersBusyException;

/// What the gateway answers when the upstream gave no answer, or a body is too large (RFC 9457). The client is told the
/// kind of failure, the record more.
public final class FailureAnswers {
    private static final String POLICY_BUSY = "policy-busy";
    private static final String AUTHENTICATION_BUSY = "authentication-busy"; // as policies say it of passwords

    private FailureAnswers() {}

    public static Response unanswered(UpstreamException why, Exchange exchange) {
        return told(why.kind(), exchange).because(why.reason().refusal());
    }

    private static Response told(UpstreamException.Kind kind, Exchange exchange) {
        return switch (kind) {
            case CLIENT_SLOW ->
                problem(exchange, "request-timeout", 408, "Request timeout", "The request did not come whole in time");
            case UNREACHABLE ->
                problem(exchange, "upstream-unreachable", 502, "Bad gateway", "The upstream refused the connection");
            case FORBIDDEN ->
                problem(exchange, "upstream-forbidden", 502, "Bad gateway", "The upstream's address may not be called");
            case BROKEN ->
                problem(exchange, "upstream-broken", 502, "Bad gateway", "The upstream broke off before it answered");
            case MALFORMED ->
                problem(exchange, "upstream-malformed", 502, "Bad gateway", "The upstream's answer is not valid HTTP");
            case TIMEOUT, CLIENT_DEADLINE ->
                problem(exchange, "upstream-timeout", 504, "Gateway timeout", "The upstream did not answer in time");
            case OVERLOADED ->
                problem(exchange, "no-room", 503, "Service unavailable", "Too much is held for other requests")
                        .with("Retry-After", "1");
            case UNAVAILABLE, CLIENT_GONE ->
                problem(
                                exchange,
                                "upstream-unavailable",
                                503,
                                "Service unavailable",
                                "No upstream target can take the request")
                        .with("Retry-After", "1");
        };
    }

    /// Why what the client sends goes no further: mostly since a policy cannot see it.
    static Response requestUnseen(RefusalException why, Exchange exchange) {
        return switch (why) {
            case BodyTooLargeException e -> requestTooLarge(e, exchange);
            case BodyRefusedException e -> requestRefused(e, exchange);
            case WorkersBusyException _ -> policyBusy(exchange);
            default -> throw why;
        };
    }

    /// The client sends more than it may, or than a policy may hold.
    private static Response requestTooLarge(BodyTooLargeException e, Exchange exchange) {
        return problem(
                exchange,
                "body-too-large",
                413,
                "Content too large",
                "The body is larger than " + e.limit() + " bytes");
    }

    /// A policy is to see what the client sends, and it cannot be read.
    private static Response requestRefused(BodyRefusedException e, Exchange exchange) {
        var kind = e.kind();
        Response response =
                problem(exchange, kind.type(), kind.status(), kind.title(), "The body is " + e.getMessage());
        return e.accepted().isEmpty() ? response : response.with("Accept-Encoding", e.accepted());
    }

    /// The same as [#requestUnseen] of what the upstream sends.
    static Response answerUnseen(RefusalException why, Exchange exchange) {
        return switch (why) {
            case BodyTooLargeException e -> answerTooLarge(e, exchange);
            case BodyRefusedException e -> answerRefused(e, exchange);
            case WorkersBusyException _ -> policyBusy(exchange);
            default -> throw why;
        };
    }

    /// A policy is to see what the upstream sends, and it cannot be read.
    private static Response answerRefused(BodyRefusedException e, Exchange exchange) {
        return problem(exchange, "response-refused", 502, "Bad gateway", "The upstream's answer is " + e.getMessage())
                .because(
                        switch (e.kind()) {
                            case CODING -> "response-coding";
                            case TYPE, MALFORMED -> "response-malformed";
                            case TOO_COMPLEX -> "response-too-complex";
                        });
    }

    /// The upstream sends more than a policy on the way back may hold: not the client's fault.
    private static Response answerTooLarge(BodyTooLargeException e, Exchange exchange) {
        return problem(
                        exchange,
                        "response-refused",
                        502,
                        "Bad gateway",
                        "The upstream's answer is larger than the " + e.limit() + " bytes that a policy may hold")
                .because("response-too-large");
    }

    /// No worker was free for a policy in time.
    static Response policyBusy(Exchange exchange) {
        return problem(
                        exchange,
                        POLICY_BUSY,
                        503,
                        "Service unavailable",
                        "Too many requests wait for a policy of this API")
                .with("Retry-After", "1");
    }

    /// Whether a request was refused since there are too few workers for what its API is asked.
    public static boolean wantWorkers(Response refusal) {
        return refusal.reason().equals(POLICY_BUSY) || refusal.reason().equals(AUTHENTICATION_BUSY);
    }

    /// What a request gets when code breaks, as an explanation of one tells it.
    static Response broken(Exchange exchange) {
        return problem(exchange, "internal-error", 500, "Internal error", "The gateway failed on this request");
    }

    private static Response problem(Exchange exchange, String type, int status, String title, String detail) {
        return Problem.of(type, status, title, detail).toResponse(exchange.requestId());
    }
}
