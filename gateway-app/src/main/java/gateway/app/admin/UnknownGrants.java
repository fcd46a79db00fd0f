package gateway.app.admin;

import gateway.json.ConfigProblem;
import gateway.json.Problems;
import gateway.json.Suggestion;
import gateway.json.TextCut;
import gateway.service.DefinitionSet;
import gateway.service.DocumentId;
import gateway.service.DocumentKind;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Grants of keys and plans for APIs that are not there. They are stored as written, since the API may come later, and
/// the write warns of them: a mistyped id opens nothing, which nobody notices but the caller.
record UnknownGrants(List<ConfigProblem> warnings) {
    private static final Logger LOG = LoggerFactory.getLogger(UnknownGrants.class);
    private static final int MOST_SUGGESTIONS = 10; // each looks at the ids of all APIs
    private static final int MOST_LOGGED = 10;
    private static final int LONGEST_LOGGED = 200;

    UnknownGrants {
        warnings = Problems.told(warnings);
    }

    /// Those of one key or plan.
    static UnknownGrants of(JsonNode document, DefinitionSet definitions) {
        var found = new ArrayList<ConfigProblem>();
        addTo(found, "", document, definitions);
        return new UnknownGrants(found);
    }

    /// Those of the plans that `planned` writes; each pointer names the plan first.
    ///
    /// @param after what there is once all is written
    static UnknownGrants of(PlannedChanges planned, DefinitionSet after) {
        var found = new ArrayList<ConfigProblem>();
        planned.documents().forEach((id, written) -> {
            if (id.kind() != DocumentKind.PLANS) return;
            written.ifPresent(document -> addTo(found, id.pointer(), document, after));
        });
        return new UnknownGrants(found);
    }

    private static void addTo(List<ConfigProblem> found, String prefix, JsonNode document, DefinitionSet definitions) {
        for (String api : document.path("apis").propertyNames()) {
            if (definitions.text(DocumentId.api(api)).isPresent()) continue;
            String near = found.size() < MOST_SUGGESTIONS ? suggestion(api, definitions) : "";
            String pointer = prefix + "/apis/" + api.replace("~", "~0").replace("/", "~1");
            found.add(new ConfigProblem(pointer, "there is no API of this id" + near));
        }
    }

    private static String suggestion(String api, DefinitionSet definitions) {
        return Suggestion.nearest(api, definitions.ids(DocumentKind.APIS))
                .map(other -> "; did you mean \"" + other + "\"?")
                .orElse("");
    }

    /// Adds `warnings` to the answer of a write; nothing when there are none.
    void addTo(ObjectNode answer) {
        if (warnings.isEmpty()) return;
        var list = answer.putArray("warnings");
        for (ConfigProblem each : warnings) {
            list.addObject().put("pointer", each.pointer()).put("message", each.message());
        }
    }

    /// Tells the operator's log.
    ///
    /// @param written such as `keys/k1`
    void log(AdminCall call, String written) {
        if (warnings.isEmpty()) return;
        String first = warnings.stream()
                .limit(MOST_LOGGED)
                .map(ConfigProblem::pointer)
                .map(pointer -> TextCut.of(pointer, LONGEST_LOGGED))
                .collect(Collectors.joining(", "));
        LOG.atWarn()
                .addKeyValue("event.action", call.request().method() + " " + written)
                .addKeyValue("user.id", call.author())
                .log(
                        "{} opens APIs that are not there: {}{}",
                        written,
                        first,
                        warnings.size() > MOST_LOGGED ? " …" : "");
    }
}
