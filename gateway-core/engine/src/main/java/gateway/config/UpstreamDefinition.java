package gateway.config;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Where an API's requests go.
///
/// @param connectTimeout until a connection stands
/// @param responseTimeout from the last byte sent to the response head
/// @param timeout for the whole exchange with the upstream, body and repeated attempts included
/// @param preserveHost send the client's `Host` rather than the target's
/// @param steering how a target is chosen and what happens when it fails
public record UpstreamDefinition(
        List<TargetDefinition> targets,
        Balance balance,
        Duration connectTimeout,
        Duration responseTimeout,
        Duration timeout,
        boolean preserveHost,
        Steering steering) {
    public UpstreamDefinition {
        targets = List.copyOf(targets);
    }

    /// Without any steering.
    public UpstreamDefinition(
            List<TargetDefinition> targets,
            Balance balance,
            Duration connectTimeout,
            Duration responseTimeout,
            Duration timeout,
            boolean preserveHost) {
        this(targets, balance, connectTimeout, responseTimeout, timeout, preserveHost, Steering.NONE);
    }

    /// How one of several targets is chosen; each by its weight.
    public enum Balance {
        ROUND_ROBIN,
        /// The one of two drawn at random that has fewer requests in flight.
        LEAST_REQUESTS,
        /// The same one for the same [Steering#hashBy], and few others when targets come and go.
        HASH
    }

    /// This upstream with the targets of one of its branches; with its own, and not split, when `branch` is empty.
    public UpstreamDefinition branch(String branch, List<TargetDefinition> others) {
        return new UpstreamDefinition(
                others, balance, connectTimeout, responseTimeout, timeout, preserveHost, steering.ofBranch(branch));
    }

    /// The first target of each of its branches, and under empty text of its own.
    public Map<String, String> firstTargets() {
        var first = new HashMap<>(Map.of("", first(targets)));
        steering.split()
                .ifPresent(split -> split.branches().forEach(each -> first.put(each.name(), first(each.targets()))));
        return Map.copyOf(first);
    }

    private static String first(List<TargetDefinition> targets) {
        return targets.isEmpty() ? "" : targets.getFirst().url().toString();
    }

    /// What of it decides which endpoints there are, how they are chosen and what is known of them: equal for two
    /// definitions that differ in nothing else.
    public UpstreamDefinition endpointsOnly() {
        return new UpstreamDefinition(
                targets, balance, connectTimeout, Duration.ZERO, Duration.ZERO, false, steering.endpointsOnly());
    }
}
