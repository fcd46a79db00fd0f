package gateway.app.server;

import gateway.http.BodyTooLargeException;
import gateway.http.Problem;
import gateway.http.Response;
import gateway.service.UpstreamException;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Where everything unexpected in a request ends: logged once, counted, and answered with 500 under the request's id.
final class ErrorBoundary {
    private static final Logger LOG = LoggerFactory.getLogger(ErrorBoundary.class);

    private final LongAdder failures = new LongAdder();

    /// The answer to what a pipeline threw; null when nobody is there to read one.
    @Nullable
    Response answer(Throwable thrown, String requestId) {
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
            default -> unexpected(thrown, requestId);
        };
    }

    private Response unexpected(Throwable thrown, String requestId) {
        note(thrown, requestId);
        return Problem.of("internal-error", 500, "Internal error", "The gateway failed on this request")
                .toResponse(requestId);
    }

    /// Something broke where no answer can be given any more.
    void note(Throwable thrown, String requestId) {
        failures.increment();
        LOG.error("request {} failed", requestId, thrown);
    }

    /// Requests that failed unexpectedly since the start.
    long failures() {
        return failures.sum();
    }
}
