package gateway.app.admin;

import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.service.DefinitionChange;
import gateway.service.DefinitionSet;
import gateway.service.DocumentId;
import gateway.service.DocumentKind;
import gateway.service.ResourceDocument;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// Which documents carry scripts or stylesheets, which run in the gateway: storing them wants a right of its own.
final class CarriedScripts {
    private static final Set<String> POLICIES = Set.of("script", "xslt");
    private static final Pattern ID = Pattern.compile(".*\\.(js|mjs|groovy|xsl|xslt)");
    private static final Pattern TYPE = Pattern.compile(".*(javascript|ecmascript|groovy|xslt).*");

    private CarriedScripts() {}

    /// The same changes, once it is clear that `caller` may store what they carry.
    ///
    /// @throws AdminProblem 403
    static List<DefinitionChange> allowed(AdminCaller caller, DefinitionSet base, List<DefinitionChange> changes) {
        Set<AdminRight> wanted = Set.of(AdminRight.SCRIPTS);
        if (caller.hasOneOf(wanted)) return changes;
        for (DefinitionChange change : changes) {
            if (change.after().filter(text -> carries(change.id(), text, base)).isPresent())
                caller.requireOneOf(wanted);
        }
        return changes;
    }

    private static boolean carries(DocumentId id, String text, DefinitionSet base) {
        return switch (id.kind()) {
            case APIS, POLICY_SETS, GLOBAL -> names(text, "");
            case RESOURCES -> isScript(ResourceDocument.read(text)) || isUsedAsScript(id.id(), base);
            case PLANS, SECRETS -> false;
        };
    }

    private static boolean isScript(ResourceDocument resource) {
        return ID.matcher(resource.id().toLowerCase(Locale.ROOT)).matches()
                || TYPE.matcher(resource.contentType().toLowerCase(Locale.ROOT)).matches();
    }

    /// Whatever it is called: what a script is made of is one.
    private static boolean isUsedAsScript(String resource, DefinitionSet base) {
        return base.documents().entrySet().stream()
                .filter(each -> each.getKey().kind() != DocumentKind.RESOURCES
                        && each.getKey().kind() != DocumentKind.SECRETS)
                .anyMatch(each -> names(each.getValue(), resource));
    }

    /// Whether a document has a policy that is a script, made of `resource` unless that is empty.
    private static boolean names(String text, String resource) {
        try {
            return names(Json.parse(text), resource);
        } catch (InvalidConfigException e) {
            return true; // nobody knows
        }
    }

    private static boolean names(JsonNode json, String resource) {
        if (json.isObject() && POLICIES.contains(json.path("type").asString(""))) {
            if (resource.isEmpty() || uses(json, resource)) return true;
        }
        for (JsonNode each : json.values()) if (names(each, resource)) return true;
        return false;
    }

    private static boolean uses(JsonNode json, String resource) {
        if (json.isObject() && json.path("resource").asString("").equals(resource)) return true;
        for (JsonNode each : json.values()) if (uses(each, resource)) return true;
        return false;
    }
}
