package gateway.app.redis;

import gateway.service.LimitStore;
import java.time.InstantSource;

/// Limit stores of their own for tests.
final class LimitStores {
    private LimitStores() {}

    static LimitStore open(RedisSettings settings, InstantSource clock) {
        var link = RedisLink.open(settings);
        return new RedisLimitStore(new ExactCounting(link, new Counters("gw", new CalendarPeriods(clock), clock, false)));
    }
}
