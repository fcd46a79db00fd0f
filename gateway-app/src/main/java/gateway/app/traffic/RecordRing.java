package gateway.app.traffic;

import gateway.service.TrafficRecord;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// A queue of many producers and one consumer, bounded in records and in bytes, without locks.
///
/// Producers claim a place by moving the tail and then publish into it; the consumer takes places in order, and sees an
/// empty queue while the next place is claimed but not yet published. After Vyukov's and JCTools' array queues. The
/// counters lie two cache lines apart, so that producers and consumer do not invalidate each other's.
///
/// The tail counts records in its lower half and bytes in its upper half, each modulo 2^32, so that one exchange claims
/// both. What waits is the difference to the head's counters.
final class RecordRing {
    static final int MOST_BYTES = 1 << 30;
    private static final int TAIL = 16;
    private static final int HEAD = 48; // records ever taken
    private static final int HEAD_BYTES = 49; // bytes ever taken
    private static final int KNOWN_HEAD = 80; // what producers last saw of the head
    private static final int KNOWN_HEAD_BYTES = 81;

    private final AtomicLongArray marks = new AtomicLongArray(96);
    private final AtomicReferenceArray<@Nullable TrafficRecord> slots;
    private final int[] sizes; // published with their slots
    private final int mask;
    private final int maxBytes;

    /// @param capacity rounded up to a power of two
    /// @param maxBytes most bytes that wait, as [RecordSize] counts them; at most [#MOST_BYTES]
    RecordRing(int capacity, int maxBytes) {
        int size = Integer.highestOneBit(Math.max(2, capacity) * 2 - 1);
        this.slots = new AtomicReferenceArray<>(size);
        this.sizes = new int[size];
        this.mask = size - 1;
        this.maxBytes = Math.min(maxBytes, MOST_BYTES);
    }

    /// From any thread; false when the queue is full.
    boolean offer(TrafficRecord record) {
        int size = RecordSize.of(record);
        long tail = marks.getAcquire(TAIL);
        while (true) {
            if (!fits(tail, size, marks.getAcquire(KNOWN_HEAD), marks.getAcquire(KNOWN_HEAD_BYTES))) {
                long headBytes = marks.getAcquire(HEAD_BYTES);
                long head = marks.getAcquire(HEAD);
                marks.setRelease(KNOWN_HEAD_BYTES, headBytes);
                marks.setRelease(KNOWN_HEAD, head);
                if (!fits(tail, size, head, headBytes)) return false;
            }
            long found = marks.compareAndExchange(TAIL, tail, moved(tail, size));
            if (found == tail) {
                int place = records(tail) & mask;
                sizes[place] = size;
                slots.setRelease(place, record);
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
        marks.setRelease(HEAD_BYTES, marks.getPlain(HEAD_BYTES) + sizes[place]);
        marks.setRelease(HEAD, head + 1);
        return record;
    }

    int capacity() {
        return mask + 1;
    }

    /// Records that wait, counted from outside: a moment's view.
    int size() {
        long head = marks.getAcquire(HEAD);
        return Math.max(0, records(marks.getAcquire(TAIL)) - (int) head);
    }

    /// Bytes that wait: a moment's view.
    int bytes() {
        long head = marks.getAcquire(HEAD_BYTES);
        return Math.max(0, bytes(marks.getAcquire(TAIL)) - (int) head);
    }

    /// Records ever let in.
    long offered() {
        long head = marks.getAcquire(HEAD);
        return head + (records(marks.getAcquire(TAIL)) - (int) head);
    }

    /// A head that is old makes the queue look fuller than it is; one younger than the tail is met by an exchange that
    /// fails.
    private boolean fits(long tail, int size, long head, long headBytes) {
        return records(tail) - (int) head <= mask && bytes(tail) - (int) headBytes <= maxBytes - size;
    }

    private static long moved(long tail, int size) {
        return ((long) (bytes(tail) + size) << Integer.SIZE) | Integer.toUnsignedLong(records(tail) + 1);
    }

    private static int records(long tail) {
        return (int) tail;
    }

    private static int bytes(long tail) {
        return (int) (tail >>> Integer.SIZE);
    }
}
