package gateway.policies.message.openapi;

import gateway.http.Exchange;
import gateway.http.Response;
import gateway.policy.Followup;
import java.util.Optional;

/// Looks at the answer to one request, and tells what is only reported of either.
final class AnswerLook implements Followup {
    private static final int NOT_MODIFIED = 304;

    private final DescribedApi api;
    private final Exchange exchange;
    private final Optional<DescribedOperation> operation;
    private Optional<Response> reported;

    /// @param operation that the document has; empty: it has none, so no answer either
    /// @param reported what the request would have been refused with
    AnswerLook(
            DescribedApi api, Exchange exchange, Optional<DescribedOperation> operation, Optional<Response> reported) {
        this.api = api;
        this.exchange = exchange;
        this.operation = operation;
        this.reported = reported;
    }

    @Override
    public Optional<Response> reported() {
        return reported;
    }

    @Override
    public boolean mayReportAnswer() {
        return api.response() == SideMode.REPORT;
    }

    @Override
    public Response onResponse(Response response) {
        reported = Optional.empty();
        if (api.response() == SideMode.OFF || passesOver(response)) return response;
        Optional<Response> refusal = operation
                .flatMap(each -> api.checks().ofAnswer(exchange, each, response))
                .map(problem -> problem.toResponse(exchange.requestId()));
        if (refusal.isEmpty()) return response;
        if (api.response() == SideMode.ENFORCE) return refusal.get();
        reported = refusal;
        return response;
    }

    /// Problems of the gateway's own, and those that say what the client has already.
    private static boolean passesOver(Response response) {
        return !response.reason().isEmpty() || response.status() == NOT_MODIFIED;
    }
}
