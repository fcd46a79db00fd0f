package gateway.app.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.service.TrafficRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RecordRingTest {
    @Test
    void gives_records_back_in_order_and_refuses_when_full() {
        var ring = new RecordRing(3); // becomes 4
        List<TrafficRecord> records =
                List.of(Records.numbered(1), Records.numbered(2), Records.numbered(3), Records.numbered(4));

        records.forEach(ring::offer);

        assertThat(ring.offer(Records.numbered(5))).isFalse();
        assertThat(ring.size()).isEqualTo(4);
        var found = new ArrayList<TrafficRecord>();
        for (var record = ring.poll(); record != null; record = ring.poll()) found.add(record);
        assertThat(found).isEqualTo(records);
        assertThat(ring.offer(Records.numbered(6))).isTrue();
        assertThat(ring.offered()).isEqualTo(5);
    }

    @Test
    void loses_and_doubles_nothing_under_many_producers() throws InterruptedException {
        int producers = 8;
        int each = 50_000;
        var ring = new RecordRing(1024);
        var refused = new AtomicLong();
        var running = new AtomicInteger(producers);
        var start = new CountDownLatch(1);
        var threads = new ArrayList<Thread>();
        for (int p = 0; p < producers; p++) {
            int producer = p;
            threads.add(Thread.ofPlatform().start(() -> {
                await(start);
                for (int i = 0; i < each; i++) {
                    if (!ring.offer(Records.numbered((long) producer * each + i))) refused.incrementAndGet();
                }
                running.decrementAndGet();
            }));
        }
        start.countDown();

        var last = new long[producers];
        java.util.Arrays.fill(last, -1);
        long taken = 0;
        while (running.get() > 0 || ring.size() > 0) {
            TrafficRecord record = ring.poll();
            if (record == null) {
                Thread.onSpinWait();
                continue;
            }
            long number = Long.parseLong(record.request().id().substring("request-".length()));
            int producer = (int) (number / each);
            assertThat(number % each).isGreaterThan(last[producer]);
            last[producer] = number % each;
            taken++;
        }
        for (Thread thread : threads) thread.join();

        assertThat(taken + refused.get()).isEqualTo((long) producers * each);
        assertThat(ring.offered()).isEqualTo(taken);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
