package gateway.config;

import java.time.Duration;
import java.util.List;

/// Where an API's requests go.
///
/// @param connectTimeout until a connection stands
/// @param responseTimeout from the last byte sent to the response head
/// @param timeout for the whole exchange with the upstream, body included
/// @param preserveHost send the client's `Host` rather than the target's
public record UpstreamDefinition(
        List<TargetDefinition> targets,
        Balance balance,
        Duration connectTimeout,
        Duration responseTimeout,
        Duration timeout,
        boolean preserveHost) {
    public UpstreamDefinition {
        targets = List.copyOf(targets);
    }

    public enum Balance {
        ROUND_ROBIN
    }
}
