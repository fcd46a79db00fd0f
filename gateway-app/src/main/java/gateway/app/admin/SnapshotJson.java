package gateway.app.admin;

import gateway.config.ApiDefinition;
import gateway.config.OperationDefinition;
import gateway.config.TargetDefinition;
import gateway.json.ConfigProblem;
import gateway.json.Json;
import gateway.policy.PolicyDefinition;
import gateway.route.Route;
import gateway.snapshot.CompiledApi;
import gateway.snapshot.Snapshot;
import java.util.TreeMap;
import tools.jackson.databind.node.ObjectNode;

/// What is served now, as JSON.
final class SnapshotJson {
    private SnapshotJson() {}

    static ObjectNode of(Snapshot snapshot) {
        ObjectNode json = Json.mapper().createObjectNode().put("revision", snapshot.revision());
        var routes = json.putArray("routes");
        for (CompiledApi api : new TreeMap<>(snapshot.apis()).values()) {
            api.route().ifPresent(route -> routes.add(of(route)));
        }
        var problems = json.putArray("problems");
        for (ConfigProblem problem : snapshot.problems()) {
            problems.addObject().put("pointer", problem.pointer()).put("message", problem.message());
        }
        return json;
    }

    /// Of an API with versions the steps and targets of the default one, if there is one; then those of each.
    static ObjectNode of(Route route) {
        ApiDefinition api = route.api();
        ObjectNode json = Json.mapper().createObjectNode().put("id", api.id()).put("name", api.name());
        writeMatch(api, json);
        if (route.version() != null) json.put("default", route.versionName());
        if (route.versions() == null || route.version() != null) writeWay(api, json);
        if (route.versions() == null) return json;
        var versions = json.putArray("versions");
        route.versions().named().forEach((name, version) -> {
            ObjectNode entry = versions.addObject().put("name", name);
            entry.put("path", version.path().toString());
            writeWay(version.api(), entry);
        });
        return json;
    }

    private static void writeMatch(ApiDefinition api, ObjectNode json) {
        var hosts = json.putArray("hosts");
        api.match().hosts().forEach(hosts::add);
        json.put("path", api.match().path());
        var methods = json.putArray("methods");
        api.match().methods().stream().sorted().forEach(methods::add);
    }

    private static void writeWay(ApiDefinition api, ObjectNode json) {
        writeSteps(api, json);
        var targets = json.putArray("targets");
        for (TargetDefinition target : api.upstream().targets())
            targets.add(target.url().toString());
        if (api.operations().isEmpty()) return;
        var operations = json.putArray("operations");
        for (OperationDefinition each : api.operations()) {
            ObjectNode operation = operations.addObject().put("id", each.id()).put("path", each.path());
            var methods = operation.putArray("methods");
            each.methods().stream().sorted().forEach(methods::add);
            writeSteps(api.in(each), operation);
        }
    }

    private static void writeSteps(ApiDefinition api, ObjectNode json) {
        var steps = json.putArray("steps");
        api.policies().stream()
                .sorted(PolicyDefinition.ORDER)
                .map(PolicyDefinition::step)
                .forEach(steps::add);
    }
}
