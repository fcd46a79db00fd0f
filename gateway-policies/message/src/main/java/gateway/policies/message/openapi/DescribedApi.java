package gateway.policies.message.openapi;

import gateway.http.Exchange;
import gateway.http.PartialAnswers;
import gateway.http.Problem;
import gateway.http.Response;
import gateway.policy.Policy;
import gateway.policy.Verdict;
import java.util.List;
import java.util.Optional;

/// Lets pass what an OpenAPI document has.
///
/// @param request what becomes of requests that are not so
/// @param response what becomes of such answers
record DescribedApi(
        OperationTable operations,
        MessageChecks checks,
        BasePath basePath,
        UnknownPaths unknownPaths,
        SideMode request,
        SideMode response)
        implements Policy {
    @Override
    public Verdict apply(Exchange exchange) {
        List<String> segments = basePath.segments(exchange);
        Optional<DescribedPath> found = segments.isEmpty() ? Optional.empty() : operations.find(segments);
        if (found.isEmpty()) return unknown(exchange, unknownPath(exchange));
        Optional<DescribedOperation> operation = found.get().operation(exchange.method());
        if (operation.isEmpty()) return unknown(exchange, unknownMethod(exchange, found.get()));
        Optional<Response> refusal = request == SideMode.OFF
                ? Optional.empty()
                : checks.ofRequest(exchange, operation.get(), segments)
                        .map(problem -> problem.toResponse(exchange.requestId()));
        if (refusal.isPresent() && request == SideMode.ENFORCE) return Verdict.stop(refusal.get());
        if (refusal.isEmpty() && response == SideMode.OFF) return Verdict.proceed();
        if (response != SideMode.OFF) PartialAnswers.forgo(exchange.headers());
        return Verdict.proceed(new AnswerLook(this, exchange, operation, refusal));
    }

    private static Response unknownPath(Exchange exchange) {
        return Problem.of("not-found", 404, "Not found", "The API's document has no such path")
                .toResponse(exchange.requestId());
    }

    private static Response unknownMethod(Exchange exchange, DescribedPath path) {
        return Problem.of(
                        "method-not-allowed",
                        405,
                        "Method not allowed",
                        "The API's document does not have this path with this method")
                .toResponse(exchange.requestId())
                .with("Allow", path.methods());
    }

    private Verdict unknown(Exchange exchange, Response refusal) {
        if (unknownPaths == UnknownPaths.PASS) return Verdict.proceed();
        return switch (request) {
            case ENFORCE -> Verdict.stop(refusal);
            case REPORT -> Verdict.proceed(new AnswerLook(this, exchange, Optional.empty(), Optional.of(refusal)));
            case OFF -> Verdict.proceed();
        };
    }
}
