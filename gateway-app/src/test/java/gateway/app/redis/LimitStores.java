package gateway.app.redis;

import gateway.service.LimitStore;
import gateway.service.ManualClock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/// A limit store with a link of its own.
final class LimitStores implements AutoCloseable {
    private final RedisLink link;
    private final RedisLimitStore limits;

    private LimitStores(RedisSettings settings, InstantSource clock, boolean ownTime) {
        link = RedisLink.open(settings);
        var exact =
                new ExactCounting(link, new Counters(settings.namespace(), new CalendarPeriods(clock), clock, ownTime));
        LongSupplier ticks = clock instanceof ManualClock manual ? manual::nanos : System::nanoTime;
        limits = new RedisLimitStore(
                exact, new LeasedCounting(exact, ticks, settings.room().leases()));
    }

    /// One that goes by `clock`, and is patient on a busy machine.
    static LimitStores at(String uri, ManualClock clock) {
        return new LimitStores(RedisSettings.of(uri).withDeadline(Duration.ofSeconds(2)), clock, true);
    }

    static LimitStores open(RedisSettings settings, InstantSource clock) {
        return new LimitStores(settings, clock, false);
    }

    LimitStore limits() {
        return limits;
    }

    RedisLink link() {
        return link;
    }

    @Override
    public void close() {
        limits.close();
        link.close();
    }
}
