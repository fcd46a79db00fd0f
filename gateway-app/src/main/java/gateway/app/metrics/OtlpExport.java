package gateway.app.metrics;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.registry.otlp.CompressionMode;
import io.micrometer.registry.otlp.OtlpConfig;
import io.micrometer.registry.otlp.OtlpMeterRegistry;
import io.micrometer.registry.otlp.OtlpMetricsSender;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/// Tells metrics by OTLP over HTTP, as protobuf, cumulative. A receiver that is away costs requests nothing: the next
/// interval tells all that was counted since the start.
///
/// https://opentelemetry.io/docs/specs/otlp/#otlphttp
final class OtlpExport implements OtlpMetricsSender {
    private final HttpClient client = HttpClient.newHttpClient();
    private final OtlpReceiver receiver;
    private final ReceiverOutageLog outageLog;
    private volatile Duration patience;
    private volatile CompletableFuture<?> underWay = CompletableFuture.completedFuture(null);

    /// @param patience for an answer; the end of the process may wait so long
    OtlpExport(OtlpReceiver receiver, Duration patience) {
        this.receiver = receiver;
        this.patience = patience;
        this.outageLog = new ReceiverOutageLog("OTLP receiver " + receiver.url(), 1);
    }

    /// Waits no longer than `most` for the answer under way and those to come.
    void hurry(Duration most) {
        if (most.compareTo(patience) < 0) patience = most;
        underWay.orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    /// A registry that tells every `interval` on a thread of its own, and once more when it is closed.
    MeterRegistry registry(MetricsSettings settings, String version) {
        return OtlpMeterRegistry.builder(new Config(receiver.url(), settings, version))
                .clock(Clock.SYSTEM)
                .metricsSender(this)
                .threadFactory(Thread.ofPlatform().name("metrics-otlp").daemon().factory())
                .build();
    }

    @Override
    public void send(Request request) {
        try {
            var http = HttpRequest.newBuilder(receiver.url())
                    .header("Content-Type", "application/x-protobuf")
                    .header("Content-Encoding", "gzip")
                    .POST(BodyPublishers.ofByteArray(compressed(request.getMetricsData())));
            receiver.headers().forEach((name, value) -> http.header(name, value.reveal()));
            var answer = client.sendAsync(http.build(), BodyHandlers.discarding());
            underWay = answer; // before patience is read: whoever hurries meets the one or the other
            answer.orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS);
            int status = answer.get().statusCode();
            if (status / 100 == 2) outageLog.succeeded();
            else outageLog.failed("answered " + status);
        } catch (IOException e) {
            outageLog.failed(e);
        } catch (ExecutionException e) {
            outageLog.failed(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static byte[] compressed(byte[] plain) throws IOException {
        var bytes = new ByteArrayOutputStream(plain.length / 4 + 64);
        try (var gzip = new GZIPOutputStream(bytes)) {
            gzip.write(plain);
        }
        return bytes.toByteArray();
    }

    private record Config(URI url0, MetricsSettings settings, String version) implements OtlpConfig {
        @Override
        public @Nullable String get(String key) {
            return null;
        }

        @Override
        public String url() {
            return url0.toString();
        }

        @Override
        public Duration step() {
            return settings.interval();
        }

        @Override
        public TimeUnit baseTimeUnit() {
            return TimeUnit.SECONDS;
        }

        @Override
        public CompressionMode compressionMode() {
            return CompressionMode.NONE; // done by the sender
        }

        @Override
        public Map<String, String> resourceAttributes() {
            var attributes = new HashMap<String, String>();
            attributes.put("service.name", "gateway");
            attributes.put("service.version", version);
            attributes.put("service.instance.id", settings.node());
            return attributes;
        }
    }
}
