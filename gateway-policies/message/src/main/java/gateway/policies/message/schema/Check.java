package gateway.policies.message.schema;

import tools.jackson.databind.JsonNode;

/// One keyword of a schema.
@FunctionalInterface
interface Check {
    /// Whether `node` is as the keyword wants it; if not, that was told to `run`.
    ///
    /// @param marks to which is added what of the node has been evaluated
    boolean holds(JsonNode node, Marks marks, Evaluation run);
}
