package gateway.policies.message.graphql;

import gateway.json.ConfigNode;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Who may ask for which kind of operation. Queries and mutations are for all, and subscriptions for nobody, unless a
/// definition says otherwise.
///
/// @param tags of callers by kind, of which one suffices; none: all callers
record OperationGrants(Map<OperationKind, Set<String>> tags) {
    private static final int MOST_TAGS = 100;

    OperationGrants {
        tags = Map.copyOf(tags);
    }

    static OperationGrants read(ConfigNode node) {
        if (node.isPresent()) node.expectObject();
        var tags = new EnumMap<OperationKind, Set<String>>(OperationKind.class);
        for (OperationKind each : OperationKind.values()) {
            ConfigNode kind = node.field(ConfigNode.word(each), "who may ask for it");
            boolean usual = each != OperationKind.SUBSCRIPTION;
            if (!kind.isPresent()) kind.unlessGiven(usual ? "all callers" : "nobody");
            else kind.expectObject();
            boolean allowed = kind.field("allow", "`false`: nobody").bool(usual || kind.isPresent());
            ConfigNode field = kind.field("tags", "of callers, of which one suffices")
                    .unlessGiven("all callers")
                    .extent(1, MOST_TAGS);
            List<String> named = new ArrayList<>(field.list(ConfigNode::requiredText));
            if (field.isPresent() && (named.isEmpty() || named.size() > MOST_TAGS))
                field.problem("expected 1 to " + MOST_TAGS + " tags, got " + named.size());
            if (allowed) tags.put(each, Set.copyOf(named));
            kind.refuseUnknownFields();
        }
        if (node.isPresent()) node.refuseUnknownFields();
        return new OperationGrants(tags);
    }

    /// Whether a caller with these tags may ask for it.
    boolean allows(OperationKind kind, List<String> callers) {
        Set<String> wanted = tags.get(kind);
        if (wanted == null) return false;
        if (wanted.isEmpty()) return true;
        for (String each : callers) if (wanted.contains(each)) return true;
        return false;
    }
}
