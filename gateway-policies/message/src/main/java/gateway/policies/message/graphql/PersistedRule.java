package gateway.policies.message.graphql;

import gateway.config.ResourceReader;
import gateway.json.ConfigNode;
import gateway.service.ResourceReference;

/// Documents that clients may name instead of sending them.
///
/// @param only whether no others pass
record PersistedRule(ResourceReference queries, boolean only) {
    static PersistedRule read(ConfigNode node) {
        node.requireObject();
        ConfigNode queries = node.field("queries", "JSON object of documents by their names");
        var rule = new PersistedRule(
                ResourceReader.read(queries),
                node.field("only", "whether all others are refused").bool(false));
        node.refuseUnknownFields();
        return rule;
    }
}
