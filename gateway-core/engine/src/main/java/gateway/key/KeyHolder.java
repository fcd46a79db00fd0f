package gateway.key;

import gateway.http.Allowance;
import gateway.http.Consumer;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The caller with a key that names a plan. What the key says itself comes before what the plan says.
public record KeyHolder(ApiKey key, Plan plan) implements Consumer {
    /// Who holds `key`; empty when it names a plan that is not there: what it opens is unknown then.
    public static Optional<Consumer> of(ApiKey key, Plans plans) {
        if (key.plan().isEmpty()) return Optional.of(key);
        return plans.find(key.plan().get()).map(plan -> new KeyHolder(key, plan));
    }

    @Override
    public String id() {
        return key.id();
    }

    @Override
    public String name() {
        return key.name();
    }

    @Override
    public Optional<Allowance> rateLimit() {
        return key.rateLimit().isPresent() ? key.rateLimit() : plan.rateLimit();
    }

    @Override
    public Optional<Allowance> quota() {
        return key.quota().isPresent() ? key.quota() : plan.quota();
    }

    @Override
    public List<String> tags() {
        return key.tags();
    }

    @Override
    public Map<String, String> metadata() {
        return key.metadata();
    }
}
