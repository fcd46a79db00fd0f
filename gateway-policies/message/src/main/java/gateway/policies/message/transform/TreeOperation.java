package gateway.policies.message.transform;

import gateway.http.Exchange;
import gateway.policies.message.BoundReachedException;
import tools.jackson.databind.JsonNode;

/// One change of JSON, as a definition writes it.
sealed interface TreeOperation permits TreeEdit, TreeOperation.Jolt {
    /// A change by JOLT.
    record Jolt(JoltSpec spec) implements TreeOperation {}

    /// What runs.
    @FunctionalInterface
    interface Change {
        /// @param root not shared with anybody
        /// @throws OperationFailedException when it cannot be done
        /// @throws BoundReachedException when more would come of it than there is room for
        JsonNode of(JsonNode root, Exchange exchange, TreeRoom room);
    }

    /// How often it goes through what it changes. What JOLT does takes ten times as long.
    default int steps() {
        return switch (this) {
            case Jolt(var spec) -> 10 * spec.chain().size();
            case TreeEdit.Patch(var patch) -> patch.steps().size();
            case TreeEdit _ -> 1;
        };
    }

    /// @param strict whether a place that is not there is an error
    /// @param pointer of the operation
    /// @throws gateway.json.InvalidConfigException when it cannot be made ready
    default Change compiled(boolean strict, String pointer) {
        return switch (this) {
            case TreeEdit edit -> (root, exchange, room) -> edit.apply(root, exchange, strict, room);
            case Jolt(var spec) -> {
                JoltChain chain = JoltChain.of(spec, pointer + "/jolt");
                yield (root, _, room) -> chain.of(root, room);
            }
        };
    }
}
