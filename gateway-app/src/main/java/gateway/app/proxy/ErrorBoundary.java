package gateway.app.proxy;

import static gateway.app.log.LogFields.about;
import static gateway.app.log.LogFields.after;

import gateway.app.log.Pace;
import gateway.http.BodyTooLargeException;
import gateway.http.Exchange;
import gateway.http.Problem;
import gateway.http.Response;
import gateway.http.UpstreamException;
import gateway.pipeline.PipelineRun;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Where everything unexpected in a request ends: counted, answered with 500 under the request's id, and logged, once
/// a second for each kind of failure, since a client may repeat what broke something.
final class ErrorBoundary {
    private static final Logger LOG = LoggerFactory.getLogger(ErrorBoundary.class);

    private final LongAdder failures = new LongAdder();
    private final Pace pace = Pace.ofOneASecond();

    /// The answer to what a pipeline threw; null when nobody is there to read one.
    @Nullable
    Response answer(Throwable thrown, Exchange exchange) {
        String requestId = exchange.requestId();
        return switch (thrown) {
            case UpstreamException e when e.kind() == UpstreamException.Kind.CLIENT_GONE -> null;
            case UpstreamException e ->
                Problem.of(
                                "upstream-failed",
                                e.kind().status(),
                                "The upstream gave no answer",
                                String.valueOf(e.getMessage()))
                        .toResponse(requestId);
            case BodyTooLargeException e ->
                Problem.of("body-too-large", 413, "Content too large", "At most " + e.limit() + " bytes are allowed")
                        .toResponse(requestId);
            default -> unexpected(thrown, exchange);
        };
    }

    private Response unexpected(Throwable thrown, Exchange exchange) {
        note(thrown, exchange);
        return Problem.of("internal-error", 500, "Internal error", "The gateway failed on this request")
                .toResponse(exchange.requestId());
    }

    /// Something broke where no answer can be given any more.
    void note(Throwable thrown, Exchange exchange) {
        note(thrown, "a request failed", exchange);
    }

    /// A policy broke, and the pipeline has made an answer of that.
    void note(PipelineRun.Breakage breakage, Exchange exchange) {
        String headline = breakage.step().isEmpty()
                ? "a request of API " + exchange.api() + " failed"
                : "policy " + breakage.step() + " of API " + exchange.api() + " failed";
        note(breakage.why(), headline, exchange);
    }

    private void note(Throwable thrown, String headline, Exchange exchange) {
        failures.increment();
        long suppressed = pace.enter(thrown.getClass().getName() + ' ' + exchange.api());
        if (suppressed == Pace.SUPPRESSED) return;
        after(suppressed, about(LOG.atError(), exchange.requestId(), exchange.api()))
                .setCause(thrown)
                .log(headline);
    }

    /// Requests that failed unexpectedly since the start.
    long failures() {
        return failures.sum();
    }
}
