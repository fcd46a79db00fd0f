package gateway.app.proxy;

import gateway.capture.BodyCapture;
import gateway.capture.BodyRoom;
import gateway.capture.BodyRule;
import gateway.capture.CapturedBody;
import gateway.config.TrafficLogDefinition;
import gateway.http.Exchange;
import gateway.http.Outcome;
import gateway.route.Route;
import gateway.service.TrafficLog;
import gateway.service.TrafficRecord;
import gateway.wire.memory.Budget;
import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Hands the record of every request that has ended, and whose API wants it, to the traffic log. On the IO thread, so
/// it takes texts that are there and copies few.
final class TrafficTap {
    private static final int TRACE_ID = 3; // its place in `00-<32 digits>-…` (W3C Trace Context)
    private static final int TRACE_ID_END = 35;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final TrafficLog log;
    private final BodyRoom room;

    /// @param captures bounds the bodies on their way to the log
    TrafficTap(TrafficLog log, Budget captures) {
        this.log = log;
        this.room = new BodyRoom(captures.most());
        captures.countedBy(() -> captures.most() - room.free());
    }

    /// Nothing of the request's body has been read yet: has it kept when its API asks for that.
    void begun(ClientRequest request, @Nullable Route route) {
        RequestContent content = request.ownContent();
        if (route == null || content == null || content.length() == 0) return;
        BodyRule rule = route.api().trafficLog().request().body();
        if (rule.isOn()) content.capture(capture(rule, request.requestFields(), request, route));
    }

    /// The response with these fields is about to be sent: what keeps its body, or null.
    @Nullable
    BodyCapture answering(HeaderMap fields, ClientRequest request, @Nullable Route route) {
        if (route == null) return null;
        BodyRule rule = route.api().trafficLog().response().body();
        return rule.isOn() ? capture(rule, fields, request, route) : null;
    }

    private @Nullable BodyCapture capture(BodyRule rule, HeaderMap fields, ClientRequest request, Route route) {
        if (log.equals(TrafficLog.OFF)) return null;
        if (!route.api().trafficLog().records(request.exchange().requestId())) return null;
        return BodyCapture.of(
                rule,
                orEmpty(fields.getFirst(Headers.CONTENT_TYPE)),
                orEmpty(fields.getFirst(Headers.CONTENT_ENCODING)),
                room);
    }

    /// @param policy the policy that answered; null when none did
    /// @param reason why the gateway refused; empty when it did not
    /// @param reported what policies that only report would have refused
    /// @param response what [#answering] gave
    void ended(
            ClientRequest request,
            @Nullable Route route,
            long revision,
            @Nullable String policy,
            String reason,
            List<String> reported,
            @Nullable BodyCapture response,
            Outcome outcome) {
        if (log.equals(TrafficLog.OFF)) return;
        TrafficLogDefinition wanted =
                route == null ? TrafficLogDefinition.ON : route.api().trafficLog();
        if (!wanted.records(request.exchange().requestId())) return;
        log.record(new TrafficRecord(
                System.currentTimeMillis() - outcome.totalNanos() / NANOS_PER_MILLI,
                request(request),
                api(request, route, revision, policy, reason, reported),
                outcome,
                request.sent(),
                wanted.detail(
                        request.exchange().head().query(),
                        request.exchange().headers(),
                        request.responseHeaders(),
                        capturedRequest(request.ownContent()),
                        captured(response, request))));
    }

    private static CapturedBody capturedRequest(@Nullable RequestContent content) {
        return content == null ? CapturedBody.NONE : content.captured();
    }

    private static CapturedBody captured(@Nullable BodyCapture response, ClientRequest request) {
        if (response == null) return CapturedBody.NONE;
        return response.end(request.progress().content(), request.progress().isAnswered());
    }

    private static TrafficRecord.Request request(ClientRequest request) {
        HeaderMap fields = request.requestFields();
        Exchange exchange = request.exchange();
        return new TrafficRecord.Request(
                exchange.requestId(),
                exchange.method(),
                exchange.host(),
                exchange.rawPath(),
                exchange.clientAddress(),
                orEmpty(fields.getFirst(Headers.USER_AGENT)),
                traceId(fields.getFirst(RequestFields.TRACEPARENT)),
                request.received(),
                request.transaction().version().number());
    }

    private static TrafficRecord.Api api(
            ClientRequest request,
            @Nullable Route route,
            long revision,
            @Nullable String policy,
            String reason,
            List<String> reported) {
        Exchange exchange = request.exchange();
        return new TrafficRecord.Api(
                exchange.api(),
                route == null ? "" : route.api().name(),
                exchange.version(),
                revision,
                request.upstream(),
                orEmpty(policy),
                reason,
                reported,
                exchange.labels(),
                exchange.caller());
    }

    private static String traceId(@Nullable String parent) {
        return parent == null || parent.length() < TRACE_ID_END ? "" : parent.substring(TRACE_ID, TRACE_ID_END);
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
