package gateway.app.trace;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Span;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class SpanShipperTest {
    private static final String PARENT = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01";

    private final Fake exporter = new Fake();

    @Test
    void what_waits_at_the_end_is_sent() {
        SpanShipper shipper = shipper(Duration.ofSeconds(20));

        for (int i = 0; i < 1300; i++) span(shipper).end();
        shipper.close();

        assertThat(exporter.exported).hasSize(1300);
        assertThat(shipper.counts()).isEqualTo(new SpanCounts(1300, 1300, 0));
    }

    @Test
    void a_span_ends_once() {
        SpanShipper shipper = shipper(Duration.ofSeconds(20));

        Span span = span(shipper);
        span.end();
        span.end();
        shipper.close();

        assertThat(exporter.exported).hasSize(1);
    }

    @Test
    void keeps_the_first_8_KiB_of_a_text_that_a_client_chose() {
        SpanShipper shipper = shipper(Duration.ofSeconds(20));

        Span span = span(shipper);
        span.set("url.path", "/".repeat(20_000));
        span.end();
        shipper.close();

        assertThat(exporter.exported.getFirst().getAttributes().get(AttributeKey.stringKey("url.path")))
                .isEqualTo("/".repeat(8192));
    }

    @Test
    void an_error_of_the_machine_costs_the_spans_of_one_batch_alone() throws InterruptedException {
        exporter.error = new OutOfMemoryError("for the test");
        SpanShipper shipper = shipper(Duration.ofSeconds(20));
        span(shipper).end();
        exporter.erred.await();

        span(shipper).end();
        shipper.close();

        assertThat(shipper.counts()).isEqualTo(new SpanCounts(2, 1, 1));
    }

    @Test
    void over_its_bound_the_queue_drops_and_counts_and_keeps_nobody_waiting() {
        exporter.gate = new CountDownLatch(1);
        SpanShipper shipper = shipper(Duration.ofSeconds(20));

        for (int i = 0; i < 40_000; i++) span(shipper).end();
        SpanCounts full = shipper.counts();
        exporter.gate.countDown();
        shipper.close();

        assertThat(full.dropped()).isGreaterThanOrEqualTo(40_000 - 16_384 - 512);
        SpanCounts last = shipper.counts();
        assertThat(last.ended()).isEqualTo(40_000).isEqualTo(last.exported() + last.dropped());
        assertThat(last.waiting()).isZero();
    }

    @Test
    void a_collector_that_refuses_and_one_that_breaks_cost_the_spans_alone() {
        exporter.refuses = true;
        SpanShipper refused = shipper(Duration.ofSeconds(20));
        span(refused).end();
        refused.close();
        exporter.breaks = true;
        SpanShipper broken = shipper(Duration.ofSeconds(20));
        span(broken).end();
        broken.close();

        assertThat(refused.counts()).isEqualTo(new SpanCounts(1, 0, 1));
        assertThat(broken.counts()).isEqualTo(new SpanCounts(1, 0, 1));
    }

    @Test
    void the_end_does_not_wait_longer_than_allowed_for_a_collector_that_hangs() {
        exporter.gate = new CountDownLatch(1);
        SpanShipper shipper = shipper(Duration.ofMillis(200));
        for (int i = 0; i < 5000; i++) span(shipper).end();

        shipper.close(); // would last for ever otherwise

        assertThat(shipper.counts().exported()).isZero();
        assertThat(shipper.counts().dropped()).isPositive();
        exporter.gate.countDown();
    }

    @Test
    @Timeout(60)
    void the_end_is_hurried() throws InterruptedException {
        exporter.gate = new CountDownLatch(1);
        SpanShipper shipper = shipper(Duration.ofHours(1));
        for (int i = 0; i < 5000; i++) span(shipper).end();
        Thread closing = Thread.ofPlatform().start(shipper::close);

        shipper.hurry(Duration.ofMillis(1));

        closing.join();
        assertThat(shipper.counts().exported() + shipper.counts().dropped()).isEqualTo(5000);
        exporter.gate.countDown();
    }

    private SpanShipper shipper(Duration timeout) {
        return SpanShipper.start(exporter, new Collector("http://collector"), timeout);
    }

    private static Span span(SpanShipper shipper) {
        var sink = new RecordedSpan.Sink(Resource.empty(), shipper::offer);
        var clock = TraceClock.at(InstantSource.system(), System.nanoTime());
        return RecordedSpan.ofRequest(sink, clock, PARENT, "", System.nanoTime());
    }

    private static final class Fake implements SpanExporter {
        final List<SpanData> exported = new CopyOnWriteArrayList<>();
        volatile CountDownLatch gate = new CountDownLatch(0);
        volatile boolean refuses;
        volatile boolean breaks;
        volatile @Nullable Error error; // thrown once
        final CountDownLatch erred = new CountDownLatch(1);

        @Override
        public CompletableResultCode export(Collection<SpanData> spans) {
            try {
                gate.await();
            } catch (InterruptedException e) {
                return CompletableResultCode.ofFailure();
            }
            Error odd = error;
            error = null;
            if (odd != null) {
                erred.countDown();
                throw odd;
            }
            if (breaks) throw new IllegalStateException("broken");
            if (refuses) return CompletableResultCode.ofFailure();
            exported.addAll(spans);
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode flush() {
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode shutdown() {
            return CompletableResultCode.ofSuccess();
        }
    }
}
