package gateway.app.steering;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

/// Counts of the requests of the last while, in ten slices that are forgotten one after the other.
final class Window {
    private static final int SLICES = 10;

    private final long sliceNanos;
    private final AtomicReferenceArray<Slice> slices = new AtomicReferenceArray<>(SLICES);

    /// @param number of the slice since the origin of time
    private record Slice(long number, AtomicInteger requests, AtomicInteger failed, AtomicInteger slow) {
        Slice(long number) {
            this(number, new AtomicInteger(), new AtomicInteger(), new AtomicInteger());
        }
    }

    record Sums(int requests, int failed, int slow) {
        boolean reaches(int failedPercent, int slowPercent, int least) {
            return requests >= least && (isPart(failed, failedPercent) || isPart(slow, slowPercent));
        }

        private boolean isPart(int some, int percent) {
            return some > 0 && some * 100L >= (long) percent * requests;
        }
    }

    Window(long nanos) {
        this.sliceNanos = Math.max(1, nanos / SLICES);
    }

    void count(long now, boolean failed, boolean slow) {
        Slice slice = slice(now);
        slice.requests.incrementAndGet();
        if (failed) slice.failed.incrementAndGet();
        if (slow) slice.slow.incrementAndGet();
    }

    /// A request that was counted as good has failed after all.
    void countFailureOfCounted(long now) {
        slice(now).failed.incrementAndGet();
    }

    Sums sums(long now) {
        long current = Math.floorDiv(now, sliceNanos);
        int requests = 0;
        int failed = 0;
        int slow = 0;
        for (int i = 0; i < SLICES; i++) {
            Slice slice = slices.get(i);
            if (slice == null || current - slice.number >= SLICES) continue;
            requests += slice.requests.get();
            failed += slice.failed.get();
            slow += slice.slow.get();
        }
        return new Sums(requests, failed, slow);
    }

    private Slice slice(long now) {
        long number = Math.floorDiv(now, sliceNanos);
        int place = (int) Math.floorMod(number, (long) SLICES);
        while (true) {
            Slice slice = slices.get(place);
            if (slice != null && slice.number >= number) return slice;
            Slice fresh = new Slice(number);
            if (slices.compareAndSet(place, slice, fresh)) return fresh;
        }
    }
}
