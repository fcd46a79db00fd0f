package gateway.app.steering;

import gateway.config.HealthCheckDefinition;
import gateway.config.UpstreamDefinition;
import gateway.net.UpstreamProtocol;
import gateway.service.KeptPart;
import gateway.service.KeptParts;
import gateway.service.Served;
import gateway.wire.client.Target;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// What is known of targets, for as long as an upstream that has them is served: a reload finds it again.
final class TargetStates {
    private final KeptParts parts;
    private final LongSupplier ticks;

    private record TargetKey(String upstream, String endpoint) {}

    private record CheckKey(TargetKey target, UpstreamProtocol protocol, HealthCheckDefinition check) {}

    TargetStates(KeptParts parts, LongSupplier ticks) {
        this.parts = parts;
        this.ticks = ticks;
    }

    /// The endpoint `target` of an upstream.
    ///
    /// @param held gains what is known of it
    Endpoint endpoint(UpstreamDefinition upstream, Target target, int weight, List<Served> held) {
        var key = new TargetKey(upstream.steering().name(), target.endpoint());
        TargetState state = kept(key, TargetState.class, () -> new TargetState(ticks), held);
        Optional<TargetHealth> health = upstream.steering()
                .healthCheck()
                .map(how -> health(new CheckKey(key, target.address().protocol(), how), state, held));
        return new Endpoint(target.endpoint(), weight, state, health);
    }

    private TargetHealth health(CheckKey key, TargetState state, List<Served> held) {
        return kept(key, TargetHealth.class, () -> new TargetHealth(key.check(), state), held);
    }

    private <T> T kept(Record key, Class<T> type, Supplier<T> make, List<Served> held) {
        KeptPart<T> part = parts.of(key, type, make);
        held.add(part);
        return part.value();
    }
}
