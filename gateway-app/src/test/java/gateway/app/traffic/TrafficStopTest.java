package gateway.app.traffic;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.traffic.TrafficTarget.Fsync;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/// A stop while the shipper's thread hangs, as in a write to a disk that does not answer.
class TrafficStopTest {
    @Test
    void counts_what_a_thread_that_does_not_end_had_at_hand_as_lost() throws InterruptedException {
        var sink = new HangingSink();
        TrafficShipper shipper = TrafficShipper.start(settings(), sink::with);
        for (int i = 0; i < 20; i++) shipper.record(Records.numbered(i));
        sink.hangs.await();
        for (int i = 20; i < 25; i++) shipper.record(Records.numbered(i));
        assertThat(shipper.lost()).isZero();

        shipper.close();

        assertThat(shipper.lost()).isEqualTo(15);
        assertThat(shipper.counts()).isEqualTo(new TrafficCounts(25, 0, 10, 0, 0, 0, 15, 0, 0));
        assertThat(shipper.counts().isBalanced()).isTrue();
        assertThat(shipper.counts().summary()).isEqualTo("10 records written, 0 on disk, 0 rejected, 15 dropped");
        shipper.record(Records.numbered(25));
        assertThat(shipper.counts()).isEqualTo(new TrafficCounts(26, 0, 10, 0, 0, 0, 16, 0, 0));

        sink.goesOn.countDown();
        until(() -> shipper.counts().indexed() == 25, shipper::counts);
        assertThat(shipper.counts()).isEqualTo(new TrafficCounts(26, 0, 25, 0, 0, 0, 1, 0, 0));
        assertThat(shipper.lost()).isZero();
    }

    @Test
    void loses_nothing_when_it_is_interrupted_and_the_thread_still_ends() {
        var sink = new HangingSink();
        sink.goesOn.countDown();
        TrafficShipper shipper = TrafficShipper.start(settings(), sink::with);
        for (int i = 0; i < 20; i++) shipper.record(Records.numbered(i));

        Thread.currentThread().interrupt();
        shipper.close();

        assertThat(Thread.interrupted()).isTrue();
        until(() -> shipper.counts().indexed() == 20, shipper::counts); // the thread is still at it: nobody waited
        assertThat(shipper.counts()).isEqualTo(new TrafficCounts(20, 0, 20, 0, 0, 0, 0, 0, 0));
    }

    private static TrafficSettings settings() {
        var target = new TrafficTarget.File(Path.of("unused"), 1, 1, Fsync.NEVER);
        return new TrafficSettings("node", 64, 10, 1 << 20, Duration.ofSeconds(1), Duration.ofMillis(50), target);
    }

    /// Takes one batch and hangs in the second.
    private static final class HangingSink implements Sink {
        private final CountDownLatch hangs = new CountDownLatch(1);
        private final CountDownLatch goesOn = new CountDownLatch(1);
        private SinkCounts tally;
        private BatchPool pool;
        private int taken;

        Sink with(SinkCounts counts, BatchPool batches, Runnable wake) {
            tally = counts;
            pool = batches;
            return this;
        }

        @Override
        public boolean take(Batch batch, boolean urgent, long nowNanos) {
            if (++taken == 2) hang();
            tally.addIndexed(batch.count());
            pool.give(batch);
            return true;
        }

        private void hang() {
            hangs.countDown();
            try {
                goesOn.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public boolean turn(long nowNanos) {
            return false;
        }

        @Override
        public TrafficState state() {
            return new TrafficState(TrafficState.Condition.SHIPPING, "");
        }

        @Override
        public void close() {}
    }
}
