package gateway.app.proxy;

import gateway.http.Exchange;
import gateway.http.Problem;
import gateway.http.Response;
import gateway.wire.client.StreamedBody;
import io.undertow.util.StatusCodes;

/// An answer that the upstream broke off before anything of it was passed on: nobody knows of its head, so the client
/// is told that there is none. Once something was passed on, all that is left is to cut it (RFC 9110 §6.1). See
/// decision 238.
final class BrokenAnswer {
    private BrokenAnswer() {}

    /// Whether `answer` is one, as it is about to leave. On the IO thread.
    static boolean is(Response answer) {
        return answer.body() instanceof StreamedBody body && body.upstreamFailed();
    }

    static Response told(Exchange exchange) {
        return Problem.of(
                        "upstream-broken",
                        StatusCodes.BAD_GATEWAY,
                        "Bad gateway",
                        "The upstream broke off before it answered")
                .toResponse(exchange.requestId());
    }
}
