package gateway.config;

import gateway.http.MethodNames;
import gateway.http.PathPattern;
import gateway.json.ConfigNode;
import gateway.policy.PolicyDefinition;
import gateway.policy.PolicyLayer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Reads the operations of an API.
final class OperationsReader {
    /// Each has a pipeline for each version.
    private static final int MOST_PIPELINES = 2_000;

    private static final String EVERY = "every method";

    private final PoliciesReader policies;
    private final Set<String> ids = new HashSet<>();
    private final Map<String, String> matches = new HashMap<>(); // ids by what they match

    OperationsReader(PoliciesReader policies) {
        this.policies = policies;
    }

    /// @param versions how many versions the API has; 1 when it has none
    List<OperationDefinition> read(ConfigNode node, int versions) {
        List<OperationDefinition> operations = node.list(this::readOne);
        node.extent(0, MOST_PIPELINES);
        if ((long) operations.size() * versions > MOST_PIPELINES) {
            node.problem("expected at most " + MOST_PIPELINES / versions + " operations, got " + operations.size());
        }
        return operations;
    }

    private OperationDefinition readOne(ConfigNode node) {
        node.requireObject();
        String id = readId(node.field("id", "names its steps: `op:item/rate-limit`"));
        ConfigNode match = node.field("match", "which requests of the API");
        match.requireObject();
        String path = readPath(match.field("path", "prefix below the path of the API, such as `/items/{id}`"));
        var methods =
                new HashSet<>(match.field("methods", "every one unless given").list(MethodNames::read));
        match.refuseUnknownFields();
        refuseAnother(match, id, path, methods);
        List<PolicyDefinition> found =
                policies.read(node.field("policies", "besides those of the API"), "op:" + id + "/", false);
        node.refuseUnknownFields();
        return new OperationDefinition(
                id,
                path,
                methods,
                found.stream().map(policy -> policy.in(PolicyLayer.OPERATION)).toList());
    }

    private String readId(ConfigNode node) {
        String id = DefinitionReader.readId(node);
        if (!id.isEmpty() && !ids.add(id)) node.problem("the operation \"" + id + "\" stands twice");
        return id;
    }

    private static String readPath(ConfigNode node) {
        String path = node.like(PathPattern.FORM).text("/");
        Optional<String> flaw = PathPattern.flaw(path);
        flaw.ifPresent(node::problem);
        return flaw.isPresent() ? "/" : path;
    }

    /// What a parameter is called does not matter: of two such paths neither is the more specific one.
    private void refuseAnother(ConfigNode match, String id, String path, Set<String> methods) {
        String shape = path.replaceAll("\\{[^}/]*}", "{}");
        for (String method : methods.isEmpty() ? Set.of(EVERY) : methods) {
            String other = matches.putIfAbsent(method + " " + shape, id);
            if (other != null) match.problem("same match as operation \"" + other + "\": " + method + " " + path);
        }
    }
}
