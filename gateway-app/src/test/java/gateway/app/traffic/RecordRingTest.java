package gateway.app.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.capture.CapturedBody;
import gateway.service.TrafficRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RecordRingTest {
    @Test
    void gives_records_back_in_order_and_refuses_when_full() {
        var ring = new RecordRing(3, RecordRing.MOST_BYTES); // becomes 4
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
        var ring = new RecordRing(1024, 100 * RecordSize.of(Records.numbered(0)));
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
        assertThat(ring.bytes()).isZero();
    }

    @Test
    void refuses_what_would_take_more_bytes_than_its_bound_and_goes_on_when_there_is_room() {
        TrafficRecord large = large(8_000, 1);
        int size = RecordSize.of(large);
        var ring = new RecordRing(64, 3 * size);

        for (int i = 0; i < 3; i++) assertThat(ring.offer(large)).isTrue();

        assertThat(ring.bytes()).isEqualTo(3 * size);
        assertThat(ring.offer(large)).isFalse();
        assertThat(ring.offer(Records.numbered(1))).isFalse();
        assertThat(ring.poll()).isSameAs(large);
        assertThat(ring.offer(Records.numbered(1))).isTrue();
        assertThat(ring.offer(large)).isFalse();
        assertThat(ring.size()).isEqualTo(3);
        assertThat(ring.offered()).isEqualTo(4);
        while (ring.poll() != null) {}
        assertThat(ring.bytes()).isZero();
    }

    /// Both halves of the counter are 32 bits wide.
    @Test
    void counts_on_past_four_gibibytes() {
        TrafficRecord large = large(8_000, 4_000);
        long size = RecordSize.of(large);
        var ring = new RecordRing(4, (int) (3 * size));
        long rounds = (10L << 30) / size;

        for (long i = 0; i < 2; i++) ring.offer(large);
        for (long i = 0; i < rounds; i++) {
            assertThat(ring.offer(large)).isTrue();
            assertThat(ring.offer(large)).isFalse();
            assertThat(ring.bytes()).isEqualTo((int) (3 * size));
            assertThat(ring.poll()).isSameAs(large);
        }

        assertThat(ring.offered()).isEqualTo(rounds + 2);
        assertThat(ring.size()).isEqualTo(2);
    }

    @Test
    void takes_every_text_that_a_client_chooses_into_account() {
        int small = RecordSize.of(Records.numbered(1));

        assertThat(RecordSize.of(Records.record(
                        "request-1", "/" + "p".repeat(5_000), "u".repeat(5_000), List.of(), TrafficRecord.Detail.NONE)))
                .isBetween(small + 9_000, small + 11_000);
        assertThat(RecordSize.of(large(1_000, 10))).isBetween(small + 11_000, small + 13_000);
    }

    /// One whose query, and each of `headers` values of headers, has as many characters as `length` says.
    private static TrafficRecord large(int length, int headers) {
        String text = "x".repeat(length);
        var detail = new TrafficRecord.Detail(
                text, Collections.nCopies(headers, text), List.of(), CapturedBody.NONE, CapturedBody.NONE);
        return Records.record("request-1", "/", "", List.of(), detail);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
