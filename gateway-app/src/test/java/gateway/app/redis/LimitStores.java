package gateway.app.redis;

import gateway.service.LimitStore;
import gateway.service.ManualClock;
import java.time.Duration;
import java.time.InstantSource;

/// A limit store with a link of its own.
final class LimitStores implements AutoCloseable {
    private final RedisLink link;
    private final RedisLimitStore limits;

    private LimitStores(RedisSettings settings, InstantSource clock, boolean ownTime) {
        link = RedisLink.open(settings);
        limits = new RedisLimitStore(
                new ExactCounting(link, new Counters("gw", new CalendarPeriods(clock), clock, ownTime)));
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
        link.close();
    }
}
