package gateway.app.trace;

import gateway.http.Span;
import gateway.service.Tracer;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.common.export.RetryPolicy;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Duration;
import java.time.InstantSource;

/// Records spans and sends them to a collector by OTLP over HTTP. The ids are those that the data plane has chosen, so
/// the SDK's tracer, which makes its own, is not used: of the SDK these are the form of a span and its exporter.
public final class OtlpTracer implements Tracer, AutoCloseable {
    private static final RetryPolicy RETRIES = RetryPolicy.builder()
            .setMaxAttempts(3)
            .setInitialBackoff(Duration.ofMillis(200))
            .setMaxBackoff(Duration.ofSeconds(1))
            .build();

    private final Ratio ratio;
    private final InstantSource clock;
    private final SpanShipper shipper;
    private final RecordedSpan.Sink sink;

    private OtlpTracer(TraceSettings settings, InstantSource clock, SpanShipper shipper) {
        this.ratio = new Ratio(settings.ratio());
        this.clock = clock;
        this.shipper = shipper;
        this.sink = new RecordedSpan.Sink(resource(settings), shipper::offer);
    }

    /// Does not ask whether the collector is there: requests are served all the same.
    public static OtlpTracer start(TraceSettings settings, InstantSource clock) {
        var collector = new Collector(settings.endpoint().toString());
        return new OtlpTracer(settings, clock, SpanShipper.start(exporter(settings), collector, settings.timeout()));
    }

    @Override
    public boolean samples(String traceId) {
        return ratio.holds(traceId);
    }

    @Override
    public Span begin(String traceparent, String caller, long startedAt) {
        var time = TraceClock.at(clock, System.nanoTime());
        return RecordedSpan.ofRequest(sink, time, traceparent, caller, startedAt);
    }

    public SpanCounts counts() {
        return shipper.counts();
    }

    /// Sends what waits, for as long as one request may take, and drops the rest.
    @Override
    public void close() {
        shipper.close();
    }

    /// Gives up waiting for the collector after `most`, counted from now when closing has begun.
    public void hurry(Duration most) {
        shipper.hurry(most);
    }

    private static SpanExporter exporter(TraceSettings settings) {
        OtlpHttpSpanExporterBuilder exporter = OtlpHttpSpanExporter.builder()
                .setEndpoint(settings.endpoint().toString())
                .setCompression("gzip")
                .setConnectTimeout(settings.timeout())
                .setRetryPolicy(RETRIES)
                .setTimeout(settings.timeout());
        settings.headers().forEach((name, value) -> exporter.addHeader(name, value.reveal()));
        return exporter.build();
    }

    private static Resource resource(TraceSettings settings) {
        return Resource.create(Attributes.of(
                AttributeKey.stringKey("service.name"), settings.serviceName(),
                AttributeKey.stringKey("service.version"), settings.version(),
                AttributeKey.stringKey("service.instance.id"), settings.node(),
                AttributeKey.stringKey("host.name"), settings.node()));
    }
}
