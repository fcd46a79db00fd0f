package gateway.pipeline;

import gateway.http.Exchange;
import gateway.http.Response;
import gateway.http.Span;
import gateway.http.Span.Kind;
import gateway.http.UpstreamException;
import gateway.http.UpstreamWaiter;
import gateway.service.Upstream;
import java.net.URI;
import java.util.Locale;

/// The calls that leave the process, each in a span of its own. Only for requests whose trace is recorded.
final class Traced {
    private Traced() {}

    /// The stretch of a policy that calls out.
    static Span policy(Span request, String step) {
        Span span = request.begin(Kind.INTERNAL, "policy " + step);
        span.set("gateway.policy", step);
        return span;
    }

    /// Asks the upstream, which learns of this stretch as its caller. Ends with the response head: the body streams on
    /// within the span of the request.
    static Response send(Upstream upstream, Exchange exchange, UpstreamWaiter waiter, Span request) {
        Span span = request.begin(Kind.CLIENT, exchange.outgoing().method());
        exchange.outgoing().headers().set("traceparent", span.traceparent());
        try {
            Response response = upstream.send(exchange, waiter);
            span.set("http.response.status_code", response.status());
            if (response.status() >= 400) span.fail(Integer.toString(response.status()));
            return response;
        } catch (UpstreamException e) {
            span.fail(e.kind().name().toLowerCase(Locale.ROOT));
            throw e;
        } catch (RuntimeException e) {
            span.fail(e.getClass().getName());
            throw e;
        } finally {
            describe(span, exchange, waiter.upstream());
            span.end();
        }
    }

    private static void describe(Span span, Exchange exchange, String location) {
        span.set("http.request.method", exchange.outgoing().method());
        span.set("gateway.api", exchange.api());
        if (location.isEmpty()) return;
        URI target = URI.create(location);
        if (target.getHost() != null) span.set("server.address", target.getHost());
        if (target.getPort() > 0) span.set("server.port", target.getPort());
        span.set("url.scheme", String.valueOf(target.getScheme()));
    }
}
