package gateway.app.commands;

import gateway.app.secrets.WrittenSecret;
import gateway.config.ApiDefinition;
import gateway.config.DefinitionReader;
import gateway.config.PolicySetTable;
import gateway.config.References;
import gateway.http.PathPattern;
import gateway.json.ConfigNode;
import gateway.json.ConfigProblem;
import gateway.json.Suggestion;
import gateway.key.PlanJson;
import gateway.pipeline.Pipeline;
import gateway.route.Route;
import gateway.route.RouteConflict;
import gateway.route.RouteTable;
import gateway.service.ApiMeters;
import gateway.service.DocumentId;
import gateway.service.DocumentKind;
import gateway.service.Upstream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/// Finds what is wrong with the documents of a data folder, by themselves and with each other, as far as their texts
/// tell. Secrets, and what stands in resources, are known to a gateway alone.
final class DocumentsCheck {
    private static final Upstream NOWHERE = (_, _) -> {
        throw new IllegalStateException("no request comes here");
    };

    private final DefinitionReader reader;
    private final SortedMap<DocumentId, String> texts;
    private final List<ConfigProblem> problems = new ArrayList<>();
    private final List<Route> routes = new ArrayList<>();

    private DocumentsCheck(DefinitionReader reader, SortedMap<DocumentId, String> texts) {
        this.reader = reader;
        this.texts = texts;
    }

    /// What is wrong with all of `texts` together, each under `/<kind>/<id>`.
    static List<ConfigProblem> together(DefinitionReader reader, SortedMap<DocumentId, String> texts) {
        var check = new DocumentsCheck(reader, texts);
        check.look();
        check.problems.sort(Comparator.comparing(ConfigProblem::pointer));
        return check.problems;
    }

    /// What is wrong with one document by itself, whose other documents are taken for there; pointers begin in it.
    static List<ConfigProblem> alone(DefinitionReader reader, DocumentId id, String text) {
        ConfigNode node = ConfigNode.parse(text, id.toString());
        return switch (id.kind()) {
            case APIS, POLICY_SETS, GLOBAL ->
                reader.problems(id.kind(), node.json().orElseThrow());
            case PLANS, SECRETS, RESOURCES -> plain(id.kind(), node);
        };
    }

    /// Of those that use no others.
    private static List<ConfigProblem> plain(DocumentKind kind, ConfigNode node) {
        switch (kind) {
            case PLANS -> PlanJson.read(node);
            case SECRETS -> readSecret(node);
            case APIS, POLICY_SETS, GLOBAL, RESOURCES -> {}
        }
        return node.problems();
    }

    private static void readSecret(ConfigNode node) {
        if (node.field("sealed").isPresent()) return; // as the gateway keeps it
        if (WrittenSecret.read(node).mask().isPresent())
            node.field("value").problem("expected the secret, not its mask");
    }

    private void look() {
        PolicySetTable sets = reader.readSets(
                sets(), Optional.ofNullable(texts.get(DocumentId.GLOBAL)), PolicySetTable.EMPTY, Long.MAX_VALUE);
        problems.addAll(sets.problems());
        sets.all().forEach(set -> requireAll(new DocumentId(DocumentKind.POLICY_SETS, set.id()), set.references()));
        sets.global().ifPresent(global -> requireAll(DocumentId.GLOBAL, global.references()));
        texts.forEach((id, text) -> {
            switch (id.kind()) {
                case APIS -> lookAtApi(id, text, sets);
                case PLANS, SECRETS -> add(id, plain(id.kind(), ConfigNode.parse(text)));
                case POLICY_SETS, GLOBAL, RESOURCES -> {} // looked at already, or only by those who use it
            }
        });
        var conflicts = new ArrayList<RouteConflict>();
        RouteTable.build(routes, conflicts);
        for (RouteConflict each : conflicts) {
            problems.add(new ConfigProblem(DocumentId.api(each.api()).pointer() + "/match", each.toString()));
        }
    }

    private Map<String, String> sets() {
        var sets = new HashMap<String, String>();
        texts.forEach((id, text) -> {
            if (id.kind() == DocumentKind.POLICY_SETS) sets.put(id.id(), text);
        });
        return sets;
    }

    private void lookAtApi(DocumentId id, String text, PolicySetTable sets) {
        ConfigNode node = ConfigNode.parse(text, id.toString());
        ApiDefinition api = reader.read(node, sets);
        add(id, node.problems());
        requireAll(id, References.of(node));
        if (node.hasProblems() || !api.enabled()) return;
        var nowhere = Pipeline.straight(NOWHERE, ApiMeters.NONE);
        routes.add(new Route(api, PathPattern.of(api.match().path()), nowhere));
    }

    private void add(DocumentId id, List<ConfigProblem> found) {
        for (ConfigProblem each : found) {
            problems.add(new ConfigProblem(id.pointer() + each.pointer(), each.message()));
        }
    }

    /// Each resource that `references` name is to be there.
    private void requireAll(DocumentId id, References references) {
        references.resources().forEach((pointer, reference) -> {
            if (texts.containsKey(new DocumentId(DocumentKind.RESOURCES, reference.id()))) return;
            List<String> known = texts.keySet().stream()
                    .filter(each -> each.kind() == DocumentKind.RESOURCES)
                    .map(DocumentId::id)
                    .toList();
            String near = Suggestion.nearest(reference.id(), known)
                    .map(found -> "; did you mean \"" + found + "\"?")
                    .orElse("");
            problems.add(
                    new ConfigProblem(id.pointer() + pointer, "unknown resource \"" + reference.id() + "\"" + near));
        });
    }
}
