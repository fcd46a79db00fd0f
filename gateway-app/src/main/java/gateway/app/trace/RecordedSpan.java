package gateway.app.trace;

import gateway.http.Span;
import gateway.service.Excerpt;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

/// A span that is handed over when it ends.
final class RecordedSpan implements Span {
    private static final int TRACE_ID = 3; // places in `00-<32 digits>-<16 digits>-<2 digits>`
    private static final int TRACE_ID_END = 35;
    private static final int SPAN_ID = 36;
    private static final int SPAN_ID_END = 52;
    private static final int FLAGS = 53;

    private final Sink sink;
    private final TraceClock clock;
    private final SpanContext context;
    private final SpanContext parent;
    private final SpanKind kind;
    private final long startedAt;
    private final AttributesBuilder attributes = Attributes.builder();
    private String name;
    private StatusData status = StatusData.unset();
    private boolean ended;

    /// Where ended spans go, and whose they are.
    record Sink(Resource resource, Consumer<SpanData> to) {}

    private RecordedSpan(
            Sink sink,
            TraceClock clock,
            SpanContext context,
            SpanContext parent,
            SpanKind kind,
            String name,
            long startedAt) {
        this.sink = sink;
        this.clock = clock;
        this.context = context;
        this.parent = parent;
        this.kind = kind;
        this.name = name;
        this.startedAt = startedAt;
    }

    /// The span of a request, see [gateway.service.Tracer#begin].
    static RecordedSpan ofRequest(Sink sink, TraceClock clock, String traceparent, String caller, long startedAt) {
        String traceId = traceparent.substring(TRACE_ID, TRACE_ID_END);
        var flags = TraceFlags.fromHex(traceparent, FLAGS);
        SpanContext own = context(traceId, traceparent.substring(SPAN_ID, SPAN_ID_END), flags);
        SpanContext parent = caller.isEmpty()
                ? SpanContext.getInvalid()
                : SpanContext.createFromRemoteParent(traceId, caller, flags, TraceState.getDefault());
        return new RecordedSpan(sink, clock, own, parent, SpanKind.SERVER, "HTTP", startedAt);
    }

    @Override
    public Span begin(Kind within, String title) {
        String id = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong() | 1);
        SpanContext own = context(context.getTraceId(), id, context.getTraceFlags());
        return new RecordedSpan(sink, clock, own, context, kind(within), title, System.nanoTime());
    }

    @Override
    public void rename(String title) {
        name = title;
    }

    @Override
    public void set(String attribute, String value) {
        attributes.put(attribute, Excerpt.of(value));
    }

    @Override
    public void set(String attribute, long value) {
        attributes.put(attribute, value);
    }

    @Override
    public void fail(String type) {
        status = StatusData.error();
        attributes.put("error.type", type);
    }

    @Override
    public String traceparent() {
        return "00-" + context.getTraceId() + '-' + context.getSpanId() + '-'
                + context.getTraceFlags().asHex();
    }

    @Override
    public void end() {
        if (ended) return;
        ended = true;
        sink.to()
                .accept(new EndedSpan(
                        name,
                        kind,
                        context,
                        parent,
                        status,
                        clock.time(startedAt),
                        clock.time(System.nanoTime()),
                        attributes.build(),
                        sink.resource()));
    }

    private static SpanContext context(String traceId, String spanId, TraceFlags flags) {
        return SpanContext.create(traceId, spanId, flags, TraceState.getDefault());
    }

    private static SpanKind kind(Kind kind) {
        return switch (kind) {
            case SERVER -> SpanKind.SERVER;
            case INTERNAL -> SpanKind.INTERNAL;
            case CLIENT -> SpanKind.CLIENT;
        };
    }
}
