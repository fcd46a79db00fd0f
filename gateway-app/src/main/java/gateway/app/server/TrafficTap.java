package gateway.app.server;

import gateway.config.TrafficLogDefinition;
import gateway.http.Outcome;
import gateway.route.Route;
import gateway.service.TrafficLog;
import gateway.service.TrafficRecord;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import org.jspecify.annotations.Nullable;

/// Hands the record of every request that has ended, and whose API wants it, to the traffic log. On the IO thread, so
/// it takes texts that are there and copies few.
final class TrafficTap {
    private static final int TRACE_ID = 3; // its place in `00-<32 digits>-…` (W3C Trace Context)
    private static final int TRACE_ID_END = 35;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final TrafficLog log;

    TrafficTap(TrafficLog log) {
        this.log = log;
    }

    /// @param policy the policy that answered; null when none did
    void ended(
            HttpServerExchange undertow,
            UndertowExchange exchange,
            @Nullable Route route,
            long revision,
            @Nullable String policy,
            Outcome outcome) {
        if (log.equals(TrafficLog.OFF)) return;
        TrafficLogDefinition wanted =
                route == null ? TrafficLogDefinition.ON : route.api().trafficLog();
        if (!wanted.records(exchange.requestId())) return;
        log.record(new TrafficRecord(
                System.currentTimeMillis() - outcome.totalNanos() / NANOS_PER_MILLI,
                request(undertow, exchange),
                api(exchange, route, revision, policy),
                outcome,
                undertow.getResponseBytesSent(),
                wanted.detail(undertow.getQueryString(), exchange.headers(), exchange.responseHeaders())));
    }

    private static TrafficRecord.Request request(HttpServerExchange undertow, UndertowExchange exchange) {
        HeaderMap fields = undertow.getRequestHeaders();
        return new TrafficRecord.Request(
                exchange.requestId(),
                exchange.method(),
                exchange.host(),
                exchange.rawPath(),
                exchange.clientAddress(),
                orEmpty(fields.getFirst(Headers.USER_AGENT)),
                traceId(fields.getFirst(RequestFields.TRACEPARENT)),
                exchange.streamingLength());
    }

    private static TrafficRecord.Api api(
            UndertowExchange exchange, @Nullable Route route, long revision, @Nullable String policy) {
        return new TrafficRecord.Api(
                exchange.api(),
                route == null ? "" : route.api().name(),
                revision,
                exchange.upstream(),
                orEmpty(policy),
                exchange.consumer());
    }

    private static String traceId(@Nullable String parent) {
        return parent == null || parent.length() < TRACE_ID_END ? "" : parent.substring(TRACE_ID, TRACE_ID_END);
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
