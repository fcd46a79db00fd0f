package gateway.app.proxy;

import gateway.http.Exchange;
import gateway.http.Outcome;
import gateway.http.Span;
import gateway.route.Route;
import gateway.service.Tracer;
import io.undertow.util.HeaderMap;
import org.jspecify.annotations.Nullable;

/// The span of each request whose trace is recorded: begun when its fields are prepared, ended with the exchange.
/// Queries are left out: they may carry credentials.
final class RequestSpans {
    private static final int SPAN_ID = 36; // its place in `00-<32 digits>-<16 digits>-<2 digits>`
    private static final int SPAN_ID_END = 52;
    private static final int FLAGS_END = 55;
    private static final String OTHER = "_OTHER";

    private final @Nullable Tracer tracer;

    /// @param tracer null when nothing is traced
    RequestSpans(@Nullable Tracer tracer) {
        this.tracer = tracer;
    }

    boolean areOff() {
        return tracer == null;
    }

    /// Whether a trace that begins here is recorded. What is not traced here at all goes on as sampled: others may.
    boolean samples(String traceId) {
        return tracer == null || tracer.samples(traceId);
    }

    /// @param sent the believed `traceparent` as it came; null when there was none
    /// @param startedAt by `System.nanoTime()`
    /// @return null when the trace is not recorded
    @Nullable
    Span begin(HeaderMap fields, @Nullable String sent, long startedAt) {
        if (tracer == null) return null;
        String own = fields.getFirst(RequestFields.TRACEPARENT);
        if (own == null || !isSampled(own)) return null;
        return tracer.begin(own, sent == null ? "" : sent.substring(SPAN_ID, SPAN_ID_END), startedAt);
    }

    private static boolean isSampled(String traceparent) {
        return (Character.digit(traceparent.charAt(FLAGS_END - 1), 16) & 1) == 1;
    }

    /// @param policy the policy that answered; null when none did
    static void end(Span span, Exchange exchange, @Nullable Route route, @Nullable String policy, Outcome outcome) {
        String method = method(exchange.method());
        span.set("http.request.method", method);
        if (method.equals(OTHER)) span.set("http.request.method_original", exchange.method());
        if (route != null) {
            span.rename(name(method) + ' ' + route.path().toString());
            span.set("http.route", route.path().toString());
            span.set("gateway.api", route.api().id());
        } else span.rename(name(method));
        span.set("url.path", exchange.rawPath());
        span.set("url.scheme", exchange.scheme());
        span.set("server.address", exchange.host());
        span.set("client.address", exchange.clientAddress().getHostAddress());
        span.set("http.request.id", exchange.requestId());
        exchange.headers().first("User-Agent").ifPresent(agent -> span.set("user_agent.original", agent));
        if (policy != null) span.set("gateway.policy", policy);
        status(span, outcome);
        span.end();
    }

    /// A client's own mistakes are no failure of the server (OpenTelemetry's HTTP conventions).
    private static void status(Span span, Outcome outcome) {
        span.set("http.response.status_code", outcome.status());
        if (outcome.grpcStatus() != Outcome.NO_GRPC) span.set("rpc.grpc.status_code", outcome.grpcStatus());
        if (outcome.ending() != Outcome.Ending.COMPLETE)
            span.fail(outcome.ending().word().replace('-', '_'));
        else if (outcome.status() >= 500) span.fail(Integer.toString(outcome.status()));
        else if (Grpc.isServersFault(outcome.grpcStatus())) span.fail(Integer.toString(outcome.grpcStatus()));
    }

    private static String method(String sent) {
        return switch (sent) {
            case "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH" -> sent;
            default -> OTHER;
        };
    }

    private static String name(String method) {
        return method.equals(OTHER) ? "HTTP" : method;
    }
}
