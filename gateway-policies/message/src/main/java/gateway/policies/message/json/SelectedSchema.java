package gateway.policies.message.json;

import gateway.http.Exchange;
import gateway.http.MethodList;
import gateway.http.MethodNames;
import gateway.http.PathPattern;
import gateway.json.ConfigNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The schema of some of an API's requests.
///
/// @param methods empty: all
/// @param paths below the API, each with all below it; empty: all
record SelectedSchema(Set<String> methods, List<PathPattern> paths, SchemaSource source) {
    SelectedSchema {
        methods = Set.copyOf(methods);
        paths = List.copyOf(paths);
    }

    /// @param pointer in the policy, such as `/select/0`
    static SelectedSchema read(ConfigNode node, String pointer) {
        node.requireObject();
        var methods = new HashSet<>(node.field("methods", "`GET` stands for `HEAD` too")
                .form("methods")
                .unlessGiven("every method")
                .list(MethodNames::read));
        List<PathPattern> paths = node.field("paths", "each with all below it, on segment borders")
                .form("paths with `{name}` for any one segment")
                .unlessGiven("every path")
                .list(SelectedSchema::path);
        ConfigNode schema =
                node.field("schema", "as `schema` of the policy").form("JSON Schema, or `{\"resource\": \"id\"}`");
        var selected = new SelectedSchema(methods, paths, SchemaSource.read(schema, pointer + "/schema"));
        node.refuseUnknownFields();
        return selected;
    }

    private static PathPattern path(ConfigNode node) {
        String text = node.like(PathPattern.FORM).requiredText();
        var flaw = PathPattern.flaw(text);
        if (!text.isEmpty()) flaw.ifPresent(node::problem);
        return PathPattern.of(flaw.isPresent() ? "/" : text);
    }

    boolean covers(Exchange exchange) {
        if (!MethodList.covers(methods, exchange.method())) return false;
        if (paths.isEmpty()) return true;
        for (PathPattern each : paths) if (each.covers(exchange.pathInApi())) return true;
        return false;
    }
}
