package gateway.app.metrics;

import gateway.service.ApiMeters;
import gateway.service.Refresher;
import gateway.service.Workers;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The process's meters: read as Prometheus text, and told to receivers where the settings name some.
public final class Metrics implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Metrics.class);
    private static final Duration OTLP_PATIENCE = Duration.ofSeconds(3);

    private final MetricsSettings settings;
    private final PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final MeterRegistry registry;
    private final Readings readings;
    private final ApiMeterTable apis;
    private final ExecutorService writer = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("metrics-text").factory());
    private final AtomicBoolean watchingJvm = new AtomicBoolean();
    private final List<AutoCloseable> parts = new CopyOnWriteArrayList<>();
    private final List<Consumer<Duration>> hurries = new CopyOnWriteArrayList<>();
    private final List<Runnable> refreshed = new CopyOnWriteArrayList<>();

    private Metrics(MetricsSettings settings, Supplier<Set<String>> known, String version) {
        this.settings = settings;
        Optional<OtlpExport> otlp = settings.otlp().map(receiver -> new OtlpExport(receiver, OTLP_PATIENCE));
        this.registry = otlp.<MeterRegistry>map(export -> with(export.registry(settings, version)))
                .orElse(prometheus);
        otlp.ifPresent(export -> hurries.add(export::hurry));
        this.readings = new Readings(registry);
        this.apis = new ApiMeterTable(registry, known, settings.apis());
    }

    /// Begins to count, and to tell receivers where there are some.
    ///
    /// @param known ids of the APIs that are served now; the meters of others are forgotten
    public static Metrics start(MetricsSettings settings, Supplier<Set<String>> known, String version) {
        var metrics = new Metrics(settings, known, version);
        if (settings.otlp().isPresent() || settings.statsd().isPresent()) metrics.tellReceivers();
        return metrics;
    }

    private void tellReceivers() {
        Optional<StatsdExport> statsd = settings.statsd().map(receiver -> StatsdExport.open(receiver, prometheus));
        statsd.ifPresent(parts::add);
        Ticker ticker = Ticker.start(settings.interval(), () -> {
            prepare();
            statsd.ifPresent(StatsdExport::tell);
        });
        parts.add(ticker);
        hurries.add(ticker::hurry);
    }

    private MeterRegistry with(MeterRegistry other) {
        return new CompositeMeterRegistry(Clock.SYSTEM, List.of(prometheus, other));
    }

    public MeterRegistry registry() {
        return registry;
    }

    /// What counts the requests and verdicts of an API.
    public ApiMeters of(String api) {
        return apis.of(api);
    }

    /// What counts the requests that no API serves.
    public ApiMeters unrouted() {
        return apis.of(ApiMeterTable.NONE);
    }

    /// Begins to watch the JVM too, at the latest when first asked. Apart, since it costs a tenth of a start's CPU time
    /// and can wait until the gateway serves.
    public void watchJvm() {
        if (!watchingJvm.compareAndSet(false, true)) return;
        parts.add(new JvmMetrics(readings));
        if (settings.pinned()) parts.add(new PinnedThreads(registry));
    }

    /// What adapters tell their own meters by.
    public Readings readings() {
        return readings;
    }

    /// How many APIs stand under their own id.
    public int apis() {
        return settings.apis();
    }

    /// Has `refresh` run whenever meters are read.
    public void refreshedBy(Runnable refresh) {
        refreshed.add(refresh);
    }

    /// @param expiries by the certificate's name; asked whenever meters are read
    public void tellCertificates(Supplier<Map<String, Instant>> expiries) {
        MultiGauge gauges = MultiGauge.builder(MeterNames.CERTIFICATE_EXPIRY)
                .description("when certificates of the TLS listener expire, in seconds since 1970")
                .register(registry);
        refreshed.add(() -> gauges.register(
                expiries.get().entrySet().stream()
                        .map(each -> MultiGauge.Row.of(Tags.of(MeterNames.CERTIFICATE, each.getKey()), (Number)
                                each.getValue().getEpochSecond()))
                        .toList(),
                true));
    }

    /// Tells how many attempts to serve other definitions had `outcome`.
    public void tellReloads(String outcome, LongSupplier count) {
        readings.counter(
                MeterNames.RELOADS,
                "attempts to serve other definitions",
                count::getAsLong,
                MeterNames.OUTCOME,
                outcome);
    }

    /// Tells of administrative writes that are done and missing in the audit log.
    ///
    /// @param missed all of them, since the start
    /// @param dropped of these, those that are no longer tried
    /// @param waiting of these, those that are not written yet
    public void tellAudit(LongSupplier missed, LongSupplier dropped, IntSupplier waiting) {
        readings.counter(
                MeterNames.AUDIT_MISSED, "writes whose entry the audit log did not take at once", missed::getAsLong);
        readings.counter(MeterNames.AUDIT_DROPPED, "entries of the audit log that were given up", dropped::getAsLong);
        readings.gauge(MeterNames.AUDIT_WAITING, "entries that wait to be written to the audit log", waiting::getAsInt);
    }

    /// Tells what the threads for long work do.
    public void tellWorkers(Workers workers) {
        readings.gauge(MeterNames.WORKERS_RUNNING, "workers that are at work", workers::running);
        readings.gauge(MeterNames.WORKERS_LIMIT, "workers there may be", workers::most);
        readings.gauge(MeterNames.WORKERS_WAITING, "work that waits for a worker", workers::waiting);
        readings.counter(MeterNames.WORKERS_TAKEN, "work that a worker has taken", workers::taken);
        readings.counter(
                MeterNames.WORKERS_WAITED, "time that it has waited before", () -> workers.waitedNanos() / 1e9);
        readings.counter(MeterNames.WORKERS_REFUSED, "work that no worker took in time", workers::refused);
    }

    /// Tells of what is loaded anew from time to time.
    public void tellRefresher(Refresher refresher) {
        readings.counter(MeterNames.REFRESH_LOADS, "loads of what policies want anew", refresher::loads);
        readings.counter(MeterNames.REFRESH_FAILURES, "such loads that have failed", refresher::failures);
    }

    /// All meters in Prometheus's text format, version 0.0.4.
    ///
    /// Written by a platform thread: on a virtual one the buffer of the JDK's `BufferedWriter` begins small and
    /// grows by what the next word needs, some 13 MB of copies for one answer.
    public String scrape() {
        prepare();
        return CompletableFuture.supplyAsync(prometheus::scrape, writer).join();
    }

    private void prepare() {
        watchJvm();
        apis.forgetGone();
        refreshed.forEach(Runnable::run);
    }

    /// Lets the end wait no longer than `most` for each receiver.
    public void hurry(Duration most) {
        hurries.forEach(hurry -> hurry.accept(most));
    }

    @Override
    public void close() {
        for (AutoCloseable part : parts.reversed()) {
            try {
                part.close();
            } catch (Exception e) {
                LOG.warn("while stopping: {}", e.toString());
            }
        }
        writer.shutdown();
        registry.close();
        prometheus.close();
    }
}
