package gateway.policies.message.openapi;

import gateway.http.Exchange;
import gateway.http.Problem;
import gateway.http.Response;
import gateway.policy.Policy;
import gateway.policy.Verdict;
import java.util.List;
import java.util.Optional;

/// Lets pass what an OpenAPI document has.
///
/// @param basePath before the paths of the document; empty: they are those below the API
/// @param request what becomes of requests that are not so
/// @param response what becomes of such answers
record DescribedApi(
        OperationTable operations,
        MessageChecks checks,
        Optional<String> basePath,
        UnknownPaths unknownPaths,
        SideMode request,
        SideMode response)
        implements Policy {
    @Override
    public Verdict apply(Exchange exchange) {
        Optional<String> path = path(exchange);
        List<String> segments = path.map(DescribedApi::segments).orElse(List.of());
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
        return Verdict.proceed(new AnswerLook(this, exchange, operation, refusal));
    }

    private Optional<String> path(Exchange exchange) {
        if (basePath.isEmpty()) return Optional.of(exchange.pathInApi());
        String base = basePath.get();
        String path = exchange.path();
        if (!path.startsWith(base)) return Optional.empty();
        if (path.length() == base.length()) return Optional.of("/");
        return path.charAt(base.length()) == '/' ? Optional.of(path.substring(base.length())) : Optional.empty();
    }

    private static List<String> segments(String path) {
        return List.of(path.substring(1).split("/", -1));
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
