package gateway.policies.identity;

import gateway.json.ConfigNode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// A claim that has to be there.
///
/// @param values of which it has to be one, or to have one among its elements; empty: any
record RequiredClaim(ClaimPath claim, Set<String> values) {
    private static final int MOST_VALUES = 100;

    RequiredClaim {
        values = Set.copyOf(values);
    }

    /// Reads the field of a policy that names them.
    static List<RequiredClaim> readAll(ConfigNode policy) {
        var required = policy.field(
                "requireClaims", "claim, by name or JSON Pointer, and the values of which it has to have one");
        required.form("object of arrays of text, or `\"*\"` for any value").expectObject();
        return required.names().stream()
                .map(name -> read(required.field(name), name))
                .toList();
    }

    /// Reads the member of an object whose name is that of a claim.
    private static RequiredClaim read(ConfigNode node, String name) {
        ClaimPath claim = ClaimPath.read(node, name);
        Optional<JsonNode> json = node.json();
        if (json.isPresent() && json.get().isString()) {
            if (!node.text().equals("*")) node.expected("\"*\" or an array of values");
            return new RequiredClaim(claim, Set.of());
        }
        List<String> values = node.list(ConfigNode::requiredText);
        boolean isList = json.isPresent() && json.get().isArray();
        node.extent(1, MOST_VALUES);
        if ((isList && values.isEmpty()) || values.size() > MOST_VALUES || !node.isPresent()) {
            node.problem("expected 1 to " + MOST_VALUES + " values, or \"*\", got " + values.size());
        }
        return new RequiredClaim(claim, Set.copyOf(values));
    }

    boolean holds(JsonNode claims) {
        JsonNode found = claim.in(claims);
        if (values.isEmpty()) return !found.isMissingNode() && !found.isNull();
        if (!found.isArray()) return isOne(found);
        for (JsonNode each : found) if (isOne(each)) return true;
        return false;
    }

    private boolean isOne(JsonNode value) {
        return ClaimPath.scalar(value).filter(values::contains).isPresent();
    }
}
