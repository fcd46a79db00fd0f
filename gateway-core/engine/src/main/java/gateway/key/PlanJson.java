package gateway.key;

import gateway.json.ConfigNode;

/// Plans as JSON, as they are stored: `{"id": "gold", "rateLimit": …, "quota": …, "apis": …}`, whose members mean what
/// they mean of a key.
public final class PlanJson {
    private PlanJson() {}

    /// Problems are left in `node`.
    public static Plan read(ConfigNode node) {
        node.requireObject();
        node.field("$schema", "of this file, for editors").optionalText();
        ConfigNode id = node.field("id", "by which keys name it").like(ApiKeyJson.ID);
        String given = id.requiredText();
        ApiKeyJson.checkId(id);
        var plan = new Plan(
                given,
                node.field("name", "for people").unlessGiven("the id").text(given),
                ApiKeyJson.readAllowance(node.field("rateLimit", "of keys that have none of their own")),
                ApiKeyJson.readAllowance(node.field("quota", "of keys that have none of their own")),
                ApiKeyJson.readGrants(node.field("apis", "what it opens beside what a key opens, by API id")));
        node.refuseUnknownFields();
        return plan;
    }
}
