package gateway.key;

import gateway.http.MethodNames;
import gateway.json.ConfigNode;
import java.util.function.Function;

/// Plans as JSON, as they are stored: `{"id": "gold", "rateLimit": …, "quota": …, "apis": …}`, whose members mean what
/// they mean of a key.
public final class PlanJson {
    private PlanJson() {}

    /// Problems are left in `node`.
    public static Plan read(ConfigNode node) {
        return read(node, MethodNames::read);
    }

    /// The same of a plan that is stored: earlier versions took any text for a method.
    public static Plan stored(ConfigNode node) {
        return read(node, ConfigNode::requiredText);
    }

    private static Plan read(ConfigNode node, Function<ConfigNode, String> method) {
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
                ApiKeyJson.readGrants(node.field("apis", "what it opens beside what a key opens, by API id"), method));
        node.refuseUnknownFields();
        return plan;
    }
}
