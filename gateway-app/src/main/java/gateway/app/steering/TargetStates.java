package gateway.app.steering;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import gateway.config.HealthCheckDefinition;
import gateway.config.UpstreamDefinition;
import gateway.net.UpstreamProtocol;
import gateway.wire.client.Target;
import java.util.Optional;
import java.util.function.LongSupplier;

/// What is known of targets, for as long as an upstream that has them is there: a reload finds it again.
final class TargetStates {
    private final Cache<TargetKey, TargetState> states =
            Caffeine.newBuilder().weakValues().build();
    private final Cache<CheckKey, TargetHealth> checks =
            Caffeine.newBuilder().weakValues().build();
    private final LongSupplier ticks;

    private record TargetKey(String upstream, String endpoint) {}

    private record CheckKey(TargetKey target, UpstreamProtocol protocol, HealthCheckDefinition check) {}

    TargetStates(LongSupplier ticks) {
        this.ticks = ticks;
    }

    /// The endpoint `target` of an upstream.
    Endpoint endpoint(UpstreamDefinition upstream, Target target, int weight) {
        var key = new TargetKey(upstream.steering().name(), target.endpoint());
        TargetState state = states.get(key, absent -> new TargetState(ticks));
        Optional<TargetHealth> health = upstream.steering()
                .healthCheck()
                .map(how -> health(new CheckKey(key, target.address().protocol(), how), state));
        return new Endpoint(target.endpoint(), weight, state, health);
    }

    private TargetHealth health(CheckKey key, TargetState state) {
        return checks.get(key, absent -> new TargetHealth(key.check(), state));
    }
}
