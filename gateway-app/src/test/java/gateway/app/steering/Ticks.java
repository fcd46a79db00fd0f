package gateway.app.steering;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/// Time that passes when a test says so.
public final class Ticks implements LongSupplier {
    private final AtomicLong now = new AtomicLong(-5_000_000_000L); // the system's may be negative too

    @Override
    public long getAsLong() {
        return now.get();
    }

    public void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }
}
