package gateway.app.traffic;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The traffic log on a machine that fails it.
final class StumblingShipperTest {
    @TempDir
    private Path folder;

    @Test
    void tries_again_to_open_a_sink_that_breaks_and_says_meanwhile_that_it_stumbles() {
        var sink = new OddSink();
        sink.failure = new UncheckedIOException(new IOException("no folder"));
        TrafficShipper shipper =
                TrafficShipper.start(TestShippers.settings(TestShippers.elasticsearch(folder, 1)), sink::with);
        shipper.record(Records.numbered(1));
        until(() -> sink.opened.get() > 1, shipper::state);
        assertThat(shipper.state().condition()).isEqualTo(TrafficState.Condition.AWAY);
        assertThat(shipper.state().reason()).contains("stumbled").contains("no folder");

        sink.failure = null;
        until(() -> shipper.counts().indexed() == 1, shipper::counts);

        assertThat(shipper.state().condition()).isEqualTo(TrafficState.Condition.SHIPPING);
        shipper.close();
    }

    @Test
    void outlives_errors_of_the_machine_in_every_part_of_its_work() {
        var sink = new OddSink();
        TrafficShipper shipper =
                TrafficShipper.start(TestShippers.settings(TestShippers.elasticsearch(folder, 1)), sink::with);
        shipper.record(Records.numbered(1));
        until(() -> shipper.counts().indexed() == 1, shipper::counts);

        sink.failure = new OutOfMemoryError("for the test");
        shipper.record(Records.numbered(2));
        until(() -> sink.stumbled.get() > 3, shipper::state);
        assertThat(shipper.state().reason()).contains("OutOfMemoryError: for the test");
        assertThat(shipper.counts().isBalanced()).isTrue();
        sink.failure = null;
        until(() -> shipper.counts().indexed() == 2, shipper::counts);

        sink.failure = new OutOfMemoryError("for the test");
        shipper.record(Records.numbered(3));
        until(() -> sink.stumbled.get() > 6, shipper::state);
        shipper.hurry(Duration.ofMillis(1));
        shipper.close();
        assertThat(shipper.counts()).isEqualTo(new TrafficCounts(3, 0, 2, 0, 0, 0, 1, 0, 0));
    }

    /// Breaks for as long as it has a failure.
    private static final class OddSink implements Sink {
        private final AtomicInteger opened = new AtomicInteger();
        private final AtomicInteger stumbled = new AtomicInteger();
        private volatile @Nullable Throwable failure;
        private SinkCounts tally;
        private BatchPool pool;

        Sink with(SinkCounts counts, BatchPool batches, Runnable wake) {
            tally = counts;
            pool = batches;
            return this;
        }

        @Override
        public void open() {
            opened.incrementAndGet();
            breakIfOdd();
        }

        @Override
        public boolean take(Batch batch, boolean urgent, long nowNanos) {
            breakIfOdd();
            tally.addIndexed(batch.count());
            pool.give(batch);
            return true;
        }

        @Override
        public boolean turn(long nowNanos) {
            breakIfOdd();
            return false;
        }

        @Override
        public TrafficState state() {
            return new TrafficState(TrafficState.Condition.SHIPPING, "");
        }

        @Override
        public void close() {
            breakIfOdd();
        }

        private void breakIfOdd() {
            Throwable odd = failure;
            if (odd == null) return;
            stumbled.incrementAndGet();
            if (odd instanceof RuntimeException exception) throw exception;
            throw (Error) odd;
        }
    }
}
