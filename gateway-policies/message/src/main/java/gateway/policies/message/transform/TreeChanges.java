package gateway.policies.message.transform;

import gateway.http.Exchange;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// Changes that are made one after the other.
record TreeChanges(List<TreeOperation.Change> all) implements TreeOperation.Change {
    TreeChanges {
        all = List.copyOf(all);
    }

    @Override
    public JsonNode of(JsonNode root, Exchange exchange, TreeRoom room) {
        JsonNode tree = root;
        for (TreeOperation.Change each : all) tree = each.of(tree, exchange, room);
        return tree;
    }
}
