package gateway.app.redis;

import gateway.service.Charge;
import gateway.service.LimitStore;
import gateway.service.Permit;
import java.util.List;

/// Counters in Redis, shared by all nodes.
final class RedisLimitStore implements LimitStore {
    private final ExactCounting exact;

    RedisLimitStore(ExactCounting exact) {
        this.exact = exact;
    }

    @Override
    public List<Permit> acquire(List<Charge> charges) {
        if (charges.isEmpty()) return List.of();
        return exact.decide(charges, true);
    }

    @Override
    public List<Permit> peek(List<Charge> charges) {
        if (charges.isEmpty()) return List.of();
        return exact.decide(charges, false);
    }
}
