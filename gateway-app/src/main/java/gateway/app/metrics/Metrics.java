package gateway.app.metrics;

import gateway.app.server.RequestObserver;
import gateway.app.traffic.TrafficCounts;
import gateway.snapshot.LiveSnapshot;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/// The process's meters, read as Prometheus text.
public final class Metrics implements AutoCloseable {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final List<Object> kept = new CopyOnWriteArrayList<>(); // meters themselves hold what they read weakly
    private final List<Runnable> atScrape = new CopyOnWriteArrayList<>();
    private final JvmGcMetrics collector = new JvmGcMetrics();
    private final AtomicBoolean watchingJvm = new AtomicBoolean();
    private final RequestMetrics requests;

    /// @param live whose revision and APIs are told
    public Metrics(LiveSnapshot live) {
        requests = new RequestMetrics(registry, live);
        Gauge.builder(MeterNames.REVISION, live, l -> l.current().revision())
                .description("revision of the definitions that are served")
                .register(registry);
        Gauge.builder(MeterNames.APIS, live, l -> l.current().apis().size())
                .description("APIs that are known")
                .register(registry);
    }

    public MeterRegistry registry() {
        return registry;
    }

    /// Counts the data plane's requests.
    public RequestObserver requests() {
        return requests;
    }

    /// Begins to watch the JVM too, at the latest when first asked. Apart, since it costs a tenth of a start's CPU time
    /// and can wait until the gateway serves.
    public void watchJvm() {
        if (!watchingJvm.compareAndSet(false, true)) return;
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        collector.bindTo(registry);
    }

    public void tellTraffic(Supplier<TrafficCounts> counts) {
        kept.add(counts);
        new TrafficMetrics(counts).bindTo(registry);
    }

    /// @param expiries by the certificate's name; asked at every scrape
    public void tellCertificates(Supplier<Map<String, Instant>> expiries) {
        MultiGauge gauges = MultiGauge.builder(MeterNames.CERTIFICATE_EXPIRY)
                .description("when certificates of the TLS listener expire, in seconds since 1970")
                .register(registry);
        atScrape.add(() -> gauges.register(
                expiries.get().entrySet().stream()
                        .map(each -> MultiGauge.Row.of(Tags.of(MeterNames.CERTIFICATE, each.getKey()), (Number)
                                each.getValue().getEpochSecond()))
                        .toList(),
                true));
    }

    public void tellInFlight(IntSupplier inFlight) {
        Gauge.builder(MeterNames.IN_FLIGHT, inFlight::getAsInt)
                .description("requests under way")
                .register(registry);
    }

    /// All meters in Prometheus's text format, version 0.0.4.
    public String scrape() {
        watchJvm();
        requests.forgetGone();
        atScrape.forEach(Runnable::run);
        return registry.scrape();
    }

    @Override
    public void close() {
        collector.close();
        registry.close();
    }
}
