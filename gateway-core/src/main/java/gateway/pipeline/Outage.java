package gateway.pipeline;

import gateway.http.Exchange;
import gateway.http.Problem;
import gateway.http.Response;

/// The answer when something the gateway depends on is away and a policy says deny.
final class Outage {
    private Outage() {}

    static Response response(Exchange exchange) {
        return Problem.of(
                        "dependency-unavailable",
                        503,
                        "Service unavailable",
                        "A service that the gateway needs to decide on this request does not answer")
                .toResponse(exchange.requestId())
                .with("Retry-After", "1");
    }
}
