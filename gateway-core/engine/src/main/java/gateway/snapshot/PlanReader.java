package gateway.snapshot;

import gateway.json.ConfigNode;
import gateway.json.ConfigProblem;
import gateway.json.InvalidConfigException;
import gateway.key.Plan;
import gateway.key.PlanJson;
import gateway.service.DefinitionSet;
import gateway.service.DocumentId;
import gateway.service.DocumentKind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Reads the plans among documents.
final class PlanReader {
    private PlanReader() {}

    /// Those that are sound, by id.
    ///
    /// @param problems gains those of the others, under `/plans/<id>`
    static Map<String, Plan> read(DefinitionSet definitions, List<ConfigProblem> problems) {
        var plans = new HashMap<String, Plan>();
        for (String id : definitions.ids(DocumentKind.PLANS)) {
            var document = new DocumentId(DocumentKind.PLANS, id);
            try {
                plans.put(id, read(id, definitions.text(document).orElseThrow()));
            } catch (InvalidConfigException e) {
                for (ConfigProblem each : e.problems()) {
                    problems.add(new ConfigProblem(document.pointer() + each.pointer(), each.message()));
                }
            }
        }
        return plans;
    }

    private static Plan read(String id, String text) {
        ConfigNode node = ConfigNode.parse(text);
        Plan plan = PlanJson.stored(node);
        if (!plan.id().isEmpty() && !plan.id().equals(id)) {
            node.field("id").problem("expected \"" + id + "\", got \"" + plan.id() + "\"");
        }
        node.throwIfInvalid();
        return plan;
    }
}
