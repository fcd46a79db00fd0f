package gateway.key;

import gateway.json.ConfigNode;

/// Plans as JSON, as they are stored: `{"id": "gold", "rateLimit": …, "quota": …, "apis": …}`, whose members mean what
/// they mean of a key.
public final class PlanJson {
    private PlanJson() {}

    /// Problems are left in `node`.
    public static Plan read(ConfigNode node) {
        node.requireObject();
        ConfigNode id = node.field("id");
        String given = id.requiredText();
        ApiKeyJson.checkId(id);
        var plan = new Plan(
                given,
                node.field("name").text(given),
                ApiKeyJson.readAllowance(node.field("rateLimit")),
                ApiKeyJson.readAllowance(node.field("quota")),
                ApiKeyJson.readGrants(node.field("apis")));
        node.refuseUnknownFields();
        return plan;
    }
}
