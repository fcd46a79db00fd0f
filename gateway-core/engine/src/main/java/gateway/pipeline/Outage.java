package gateway.pipeline;

import gateway.http.Exchange;
import gateway.http.Problem;
import gateway.http.Response;
import gateway.service.DependencyException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The answer when something the gateway depends on is away and a policy says deny.
final class Outage {
    private static final Logger LOG = LoggerFactory.getLogger(Outage.class);

    private Outage() {}

    /// Says which policy went without what; at debug level, since the adapters say once that they are away.
    static void tell(DependencyException why, String step, Exchange exchange) {
        if (!LOG.isDebugEnabled()) return;
        LOG.atDebug()
                .addKeyValue("http.request.id", exchange.requestId())
                .addKeyValue("gateway.api", exchange.api())
                .log("policy {} goes by its onOutage: {}", step, why.getMessage());
    }

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
