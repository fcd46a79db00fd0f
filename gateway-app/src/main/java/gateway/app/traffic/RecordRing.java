package gateway.app.traffic;

import gateway.service.TrafficRecord;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// A bounded queue of many producers and one consumer, without locks.
///
/// Producers claim a place by moving the tail and then publish into it; the consumer takes places in order, and sees an
/// empty queue while the next place is claimed but not yet published. After Vyukov's and JCTools' array queues. The
/// counters lie two cache lines apart, so that producers and consumer do not invalidate each other's.
final class RecordRing {
    private static final int TAIL = 16;
    private static final int HEAD = 48;
    private static final int KNOWN_HEAD = 80; // what producers last saw of the head

    private final AtomicLongArray marks = new AtomicLongArray(96);
    private final AtomicReferenceArray<@Nullable TrafficRecord> slots;
    private final int mask;

    /// @param capacity rounded up to a power of two
    RecordRing(int capacity) {
        int size = Integer.highestOneBit(Math.max(2, capacity) * 2 - 1);
        this.slots = new AtomicReferenceArray<>(size);
        this.mask = size - 1;
    }

    /// From any thread; false when the queue is full.
    boolean offer(TrafficRecord record) {
        long tail = marks.getAcquire(TAIL);
        while (true) {
            if (tail - marks.getOpaque(KNOWN_HEAD) > mask) {
                long head = marks.getAcquire(HEAD);
                marks.setOpaque(KNOWN_HEAD, head);
                if (tail - head > mask) return false;
            }
            long found = marks.compareAndExchange(TAIL, tail, tail + 1);
            if (found == tail) {
                slots.setRelease((int) tail & mask, record);
                return true;
            }
            tail = found;
        }
    }

    /// From the one consumer; null when nothing is ready.
    @Nullable
    TrafficRecord poll() {
        long head = marks.getPlain(HEAD);
        int place = (int) head & mask;
        TrafficRecord record = slots.getAcquire(place);
        if (record == null) return null;
        slots.setPlain(place, null);
        marks.setRelease(HEAD, head + 1);
        return record;
    }

    int capacity() {
        return mask + 1;
    }

    /// Records that wait, counted from outside: a moment's view.
    int size() {
        long head = marks.getAcquire(HEAD);
        return (int) Math.max(0, marks.getAcquire(TAIL) - head);
    }

    /// Records ever let in.
    long offered() {
        return marks.getAcquire(TAIL);
    }
}
