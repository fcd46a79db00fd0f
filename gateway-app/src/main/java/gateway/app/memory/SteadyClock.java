package gateway.app.memory;

import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/// Wall time that does not follow when somebody sets the machine's clock back: it counts the ticks of the
/// monotonic clock and compares with the wall every second. When the wall is ahead, it jumps there (a suspended
/// machine); when the wall is behind, it loses 10 ms a second until both agree, which counters bear: limits
/// stay exact to 1% meanwhile and no window lasts an hour longer.
final class SteadyClock implements EpochClock {
    private static final long COMPARE_EVERY = 1_000_000_000L;
    private static final long SLOWEST_SHARE = 100;

    private final InstantSource wall;
    private final LongSupplier ticks;
    private final AtomicLong compared;
    private volatile long offset;

    SteadyClock(InstantSource wall, LongSupplier ticks) {
        this.wall = wall;
        this.ticks = ticks;
        long tick = ticks.getAsLong();
        this.compared = new AtomicLong(tick);
        this.offset = EpochClock.nanos(wall.instant()) - tick;
    }

    @Override
    public long nanos() {
        long tick = ticks.getAsLong();
        if (tick - compared.getPlain() >= COMPARE_EVERY) compare(tick);
        return tick + offset;
    }

    private void compare(long tick) {
        long last = compared.get();
        long passed = tick - last;
        if (passed < COMPARE_EVERY || !compared.compareAndSet(last, tick)) return;
        long current = offset;
        long ahead = tick + current - EpochClock.nanos(wall.instant());
        offset = current - Math.min(ahead, passed / SLOWEST_SHARE);
    }
}
